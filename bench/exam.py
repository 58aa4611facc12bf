"""`python -m bench.exam`: what the real model writes in the lessons that no adapter was taught, by calls.

Each pass is read as it ought to have gone so far: what the model writes is compared with what an excellent one would,
and that goes on. Some 11 minutes on 2 EPYC cores.
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
    parser.add_argument("--taught", action="store_true", help="as many of those that were taught instead")
    options = parser.parse_args(argv)
    every = lessons.load(*sorted(lessons.FOLDER.glob("*.yaml")))
    chosen = [name for number, name in enumerate(every) if is_kept_back(number + options.taught)]
    chosen.sort(key=lambda name: evaluate.head_of(every[name].case(name)))
    pupil, counts = Pupil(), {"plan": Counter[str](), "final": Counter[str]()}
    with tempfile.TemporaryDirectory() as folder:
        for name, turn, _, _ in lessons.taken({name: every[name] for name in chosen}, pupil, Path(folder)):
            for asked, right, wrote in pupil.wrote:
                found = verdict(right, wrote)
                counts["final" if asked.startswith(lessons.FINAL) else "plan"][found] += 1
                if found != "same":
                    print(f"{name}  {turn.say!r}: {found}: {wrote!r}, not {right!r}", flush=True)
            pupil.wrote.clear()
    for step, count in counts.items():
        print(f"{step}: {count['same']} the same and {count['kind']} of the same kind, of {count.total()} passes")
    return 0


if __name__ == "__main__":
    exit_with(main)
