"""One fresh appliance that takes turns and tells what they cost: a process of its own for the bench to start.

Reads a JSON plan on stdin, {"spoken": [WAV paths], "typed": [texts]}, and prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

from appliance import build, settings
from appliance.audio import read_wav
from bench import exit_with


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.turns", description=__doc__)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--profile")
    options = parser.parse_args()
    chosen = settings.load(None, options.profile, options.state)
    plan = json.load(sys.stdin)
    began_s = time.monotonic()
    with build.parts(chosen, build.clock(chosen)) as parts:
        _load(parts)
        measured: dict[str, Any] = {"ready_s": round(time.monotonic() - began_s, 2), "idle_mb": _resident_mb("VmRSS")}
        measured["spoken"] = [_hear(parts, Path(path)) for path in plan["spoken"]]
        measured["typed"] = [_ask(parts, text) for text in plan["typed"]]
    print(json.dumps(measured | {"peak_mb": _resident_mb("VmHWM")}))
    return 0


def _load(parts: build.Parts) -> None:
    """All of it: each part loads when it is first needed."""
    for part in (parts.engine, parts.listener, parts.transcriber, parts.synthesizer):
        assert part


def _hear(parts: build.Parts, path: Path) -> Any:
    parts.console.new_conversation()
    record = parts.hear(read_wav(path), realtime=True).record
    print(f"{record.ms.first_audio or 0:6} ms  {record.heard} -> {record.said}", file=sys.stderr, flush=True)
    return record.model_dump()


def _ask(parts: build.Parts, text: str) -> Any:
    parts.console.new_conversation()
    return parts.console.ask(text).model_dump()


def _resident_mb(field: str) -> int | None:
    """VmRSS: now. VmHWM: the most there ever was."""
    try:
        found = re.search(rf"^{field}:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    except OSError:
        return None
    return int(found[1]) // 1024 if found else None


if __name__ == "__main__":
    exit_with(main)
