"""The requests of `requests.yaml`, each spoken as a whole turn to the real appliance: `make eval`.

Exit code 0 when at least 90 % end in the right tool with the right arguments, else 1.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance import build
from appliance.records import TurnRecord
from appliance.settings import Settings
from bench import command, exit_with, requests, results, scoring
from bench.requests import Request
from bench.scoring import CAUSES, Cause, Spoken
from bench.speakers import WAKE_BY, Speakers

PASS_SHARE = 0.9
"""Issue 2: at least 90 % of the spoken requests."""


@dataclass(frozen=True)
class Trial:
    request: Request
    cause: Cause | None
    """None: the turn was right."""
    record: TurnRecord


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory() as state:
        chosen = _settings(options, Path(state))
        row = results.new(chosen)
        print(results.heading(row), end="\n\n")
        wanted = [request for request in requests.load() if options.only.lower() in request.say.lower()]
        trials = list(_told(run(wanted, chosen, options), len(wanted)))
    row |= summary(trials) | {
        "how": _how(options),
        "settings": {"llm": chosen.thought.model, "stt": chosen.words.model},
    }
    kind = "eval-text" if options.text else "eval"
    before = results.latest(kind)
    print(report(trials, row, options.show_held_out))
    print(results.comparison(row, before))
    if not options.only:
        print(results.kept(row, kind))
    return 0 if row["share"] >= PASS_SHARE else 1


def run(wanted: Sequence[Request], chosen: Settings, options: argparse.Namespace) -> Iterator[Trial]:
    """One trial after the other, through one set of parts."""
    speakers = None if options.text else Speakers(chosen)
    with build.parts(chosen, build.clock(chosen)) as parts:
        for request in wanted:
            written = _writer(parts, request)
            if speakers is None:
                record = written()
                yield Trial(request, scoring.fault(request, record), record)
                continue
            recording = speakers.ask(request.voice, request.say, request.noise)
            _set_the_scene(parts, request)
            heard = parts.hear(recording.samples, realtime=options.realtime, clean=recording.clean)
            spoken = Spoken(heard.record, heard.woke, recording.said_s)
            yield Trial(request, scoring.cause(request, spoken, written), heard.record)


def _writer(parts: build.Parts, request: Request) -> Callable[[], TurnRecord]:
    """The same turn with the request typed."""

    def written() -> TurnRecord:
        _set_the_scene(parts, request)
        return parts.console.ask(request.say)

    return written


def _set_the_scene(parts: build.Parts, request: Request) -> None:
    """A new conversation without timers, and in it the turns that come before the request."""
    parts.console.new_conversation()
    parts.console.forget_timers()
    for line in request.before:
        parts.console.ask(line)


def _told(trials: Iterator[Trial], count: int) -> Iterator[Trial]:
    began_s = time.monotonic()
    for number, trial in enumerate(trials, 1):
        request = trial.request
        words = "(held out)" if request.held_out else request.say
        verdict = trial.cause or "ok"
        print(
            f"{number:3}/{count} {time.monotonic() - began_s:5.0f} s  {verdict:8}  {request.voice:9}  {words}",
            flush=True,
        )
        yield trial


def summary(trials: Sequence[Trial]) -> dict[str, Any]:
    """What of the trials goes into the row. `outcomes`: each request -> ok, or the cause of its failure."""
    right = [trial for trial in trials if trial.cause is None]
    held_out = [trial for trial in trials if trial.request.held_out]
    return {
        "n": len(trials),
        "right": len(right),
        "share": round(len(right) / max(1, len(trials)), 4),
        "held_out": {"n": len(held_out), "right": sum(trial.cause is None for trial in held_out)},
        "causes": dict(Counter(trial.cause for trial in trials if trial.cause)),
        "by": {
            name: results.tally((key(trial), trial.cause is None) for trial in trials) for name, key in _KEYS.items()
        },
        "outcomes": {trial.request.say: trial.cause or "ok" for trial in trials},
    }


_KEYS: dict[str, Callable[[Trial], str]] = {
    "voice": lambda trial: _who(trial.request.voice),
    "noise": lambda trial: trial.request.noise or "quiet",
    "tool": lambda trial: trial.request.tool,
    "set": lambda trial: "held out" if trial.request.held_out else "open",
}


def _who(voice: str) -> str:
    return f"{voice}, woken by {WAKE_BY[voice]}" if voice in WAKE_BY else voice


def report(trials: Sequence[Trial], row: dict[str, Any], show_held_out: bool) -> str:
    """The tables, then each failure by its cause; those held out are only counted."""
    lines = [""]
    for by, tally in row["by"].items():
        lines += [f"by {by}", *(f"  {name:22}{right:4} of {count}" for name, (right, count) in tally.items()), ""]
    for cause in CAUSES:
        failed = [trial for trial in trials if trial.cause == cause]
        shown = [trial for trial in failed if show_held_out or not trial.request.held_out]
        if failed:
            lines += [
                f"failed by {cause}: {len(failed)}, of them {len(failed) - len(shown)} held out",
                *map(_failure, shown),
            ]
    held_out = row["held_out"]
    share = f"{row['right']} of {row['n']} right, {row['share']:.1%} (at least {PASS_SHARE:.0%}: "
    share += "ok)" if row["share"] >= PASS_SHARE else "missed)"
    return "\n".join([*lines, share, f"of these held out: {held_out['right']} of {held_out['n']}"])


def _failure(trial: Trial) -> str:
    request, record = trial.request, trial.record
    return (
        f"  said   {request.say}  [{request.voice}, {request.noise or 'quiet'}]\n"
        f"  heard  {record.heard}\n  wanted {list(request.expect)}\n"
        f"  answer {record.said}\n  record {record.as_json()}\n"
    )


def _how(options: argparse.Namespace) -> str:
    return "text" if options.text else "real time" if options.realtime else "faster than real time"


def _settings(options: argparse.Namespace, state: Path) -> Settings:
    chosen = command.settings_of(state, config=options.config, profile=options.profile, model=options.model)
    words = chosen.words.model_copy(update={"model": options.stt or chosen.words.model})
    return chosen.model_copy(update={"words": words})


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("bench.spoken", __doc__, only="requests that hold TEXT")
    parser.add_argument("--realtime", action="store_true", help="at the pace of a microphone")
    parser.add_argument("--text", action="store_true", help="type the requests instead of speaking them")
    parser.add_argument("--stt", metavar="NAME", help="another speech model")
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
