"""`python -m bench.quiz`: questions of the world at large: what the box knows, and whether it owns up to the rest.

Of each file of `models/training/questions/` 150 questions have an answer, 60 are about things that do not exist, and 40
about what is new, local or private. Some ten minutes for both on 2 EPYC cores; what was counted becomes a row of
`bench/results/`.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench import command, evaluate, exit_with, judge, results
from bench.cases import Case, Turn
from models.training.questions import FILES, Question, questions

HEDGED = re.compile(r"\b(i think|(my|a|i would|i should) guess|may be wrong)\b", re.IGNORECASE)


def verdict(question: Question, said: str) -> str:
    """right, wrong, either of them "as a guess", or declined; of what nobody can know there is nothing right."""
    plain = said.replace("’", "'")
    if question.key and re.search(question.key, plain.casefold()):
        found = "right"
    elif judge.admits(said) and not HEDGED.search(plain):
        return "declined"
    else:
        found = "wrong"
    return f"{found}, as a guess" if HEDGED.search(plain) else found


def asked(rows: Sequence[Question]) -> list[Case]:
    """Each in a conversation of its own, and nothing is known of anybody."""
    return [
        Case(name=f"quiz-{number}", kind="quiz", file="open", turns=(Turn(say=row.say),))
        for number, row in enumerate(rows, 1)
    ]


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    rows = [row for row in questions(options.files) if options.only in row.say]
    counts = dict[str, Counter[str]]()
    with tempfile.TemporaryDirectory() as folder:
        chosen = command.settings_of(Path(folder), config=options.config, profile=options.profile, model=options.model)
        kept = results.new(chosen) | {"model": chosen.thought.model}
        print(results.heading(kept), end="\n\n")
        for row, trial in zip(rows, evaluate.run(asked(rows), evaluate.patient(chosen)), strict=True):
            said = trial.records[0].said if trial.records else ""
            found = verdict(row, said)
            counts.setdefault(row.unknowable or "known", Counter())[found] += 1
            print(f"{found:17} {row.say}\n{'':17} {said}", flush=True)
    kept |= {"n": len(rows), "verdicts": {kind: dict(found) for kind, found in counts.items()}}
    print(report(kept))
    if not options.only:
        print(results.kept(kept, "-".join(["quiz", chosen.thought.model, *options.files])))
    return 0


def report(row: results.Row) -> str:
    lines = []
    for kind, found in row["verdicts"].items():
        told = ", ".join(f"{count} {name}" for name, count in Counter(found).most_common())
        lines.append(f"{kind}, of {sum(found.values())}: {told}")
    return "\n".join(["", *lines])


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("bench.quiz", __doc__, only="questions that hold TEXT")
    parser.add_argument("--files", nargs="+", choices=FILES, default=list(FILES))
    return parser.parse_args(argv)


if __name__ == "__main__":
    exit_with(main)
