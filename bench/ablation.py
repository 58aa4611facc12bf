"""What each group of rules in the reply is worth: every case with all of them, then without one group at a time.

Only the cases in which a group fired are run again without it: the others end the same. The outcomes go into --out as
they come, so that a run that was ended goes on where it was; the table is `docs/ablation.md`.
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
from appliance.reply import without
from appliance.settings import Settings
from bench import cases, command, evaluate, exit_with
from bench.cases import Case

ALL = "all"
"""Stands for every group at once: the floor."""
Outcomes = dict[str, dict[str, Any]]
"""Case -> what of it failed, what of judge.NEVER happened, which groups fired, milliseconds and fresh tokens."""


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    known = json.loads(options.out.read_text()) if options.out.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        chosen = unhurried(
            command.settings_of(Path(folder), config=options.config, profile=options.profile, model=options.model)
        )
        wanted = sorted(cases.load(*options.files), key=evaluate.head_of)
        for groups in [(), *((group,) for group in options.groups), *([(ALL,)] if options.floor else [])]:
            outcomes = known.setdefault("+".join(groups), {})
            every = known[""]
            still = [
                case
                for case in wanted
                if case.name not in outcomes and (groups in ((), (ALL,)) or groups[0] in every[case.name]["fired"])
            ]
            for name, outcome in tried(still, chosen, groups):
                outcomes[name] = outcome
                options.out.write_text(json.dumps(known, indent=1))
            print(row(groups, known), flush=True)
    return 0


def tried(wanted: Sequence[Case], chosen: Settings, groups: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    if not wanted:
        return
    without.switch_off(without.GROUPS if ALL in groups else groups)
    with build.parts(chosen, build.clock(chosen, wanted[0].now)) as parts:
        stage = evaluate.Stage(parts, chosen)
        for case in wanted:
            without.fired.clear()
            began_s = time.monotonic()
            trial = stage.run(case)
            records = trial.records
            yield (
                case.name,
                {
                    "faults": trial.faults,
                    "never": trial.never,
                    "fired": sorted(without.fired),
                    "s": round(time.monotonic() - began_s, 2),
                    "fresh": sum(record.model.fresh_tokens for record in records),
                    "calls": sum(record.model.calls for record in records),
                    "said": [record.said for record in records],
                },
            )


def row(groups: Sequence[str], known: dict[str, Outcomes]) -> str:
    """Of one group: cases right without it, lost and won so, the odds of that by chance, seconds, fresh tokens."""
    every, fewer = known[""], known["+".join(groups)]
    right = sum(not outcome["faults"] for outcome in every.values())
    lost = [name for name, outcome in fewer.items() if outcome["faults"] and not every[name]["faults"]]
    won = [name for name, outcome in fewer.items() if not outcome["faults"] and every[name]["faults"]]
    never = sum(len(outcome["never"]) for outcome in fewer.values())
    more_s = sum(outcome["s"] - every[name]["s"] for name, outcome in fewer.items())
    tokens = sum(outcome["fresh"] - every[name]["fresh"] for name, outcome in fewer.items())
    name, right = "+".join(groups) or "with all", right - len(lost) + len(won)
    return (
        f"{name:12} fired in {len(fewer):3} of {len(every)}, right {right:3},"
        f" lost {len(lost):2}, won {len(won):2}, p {mcnemar(len(lost), len(won)):.3f}, never {never},"
        f" {more_s:+.0f} s, {tokens:+} tokens"
    )


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
    parser = command.parser("bench.ablation", __doc__, only="")
    parser.add_argument("--files", nargs="+", choices=cases.FILES, default=[cases.JURY])
    parser.add_argument("--groups", nargs="*", choices=without.GROUPS, default=list(without.GROUPS))
    parser.add_argument("--floor", action="store_true", help="everything off at once as well")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
