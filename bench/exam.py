"""`python -m bench.exam [FILES]`: what the real model writes in lessons that no adapter was taught, by calls.

Each pass is read as it ought to have gone so far: what the model writes is compared with what an excellent one would,
and that goes on. A turn is right where the engine lets that be, and the model writes the same tools or words in each
pass. Some 11 minutes on 2 EPYC cores; `bench/unseen/*.yaml` are weeks in strangers' houses that no adapter has read.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from appliance import build
from appliance.audio import Stale
from appliance.ports import Grammar, LanguageModel, Message, Usage
from appliance.thought.plan import Call, read
from bench import evaluate, exit_with, lessons
from bench.tokens import is_kept_back


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
        if grammar is not None:
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
        counts = sat({name: every[name] for name in kept}, Path(folder))
    for step in ("plan", "final"):
        count = counts[step]
        print(f"{step}: {count['same']} the same and {count['kind']} of the same kind, of {count.total()} passes")
    print(f"turns: {counts['turns']['right']} right of {counts['turns'].total()}")
    return 0


def sat(chosen: dict[str, lessons.Lesson], folder: Path) -> dict[str, Counter[str]]:
    """Verdicts of the plan's passes and of the final step's, and how many turns were right; prints what was not."""
    pupil, counts = Pupil(), {name: Counter[str]() for name in ("plan", "final", "turns")}
    for name, turn, faults, _ in lessons.taken(chosen, pupil, folder):
        wrong = bool(faults)
        for fault in faults:
            print(f"{name}  {turn.say!r}: engine: {fault}", flush=True)
        for asked, right, wrote in pupil.wrote:
            found, final = verdict(right, wrote), asked.startswith(lessons.FINAL)
            counts["final" if final else "plan"][found] += 1
            wrong |= found == "other" and not final
            if found != "same":
                print(f"{name}  {turn.say!r}: {found}: {wrote!r}, not {right!r}", flush=True)
        counts["turns"]["wrong" if wrong else "right"] += 1
        pupil.wrote.clear()
    return counts


if __name__ == "__main__":
    exit_with(main)
