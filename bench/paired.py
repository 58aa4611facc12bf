"""Cases through the real model and the real engine, compared pair by pair with an earlier run of the same cases.

    python -m bench.paired --out now.json --against before.json

The outcomes go into --out as they come: a run that was ended goes on where it was. The odds are of an exact McNemar
test: how likely a split between lost and won cases at least so uneven is, were both as likely.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from appliance import build
from appliance.settings import Settings
from bench import cases, command, evaluate, exit_with
from bench.cases import Case

Outcomes = dict[str, dict[str, Any]]
"""Case -> what of it failed, what of judge.NEVER happened, what was said, seconds, fresh tokens and model calls."""


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    outcomes: Outcomes = json.loads(options.out.read_text()) if options.out.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        chosen = command.settings_of(Path(folder), config=options.config, profile=options.profile, model=options.model)
        wanted = [case for case in cases.load(*options.files) if case.name not in outcomes]
        if options.on_board:
            wanted = [case for case in wanted if not case.tools]
        for name, outcome in tried(sorted(wanted, key=evaluate.head_of), unhurried(chosen)):
            outcomes[name] = outcome
            options.out.write_text(json.dumps(outcomes, indent=1))
    print(summary(outcomes))
    if options.against:
        print(compared(outcomes, json.loads(options.against.read_text())))
    return 0


def tried(wanted: Sequence[Case], chosen: Settings) -> Iterator[tuple[str, dict[str, Any]]]:
    if not wanted:
        return
    with build.parts(chosen, build.clock(chosen, wanted[0].now)) as parts:
        stage = evaluate.Stage(parts, chosen)
        for case in wanted:
            began_s = time.monotonic()
            trial = stage.run(case)
            records = trial.records
            yield (
                case.name,
                {
                    "kind": case.kind,
                    "faults": trial.faults,
                    "never": trial.never,
                    "s": round(time.monotonic() - began_s, 2),
                    "fresh": sum(record.model.fresh_tokens for record in records),
                    "calls": sum(record.model.calls for record in records),
                    "said": [record.said for record in records],
                },
            )


def summary(outcomes: Outcomes) -> str:
    right = sum(not outcome["faults"] for outcome in outcomes.values())
    never = sum(len(outcome["never"]) for outcome in outcomes.values())
    total = [sum(outcome[key] for outcome in outcomes.values()) for key in ("s", "fresh", "calls")]
    kinds = sorted({outcome["kind"] for outcome in outcomes.values()})
    shares = {kind: [not each["faults"] for each in outcomes.values() if each["kind"] == kind] for kind in kinds}
    table = ", ".join(f"{kind} {sum(each)}/{len(each)}" for kind, each in shares.items())
    return (
        f"{right} of {len(outcomes)} right, never-events {never}, {total[0]:.0f} s, {total[1]} fresh tokens,"
        f" {total[2]} model calls\n{table}"
    )


def compared(now: Outcomes, before: Outcomes) -> str:
    both = now.keys() & before.keys()
    lost = sum(bool(now[name]["faults"]) and not before[name]["faults"] for name in both)
    won = sum(not now[name]["faults"] and bool(before[name]["faults"]) for name in both)
    return f"of {len(both)} in both runs {lost} lost and {won} won, p = {mcnemar(lost, won):.3f}"


def mcnemar(lost: int, won: int) -> float:
    """The exact two-sided probability of a split at least so uneven, were both as likely."""
    count = lost + won
    tail = sum(math.comb(count, few) for few in range(min(lost, won) + 1)) / 2**count
    return min(1.0, 2 * tail) if count else 1.0


def unhurried(chosen: Settings) -> Settings:
    """Nothing is dropped for lack of time: a busy machine must not change an outcome."""
    reply = chosen.reply.model_copy(update={"plan_timeout_s": 300.0, "budget_s": 120.0, "digest_timeout_s": 60.0})
    return evaluate.patient(chosen.model_copy(update={"reply": reply}))


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("bench.paired", __doc__, only="")
    parser.add_argument("--files", nargs="+", choices=cases.FILES, default=[cases.JURY])
    parser.add_argument("--on-board", action="store_true", help="no case that needs a tool which is not on board")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--against", type=Path, help="what an earlier run wrote")
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
