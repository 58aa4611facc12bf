"""One fresh appliance that takes turns and tells what they cost: a process of its own for the bench to start.

Reads a JSON plan on stdin, {"load": bool, "spoken": [WAV paths], "typed": [texts]}, and prints one JSON object. `load`:
every part, one after the other, with what each adds to the memory; else only what the turns need. Beside each WAV lies
the same without the noise of the room (`clean`): there the end of speech is found.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from appliance import build
from appliance.audio import FRAME, FRAME_S, Frame, Utterance, never, read_wav, silence
from bench import command, consoles, exit_with


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.turns", description=__doc__)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--profile")
    parser.add_argument("--model")
    options = parser.parse_args()
    chosen = command.settings_of(options.state, profile=options.profile, model=options.model)
    plan = json.load(sys.stdin)
    measured: dict[str, Any] = {}
    with build.parts(chosen, build.clock(chosen)) as parts:
        began_s = time.monotonic()
        if plan["load"]:
            measured["parts_mb"] = _load(parts)
        assert parts.engine
        measured |= {"ready_s": round(time.monotonic() - began_s, 2), "idle_mb": _resident_mb("VmRSS")}
        measured["spoken"] = [_hear(parts, Path(path)) for path in plan["spoken"]]
        measured["typed"] = [_ask(parts, text) for text in plan["typed"]]
        measured["peak_mb"] = _resident_mb("VmHWM")
    print(json.dumps(measured))
    return 0


def clean(recording: Path) -> Path:
    return recording.with_suffix(".clean.wav")


def _load(parts: build.Parts) -> dict[str, int | None]:
    """All of it, each part used once: room -> what it added, MB."""
    uses: dict[str, Callable[[], object]] = {
        "thought": lambda: parts.engine,
        "ears": lambda: list(parts.listener.feed(Frame(silence(FRAME_S)[:FRAME], FRAME_S))),
        "words": lambda: parts.transcriber.transcribe(Utterance(silence(1)), never),
        "voice": lambda: list(parts.synthesizer.synthesize("Ready.")),
    }
    added: dict[str, int | None] = {"python": (before := _resident_mb("VmRSS"))}
    for room, use in uses.items():
        use()
        after = _resident_mb("VmRSS")
        added[room] = after - before if after is not None and before is not None else None
        before = after
    return added


def _hear(parts: build.Parts, path: Path) -> Any:
    parts.console.new_conversation()
    record = parts.hear(read_wav(path), realtime=True, clean=read_wav(clean(path))).record
    print(f"{record.ms.first_audio or 0:6} ms  {record.heard} -> {record.said}", file=sys.stderr, flush=True)
    return record.model_dump()


def _ask(parts: build.Parts, text: str) -> Any:
    parts.console.new_conversation()
    timed = consoles.ask(parts.console, text)
    told = f"{timed.first_sentence_s:6.2f} s  {timed.record.lane:5} {text} -> {timed.record.said}"
    print(told, file=sys.stderr, flush=True)
    return timed.row()


def _resident_mb(field: str) -> int | None:
    """Of this process and of those that it has started. VmRSS: now. VmHWM: the most there ever was, of each.

    More than a box needs, by some 30 MB: peaks at different moments are added up, and so are libraries that two have.
    Of a model's file, what is mapped counts, and not what the kernel keeps of it besides.
    """
    family = rf"^P?Pid:\t{os.getpid()}$"
    statuses = (
        status for path in Path("/proc").glob("[0-9]*/status") if re.search(family, status := _read(path), re.M)
    )
    kilobytes = [int(found[1]) for status in statuses if (found := re.search(rf"^{field}:\s*(\d+) kB", status, re.M))]
    return sum(kilobytes) // 1024 if kilobytes else None


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has just ended
        return ""


if __name__ == "__main__":
    exit_with(main)
