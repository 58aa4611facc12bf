"""The box's own sentences, in the language it speaks (`wording/`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from appliance.reply import prompt
from appliance.reply.languages import written_for
from appliance.reply.line import ELSEWHERE
from appliance.reply.understanding.published import published

Asks = Mapping[str, Mapping[str, str]]
"""Tool -> argument -> the question for it."""


@dataclass(frozen=True)
class Phrases:
    no_answer: str
    """Silence is never an outcome of a turn."""
    cannot: str
    """Of what no tool here does."""
    cannot_at_all: str
    """The same, where it is not clear what it would need."""
    broke: str
    """A tool failed in a way it has no words for."""
    late: str
    """A tool did not come back in time."""
    guessed: str
    """An answer that is likely right, and not certainly."""
    unknown: str
    """Of the world at large."""
    unheard_of: str
    """The same, of a thing that hardly anybody knows."""
    evasions: list[str]
    """In lower case: how an answer begins that is none."""
    garbled: str
    """The model wrote what is not for the ear."""
    yes: str
    no: str
    """The two answers to a question that asks for leave, as they are shown."""
    left_alone: str
    """The answer to "no" when asked for leave."""
    hidden: str
    """In place of a secret that was taken out of a line."""
    unkept: str
    """Behind the sentence of a tool that kept such a line."""
    not_later: str
    """Of an order for a later time that no sentence knows: it is done neither now nor then."""
    not_there: str
    """Of what only the device that somebody stands before could do, and it brought no tool for that."""
    not_yours: str
    """To a question that only what belongs to somebody else would answer."""
    unclear: str
    """To a line that wants something done or looked up, and nobody knows what."""
    not_understood: str
    """Of an order whose time has come, and that is no whole sentence any more."""
    missing: str
    """Asks for an argument that a step lacks, where its skill has no question for it."""
    caveat: str
    """Before what is known when a turn ends without an answer."""
    never: list[str]
    """In lower case: how nobody speaks to the one who is meant."""
    promises: list[str]
    """In lower case: says that something will be done, which only a call does."""
    deeds: list[str]
    """In lower case: says that something was done which only a call does."""
    lacks: dict[str, str] = field(default_factory=dict)
    """Of a language that has no such file, what is told at the start: by whether it has published sentences."""

    absent: dict[str, str] = field(default_factory=dict)
    """Skill that people ask for and the box lacks -> what is said for it, if not as prompts/cannot.yaml has it."""

    language: str = "en"
    asks: Asks = field(default_factory=dict)
    """The questions of the skills."""

    def cannot_without(self, skill: str) -> str:
        """Refuses what would need a skill that is not here; ELSEWHERE: one that has no name."""
        if skill == ELSEWHERE:
            return self.cannot_at_all
        return self.cannot.format(what=self.absent.get(skill) or prompt.absent(skill))

    def what_is(self, tool: str, argument: str) -> str:
        """Asks for an argument that a step lacks."""
        asked = self.asks.get(tool, {}).get(argument)
        return asked or self.missing.format(argument=argument.replace("_", " "))


@cache
def phrases(language: str) -> Phrases:
    """English for a language that has no file; without the questions of the skills."""
    return Phrases(**(written_for(language, "wording") or written_for("en", "wording") or {}), language=language)


def language_lack(language: str) -> str:
    """What to tell of a language whose wording is not here, and what to do; empty where nothing lacks."""
    if written_for(language, "wording"):
        return ""
    return phrases(language).lacks["published" if published(language) else "none"]


def sentence(what: str) -> str:
    """A text as it is said: with a capital and a full stop."""
    return what[:1].upper() + what[1:] + ("" if what.endswith((".", "!", "?")) else ".")
