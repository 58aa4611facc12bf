"""`python -m bench.exam [FILES]`: what the real model writes in lessons that no adapter was taught, by calls.

Each pass is read as it ought to have gone so far: what the model writes is compared with what an excellent one would,
and that goes on. A turn is right where the engine lets that be, and the model writes the same tools or words in each
pass. Some 11 minutes on 2 EPYC cores; what was counted becomes a row of `bench/results/`, named after what was sat.

`bench/unseen/*.yaml` are weeks in strangers' houses that no adapter has read. Figures are of three of them together,
`boarding_house`, `canal_week` and `vets_house`; `island_week` is sat by itself, for a reason that stands at its head.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance import build
from appliance.audio import Stale
from appliance.ports import Grammar, LanguageModel, Message, Usage
from appliance.reply.grammar import PlanGrammar
from appliance.reply.plan import Call, read
from bench import command, evaluate, exit_with, lessons, results
from bench.tokens import is_kept_back

LONGEST_KIND = 150
"""Letters: a file's name has room for 255 bytes, of which day and machine take some."""


@dataclass
class Marks:
    plan: Counter[str] = field(default_factory=Counter)
    """Passes by verdict."""
    final: Counter[str] = field(default_factory=Counter)
    """Final memory steps by verdict."""
    turns: dict[str, bool] = field(default_factory=dict)
    """By the lesson and the place in it: whether the turn was right."""


class Pupil(lessons.Teacher):
    """A teacher that asks the model of the box first."""

    def __init__(self) -> None:
        super().__init__()
        self.wrote: list[tuple[str, str, str]] = []
        """The last line read, the text that is right, and what the model wrote."""

    def meet(self, parts: build.Parts) -> None:
        self._model: LanguageModel = parts.local_llm
        self.facts, self.rates = parts.local_llm.facts, parts.local_llm.rates
        super().meet(parts)

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        self._model.pin(heads)

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        (text,) = super().generate(prompt, grammar, limit, usage, stale)
        if isinstance(grammar, PlanGrammar):
            wrote = "".join(self._model.generate(prompt, grammar, limit, usage, stale))
            self.wrote.append((prompt[-1].text, text, wrote))
        yield text


def verdict(right: str, wrote: str) -> str:
    """same: the calls to the letter, or words where words are right; kind: the same tools; other."""
    ones, others = list(read([right])), list(read([wrote]))
    if [_kind(part) for part in ones] != [_kind(part) for part in others]:
        return "other"
    pairs = [(one, other) for one, other in zip(ones, others, strict=True) if isinstance(one, Call)]
    same = all(isinstance(other, Call) and lessons.same(one, other.tool, other.arguments) for one, other in pairs)
    return "same" if same else "kind"


def _kind(part: Any) -> str:
    return part.tool if isinstance(part, Call) else "words"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.exam", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="those of bench/lessons/ that are kept back unless given")
    parser.add_argument("--taught", action="store_true", help="as many of those that were taught instead")
    options = parser.parse_args(argv)
    every = lessons.load(*(options.files or sorted(lessons.FOLDER.glob("*.yaml"))))
    kept = [name for name in every if options.files or is_kept_back(name, past=int(options.taught))]
    kept.sort(key=lambda name: evaluate.head_of(every[name].case(name)))
    with tempfile.TemporaryDirectory() as folder:
        chosen = command.settings_of(Path(folder))
        row = results.new(chosen) | {"model": chosen.thought.model}
        row |= summary(sat({name: every[name] for name in kept}, Path(folder)))
    kind = kind_of(chosen.thought.model, options.files, options.taught)
    before = results.latest(kind)
    print(report(row))
    print(results.comparison(row, before))
    print(results.kept(row, kind))
    return 0


def kind_of(model: str, files: Sequence[Path], taught: bool) -> str:
    """Named after the files that were sat, as far as a file's name has room; of the lessons, what they were."""
    named = sorted(path.stem for path in files) or (["taught"] if taught else [])
    return "-".join(["exam", model, *named])[:LONGEST_KIND]


def summary(marks: Marks) -> results.Row:
    """What of the marks goes into the row."""
    right = sum(marks.turns.values())
    return {
        "n": len(marks.turns),
        "right": right,
        "share": round(right / max(1, len(marks.turns)), 4),
        "passes": {"plan": dict(marks.plan), "final": dict(marks.final)},
        "outcomes": {name: "ok" if good else "failed" for name, good in marks.turns.items()},
    }


def report(row: results.Row) -> str:
    lines = []
    for step, count in row["passes"].items():
        same, kind, every = count.get("same", 0), count.get("kind", 0), sum(count.values())
        lines.append(f"{step}: {same} the same and {kind} of the same kind, of {every} passes")
    return "\n".join([*lines, f"turns: {row['right']} right of {row['n']}, {row['share']:.1%}"])


def sat(chosen: dict[str, lessons.Lesson], folder: Path) -> Marks:
    """Prints what was not right."""
    pupil, marks, places = Pupil(), Marks(), Counter[str]()
    for name, turn, faults, _ in lessons.taken(chosen, pupil, folder):
        wrong = bool(faults)
        for fault in faults:
            print(f"{name}  {turn.say!r}: engine: {fault}", flush=True)
        for asked, right, wrote in pupil.wrote:
            found, final = verdict(right, wrote), asked.startswith(lessons.FINAL)
            (marks.final if final else marks.plan)[found] += 1
            wrong |= found == "other" and not final
            if found != "same":
                print(f"{name}  {turn.say!r}: {found}: {wrote!r}, not {right!r}", flush=True)
        places[name] += 1
        marks.turns[f"{name}.{places[name]}"] = not wrong
        pupil.wrote.clear()
    return marks


if __name__ == "__main__":
    exit_with(main)
