"""What an excellent model would write, through the real engine with a teacher for a model.

    python -m models.training.lessons [FILES]

The lessons were written by some sixty strangers to the written cases, with what ought to be written in each pass. They
show without any model, in two minutes, what the engine keeps even an excellent one from: a tool that is not
offered, a call that is not run as it was written. They are also what a model can be taught with.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, field_validator

from appliance import build
from appliance.audio import Stale
from appliance.errors import CannotBeDone
from appliance.ports import Grammar, Message, ModelFacts, Rates, Spoken, Usage
from appliance.records import TurnRecord
from appliance.reply.plan import SAY, SPEECH, Call, parse
from appliance.reply.sentence import SentenceGrammar
from appliance.settings import Settings
from bench import command, evaluate, exit_with
from bench.cases import Case, Entry, Situation, Turn
from bench.everything_on import AlwaysReady, home

FOLDER = Path(__file__).with_name("lessons")
NOTHING = "nothing()"
FINAL = "[over. did the user tell"
"""How the final memory step begins (appliance/reply/prompts/final.txt)."""
RAN = ("ok", "unconfirmed")
"""How a step ends that was right: run, or asked about first."""


class Say(Entry):
    """One line, and what the model ought to write: a text for each of its passes."""

    say: str = Field(min_length=1)
    write: tuple[str, ...] = ()
    final: str = NOTHING
    """In the final memory step, if there is one. id=1 is the first fact of the lesson."""

    @field_validator("write", mode="before")
    @classmethod
    def _one_or_more(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Lesson(Situation):
    """A conversation, and what it begins with (bench/cases/open.yaml)."""

    turns: tuple[Say, ...] = Field(min_length=1)

    def case(self, name: str) -> Case:
        """What it is to the engine."""
        shared = {key: getattr(self, key) for key in Situation.model_fields}
        turns = tuple(Turn(say=turn.say) for turn in self.turns)
        return Case(name=name, kind="lesson", file="lessons", turns=turns, **shared)


class Practised(AlwaysReady):
    """As if there were what a lesson speaks of, for none says what is kept: a call is right as it is written."""

    def call(self, arguments: dict[str, Any]) -> str:
        try:
            return super().call(arguments)
        except CannotBeDone:
            return Spoken("That is done.")


@dataclass
class Teacher:
    """A `LanguageModel` that writes what it is told to, and keeps what it was asked."""

    texts: list[str] = field(default_factory=list)
    final: str = NOTHING
    faults: list[str] = field(default_factory=list)
    passes: list[tuple[list[Message], str]] = field(default_factory=list)
    facts, rates, trouble = ModelFacts(1_500_000_000, 32_768, tools=True, taught=True), Rates(80, 20), ""

    def meet(self, parts: build.Parts) -> None:
        """Be the model of that appliance."""
        parts.llm = self

    def begin(self, turn: Say, before: int) -> None:
        """Have the texts of this turn ready.  before: the highest id of a fact when the lesson began."""
        number = re.compile(r"\bid=(\d+)")
        texts = [number.sub(lambda found: f"id={int(found[1]) + before}", text) for text in (*turn.write, turn.final)]
        *self.texts, self.final = (text.strip() for text in texts)
        self.faults, self.passes = [], []

    def pin(self, heads: Sequence[Sequence[Message]]) -> None: ...

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None: ...

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        text = self._text(prompt)
        if isinstance(grammar, SentenceGrammar):  # the model as its makers left it answers that: it is taught nothing
            usage.doubt = 0.0
            yield text.removeprefix(SAY)
            return
        if grammar is None:
            self.faults.append("a long text is asked about, and no lesson is on that")
        else:
            offered = set(re.findall(r"\w+", grammar.gbnf))
            lines = (line for line in text.splitlines() if re.split(r"[( ]", line)[0] not in offered)
            self.faults += [f"not offered here: {line}" for line in lines]
        self.passes.append((list(prompt), text))
        yield text

    def _text(self, prompt: Sequence[Message]) -> str:
        asked = prompt[-1].text
        if asked.startswith(FINAL):
            return self.final
        if text := self._talk_after_all(prompt):
            return text
        if self.texts:
            return self.texts.pop(0)
        self.faults.append(f"one more pass, and no text for it; it reads: {asked!r}")
        return "say I see."

    def _talk_after_all(self, prompt: Sequence[Message]) -> str:
        """The words of the first pass, where they are written anew behind the head of talk (pen.py); or none."""
        if len(self.passes) != 1:
            return ""
        read, text = self.passes[0]
        return text if read[0] != prompt[0] and text.startswith(tuple(SPEECH)) else ""

    def close(self) -> None: ...


def load(*paths: Path) -> dict[str, Lesson]:
    """By name: of the file, and the place in it. Raises pydantic's ValidationError, which names the entry."""
    return {
        f"{path.stem}-{number}": Lesson.model_validate(entry)
        for path in paths
        for number, entry in enumerate(yaml.safe_load(path.read_text("utf-8")), 1)
    }


def taken(
    lessons: dict[str, Lesson], teacher: Teacher, folder: Path
) -> Iterator[tuple[str, Say, list[str], list[str]]]:
    """Each turn of each lesson, what of it could not be used, and what was not run as it was written.

    Every skill is on: bench/everything_on.py, which starts an mpd.
    """
    with home() as at_home:
        chosen = at_home.connected(evaluate.patient(command.settings_of(folder)))
        yield from _each(lessons, teacher, chosen)


def _each(
    lessons: dict[str, Lesson], teacher: Teacher, chosen: Settings
) -> Iterator[tuple[str, Say, list[str], list[str]]]:
    with build.parts(chosen, build.clock(chosen, next(iter(lessons.values())).now)) as parts:
        teacher.meet(parts)
        stage, highest = evaluate.Stage(parts, chosen, Practised), 0
        for name, lesson in lessons.items():
            console, before = stage.prepared(lesson.case(name)), highest
            for turn in lesson.turns:
                teacher.begin(turn, before)
                record = console.ask(turn.say)
                highest = max([highest, *(fact.id for fact in parts.memory.facts())])
                left = [f"not asked for, {record.lane} lane: {text}" for text in unwritten(teacher.texts, record)]
                faults = [*teacher.faults, *left, *failed(record, lesson)]
                yield name, turn, faults, [] if faults else altered(turn.write, record)


def unwritten(texts: Sequence[str], record: TurnRecord) -> list[str]:
    """Those of the texts that nobody asked for, but for calls that were run without the model."""

    def done(line: str) -> bool:
        call = parse(line)
        return call is not None and was_run(call, record)

    return [text for text in texts if not all(done(line) for line in text.splitlines())]


def failed(record: TurnRecord, lesson: Lesson) -> list[str]:
    """The steps that were not run, but for tools that the lesson lets fail, and one that asked for what it lacked."""
    fails = {result.tool for result in lesson.results if result.fails}
    ran = (*RAN, "error") if record.outcome == "asked" else RAN
    steps = (step for step in record.steps if step.tool and step.outcome not in ran)
    return [f"{step.tool}: {step.outcome}" for step in steps if step.outcome != "error" or step.tool not in fails]


def altered(texts: Sequence[str], record: TurnRecord) -> list[str]:
    """What was written and not run so. A call that the engine adds is no fault, nor an update in place of a memory."""
    ran = [Call(step.tool, step.arguments).text for step in record.steps if step.tool]
    written = [call for text in texts for line in text.splitlines() if (call := parse(line))]
    return [f"written {call.text}, run {'; '.join(ran) or 'nothing'}" for call in written if not was_run(call, record)]


def was_run(call: Call, record: TurnRecord) -> bool:
    """See `same`."""
    return any(same(call, step.tool, step.arguments) for step in record.steps if step.tool)


def same(call: Call, tool: str, arguments: dict[str, object]) -> bool:
    """Whether it is the call as it was written, but for capitals, articles, and what the words of the line add."""
    if (call.tool, tool) == ("remember", "update_memory"):
        arguments = {"fact": arguments.get("fact")}
    elif call.tool != tool:
        return False
    return all(_plain(arguments.get(name)) == _plain(value) for name, value in call.arguments.items())


def _plain(value: object) -> str:
    number = f"{value:g}" if isinstance(value, int | float) else str(value)
    return re.sub(r"\b(the|a|an|my)\b|\W+", " ", number.casefold()).strip()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.training.lessons", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="all of lessons/ unless given")
    options = parser.parse_args(argv)
    lessons, turns, unfit, changed = load(*(options.files or sorted(FOLDER.glob("*.yaml")))), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, turn, faults, alterations in taken(lessons, Teacher(), Path(folder)):
            turns, unfit, changed = turns + 1, unfit + bool(faults), changed + bool(alterations)
            for fault in [*faults, *alterations]:
                print(f"{name}  {turn.say!r}: {fault}")
    print(f"{len(lessons)} lessons, {turns} turns: {unfit} could not be as written, {changed} were not run as written")
    return 0


if __name__ == "__main__":
    exit_with(main)
