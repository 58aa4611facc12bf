"""`python -m bench.everyday --out now.json`: 300 everyday lines to a box with all that needs no other machine.

Right is the right tool with the right arguments (bench/everyday_judge.py). Each case finds a box on which nobody has
ever said anything, with its own clock and language. --no-model: what whole sentences and the classifier do alone, in a
few minutes; a line that is for the model counts as left. The outcomes go into --out as they come: a run that was ended
goes on where it was. --against compares them pair by pair with those of an earlier run, as bench.paired does.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from appliance import build
from appliance.audio import never
from appliance.errors import ApplianceError, PartMissing
from appliance.ports import LanguageModel
from appliance.records import TurnRecord
from appliance.settings import Settings
from bench import command, everyday_judge, exit_with, judge, paired, results
from bench.everyday_judge import Everyday
from bench.everything_on import NO_MODEL, Box, Home, home

KIND = "everyday"
ASKED = {"qwen2.5-coder-1.5b": 0.93, "qwen2.5-coder-0.5b": 0.85}
"""Model -> share of the lines that must be right."""
SENTENCES = "sentences"
"""What the rows call a run without a model."""
LANES = ("sentence", "model", "neither")
"""How a turn was taken: by whole sentences alone, in passes of the model, or by the classifier alone."""
WAYS = ("half", "language", "lane", "kind")
"""By which the outcomes are counted."""
Outcomes = paired.Outcomes


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    outcomes: Outcomes = json.loads(options.out.read_text()) if options.out and options.out.exists() else {}
    wanted = [case for case in everyday_judge.load() if case.name not in outcomes and _chosen(case, options)]
    with tempfile.TemporaryDirectory() as folder, home() as at_home:
        chosen = command.settings_of(Path(folder), config=options.config, profile=options.profile, model=options.model)
        row = results.head() | {"model": SENTENCES if options.no_model else chosen.thought.model}
        with _model(chosen, options.no_model) as (settings, model):
            row["tools"] = tools_on(at_home, settings, model)
            for case in sorted(wanted, key=lambda case: case.language):
                outcomes[case.name] = tried(case, at_home, settings, model)
                if options.out:
                    options.out.write_text(json.dumps(outcomes, indent=1))
    row |= summary(outcomes)
    print(report(row, outcomes, options.show))
    if options.against:
        print(paired.compared(outcomes, json.loads(options.against.read_text())))
    if options.write:
        print(results.save(row, f"{KIND}-{row['model']}"))
    return 0 if row["share"] >= ASKED.get(row["model"], 0.0) else 1


@contextmanager
def _model(chosen: Settings, without: bool) -> Iterator[tuple[Settings, LanguageModel]]:
    """One for all boxes, and the settings to ask it with: nothing is dropped for lack of time."""
    if without:
        yield chosen, NO_MODEL
        return
    unhurried = paired.unhurried(chosen)
    with build.parts(unhurried, build.clock(unhurried)) as parts:
        yield unhurried, parts.llm


def tools_on(at_home: Home, chosen: Settings, model: LanguageModel) -> dict[str, int]:
    """How many are on: that the model may call, and that whole sentences call besides."""
    first = everyday_judge.load()[0]
    with at_home.box(chosen, first.language, first.where.now, model) as box:
        return {"model": len(box.tools), "sentences": len(box.skills.commands())}


def tried(case: Everyday, at_home: Home, chosen: Settings, model: LanguageModel) -> dict[str, Any]:
    """What became of it, in the shape that bench.paired compares."""
    with at_home.box(chosen, case.language, case.where.now, model) as box:
        records, error = _answers(case, box)
        kept = everyday_judge.kept_by(box.settings, case.where.zone)
    last = records[-1] if records else None
    came_to = error or (everyday_judge.outcome(case, last, kept) if last else "failed")
    return {
        "kind": case.kind,
        "half": case.half,
        "language": case.language,
        "lane": lane(last) if last and not error else "model",
        "outcome": came_to,
        "faults": [] if came_to == "right" else [came_to],
        "never": [name for record in records for name in judge.forbidden(record)],
        "s": round(sum(record.ms.total or 0 for record in records) / 1000, 3),
        "fresh": sum(record.model.fresh_tokens for record in records),
        "calls": sum(record.model.calls for record in records),
        "turns": [[lane(record), record.ms.total or 0] for record in records],
        "steps": [[step.tool, step.arguments, step.outcome] for step in (last.steps if last else []) if step.tool],
        "said": [record.said for record in records],
    }


def _answers(case: Everyday, box: Box) -> tuple[list[TurnRecord], everyday_judge.Outcome | None]:
    """The records of its lines; "left" where one of them is for the model and there is none."""
    records = list[TurnRecord]()
    for line in case.say:
        try:
            if records:
                box.console.settle(never)
            records.append(box.console.answer(line))
        except PartMissing:
            return records, "left"
        except ApplianceError:
            return records, "failed"
    return records, None


def lane(record: TurnRecord) -> str:
    sentence, model, neither = LANES
    if record.model.calls:
        return model
    return sentence if record.lane == "fast" else neither


def summary(outcomes: Outcomes) -> dict[str, Any]:
    turns = [turn for each in outcomes.values() for turn in each["turns"]]
    return {
        "n": len(outcomes),
        "right": (right := sum(each["outcome"] == "right" for each in outcomes.values())),
        "share": round(right / max(1, len(outcomes)), 4),
        "never": dict(Counter(name for each in outcomes.values() for name in each["never"])),
        "ms": {name: results.spread([ms for of, ms in turns if of == name]) for name in LANES},
        "by": {way: _counted(outcomes, way) for way in WAYS},
    }


def _counted(outcomes: Outcomes, way: str) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for each in outcomes.values():
        counts.setdefault(each[way], Counter())[each["outcome"]] += 1
    return {name: dict(count.most_common()) for name, count in sorted(counts.items())}


def report(row: dict[str, Any], outcomes: Outcomes, show: Sequence[str]) -> str:
    """The counts, and the lines of `work` that came out as `show` says; those unseen are only counted."""
    lines = [
        f"{'/'.join([name, each['outcome']]):40} {each['steps']} {each['said'][-1:]}"
        for name, each in outcomes.items()
        if each["outcome"] in show and each["half"] == "work"
    ]
    for way, counts in row["by"].items():
        lines += ["", f"by {way}"]
        for name, count in counts.items():
            others = ", ".join(f"{came_to} {number}" for came_to, number in count.items() if came_to != "right")
            lines.append(f"  {name:14}{count.get('right', 0):4} of {sum(count.values()):<4} {others}")
    lines += ["", *(f"{name} turns, ms: {spread}" for name, spread in row["ms"].items())]
    lines.append(f"tools on: {row['tools']['model']} for the model, {row['tools']['sentences']} more for sentences")
    lines.append(f"never allowed, and seen: {row['never'] or 'none'}")
    lines.append(f"{row['model']}: {row['right']} of {row['n']} right ({row['share']:.1%})")
    return "\n".join(lines)


def _chosen(case: Everyday, options: argparse.Namespace) -> bool:
    picked = any(part in f"{case.name} {case.kind}" for part in options.only.split(","))
    return picked and options.half in (None, case.half)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("bench.everyday", __doc__, only="cases whose name or kind holds TEXT")
    parser.add_argument("--no-model", action="store_true", help="whole sentences and the classifier alone")
    parser.add_argument("--half", choices=["work", "unseen"], help="one of the two")
    parser.add_argument("--show", nargs="*", default=[], metavar="OUTCOME", help="print cases of work that ended so")
    parser.add_argument("--out", type=Path, help="keep the outcomes, and go on where it was")
    parser.add_argument("--against", type=Path, help="what an earlier run wrote")
    parser.add_argument("--write", action="store_true", help="keep the row in bench/results")
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
