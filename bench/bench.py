"""How fast and how large it is, part by part and as a whole, beside what the issues ask for: `make bench`.

Run it on a quiet machine. Each part's figures are saved as soon as they are known, into one row a day; a part that is
measured again, at the same commit with the same models, takes its place in that row. Exit code 0 when every target
that was measured is met, else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from appliance import settings_file
from appliance.errors import PartMissing
from appliance.settings import Settings
from bench import command, compare, components, exit_with, growth, machine, parts, reference, results
from bench.machine import CHECKOUT
from bench.results import Row
from bench.speakers import Speakers

PARTS = ("rates", "start", "spoken", "text", "reference", "growth")

Target = tuple[str, tuple[str, ...], float]
AT_MOST: tuple[Target, ...] = (
    ("speech to text, tiny.en, s", ("rates", "stt_by_model_s", "whisper-tiny.en"), 0.35),
    ("speech to text, base, s", ("rates", "stt_by_model_s", "whisper-base"), 0.7),
    ("first audio of the fast lane, p50 ms", ("first_audio_ms", "fast", "p50"), 700),
    ("first audio of a tool turn, p50 ms", ("first_audio_ms", "tool", "p50"), 1_400),
    ("first audio of a tool turn, p95 ms", ("first_audio_ms", "tool", "p95"), 2_200),
    ("first audio of small talk, p50 ms", ("first_audio_ms", "talk", "p50"), 1_600),
    ("start with a warm cache, s", ("ready_s", "warm"), 6),
    ("first turn against a warm one", ("first_turn", "ratio"), 1.3),
    ("peak memory, MB", ("rss_mb", "peak"), 2_200),
    ("grammar, ms a token", ("rates", "grammar_ms_per_token"), 3),
    *((f"growth by {name}, times", ("growth", "flat", name), growth.FLAT) for name in growth.KINDS),
)
AT_LEAST: tuple[Target, ...] = (
    ("times faster than one slot", ("reference", "ratio_single_slot"), 40),
    ("times faster than a slot per prompt", ("reference", "ratio_slot_per_prompt"), 8),
    ("share of prompt tokens found again, spoken turns", ("spoken_reuse",), 0.97),
    ("share of prompt tokens found again, typed turns", ("reuse",), 0.97),
)
"""What is measured, where it stands in the row, and its limit (issues 2 and 4, "Must show", with the 1.5B model)."""
SMALLEST = "qwen2.5-coder-0.5b"
OF_SMALLEST = {("first_audio_ms", "tool", "p50"): 1_000.0, ("rss_mb", "peak"): 1_100.0}
"""Limits with that model instead ( its peak is meant with tiny.en, as in profile pi4)."""


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory() as folder:
        chosen = command.settings_of(Path(folder), profile=options.profile, model=options.model)
        kind = kind_of(chosen, options.profile)
        row = results.new(chosen) | {"profile": chosen.profile, "model": chosen.thought.model, "parts": {}}
        row = row | results.blank() if options.quick else results.continued(row, results.latest(kind))
        print(results.heading(row), end="\n\n", flush=True)
        for part in options.parts:
            began_s, host = time.monotonic(), machine.describe()
            results.merge(row, _measure(part, chosen, options.quick))
            row["parts"][part] = _stamp(host, began_s)
            if not options.quick:
                results.save(row, kind)
    print(report(row))
    if options.quick:
        print("a try: no row is written")
    else:
        path = results.save(row, kind)
        print(f"row: {path.relative_to(CHECKOUT)}\n{compare.told(row, compare.before(path))}")
    return 0 if all(met(row, target) is not False for target in (*AT_MOST, *AT_LEAST)) else 1


def _measure(part: str, chosen: Settings, quick: bool) -> Row:
    _tell(f"-- {part}, from {datetime.now():%H:%M:%S}")
    most = 1 if quick else None
    measures: dict[str, Callable[[], Row]] = {
        "rates": lambda: {"rates": components.measure(chosen, Speakers(chosen))},
        "start": lambda: parts.starts(chosen),
        "spoken": lambda: parts.spoken(chosen, Speakers(chosen), most),
        "text": lambda: parts.written(chosen, most),
        "reference": lambda: {"reference": reference.measure(chosen, _tell, quick)},
        "growth": lambda: {"growth": growth.measure(chosen, _speakers(chosen), _tell, quick)},
    }
    return measures[part]()


def _tell(line: str) -> None:
    print(line, flush=True)


def _speakers(chosen: Settings) -> Speakers | None:
    """None where nobody can speak: the rest is measured all the same."""
    try:
        return Speakers(chosen)
    except PartMissing as error:
        _tell(f"no utterances: {error}")
        return None


def _stamp(host: Row, began_s: float) -> Row:
    """Under which conditions a part was measured."""
    after = machine.describe()
    return {
        "at": datetime.now().astimezone().isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - began_s),
        "load_1m_before": host["load_1m"],
        "temperature_c": [host["temperature_c"], after["temperature_c"]],
        "throttled": after["throttled"],
        "nice": os.nice(0),
    }


def report(row: Row) -> str:
    """Every figure of the issues beside its limit, then the rest."""
    lines = [_line(row, target, "at most") for target in AT_MOST] + [_line(row, each, "at least") for each in AT_LEAST]
    rest = ("lanes", "first_audio_ms", "endpoint_ms", "stage_ms", "text_turn_s", "first_sentence_s", "calls", "tokens")
    figures = [*rest, "fresh_tokens", "rates", "ready_s", "rss_mb"]
    return "\n".join(["", *lines, "", *(f"{key:17}{json.dumps(row[key])}" for key in figures if row.get(key))])


def _line(row: Row, target: Target, limits: str) -> str:
    what, path, _ = target
    limit = _limit(row, target)
    verdict = {True: "ok", False: "missed", None: "not measured"}[met(row, target)]
    return f"{what:38}{_shown(results.value(row, path)):>9}   {limits:8} {limit:6g}   {verdict}"


def _shown(value: Any) -> str:
    return "-" if value is None else f"{value:g}"


def met(row: Row, target: Target) -> bool | None:
    """None where it was not measured."""
    value: float | None = results.value(row, target[1])
    if value is None:
        return None
    limit = _limit(row, target)
    return value >= limit if target in AT_LEAST else value <= limit


def _limit(row: Row, target: Target) -> float:
    return OF_SMALLEST.get(target[1], target[2]) if row.get("model") == SMALLEST else target[2]


def kind_of(chosen: Settings, profile: str | None) -> str:
    """Rows of another profile or model than the board's own are named after it."""
    other = [profile] if profile and profile != settings_file.load().profile else []
    own = settings_file.load(profile=profile or chosen.profile).thought.model
    return "-".join([*other, *([chosen.thought.model] if chosen.thought.model != own else [])])


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.bench", description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="only these")
    parser.add_argument("--model", metavar="NAME", help="another language model; its row has a name of its own")
    parser.add_argument("--profile", metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="the smallest of everything, to see that it runs; no row")
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
