"""Holds what the model put into a call against what was said and found, and takes out what has no source.

An argument that nobody gave is removed, so that the tool asks for it: a wrong one would be acted upon. Three rules, for
every tool alike: a number that must be said was said; a length is one that was said; the words of a text that a tool
acts on were said, known or found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.language.digits import NUMBER, numbers_in, plain_number
from appliance.language.durations import Length
from appliance.language.stopwords import EMPTY
from appliance.ports import Tool
from appliance.reply.plan import Call
from appliance.reply.select import said_parameters, when_parameters
from appliance.reply.understanding.relevance import among, words

SAID_SHARE = 0.5
"""Of the words of a text that have a meaning: so many must have been said. A judgement: a word may be the model's."""
SECONDS = {"hours": 3_600, "minutes": 60, "seconds": 1}
"""Parameters that are one length together."""
_SIGNS = re.compile(r"[^\W\d_]")


LengthsIn = Callable[[str], Sequence[Length]]
"""All the lengths of time that a text names."""
TimesIn = Callable[[str], Sequence[str]]
"""The words of each time that a line may tell, that of the longest first."""


@dataclass(frozen=True)
class Sources:
    """Where the values of a call may come from."""

    said: str
    """The line, with its numbers in digits."""
    line: str = ""
    """The line as it was said."""
    known: Sequence[str] = ()
    """Facts beside the line, and what the box said last."""
    earlier: Sequence[str] = ()
    """Earlier lines of the conversation and what is known of the user: words may come from there, numbers may not."""
    results: Sequence[str] = ()
    """What tools gave in this turn."""

    @property
    def counted(self) -> str:
        """What a number may come from."""
        return " ".join([self.said, *self.known, *self.results])

    @property
    def text(self) -> str:
        """What a word may come from."""
        return " ".join([self.counted, *self.earlier])


def grounded(
    call: Call, tool: Tool, sources: Sources, lengths_in: LengthsIn, times_in: TimesIn = lambda line: ()
) -> Call:
    """`call` with nothing in it that has no source; with the length and time that were said, where it has others."""
    given = {name: value for name, value in call.arguments.items() if value != ""}
    given = _times(_lengths(given, tool, sources, lengths_in, times_in), tool, sources, times_in)
    must_be_said = said_parameters(tool) - SECONDS.keys()
    kept = {name: value for name, value in given.items() if name not in must_be_said or _counted(value, sources)}
    acts = tool.effect != "read"
    return Call(
        call.tool,
        {
            name: value
            for name, value in kept.items()
            if not _is_free_text(tool, name) or _said(str(value), sources, acts)
        },
    )


def _lengths(
    given: dict[str, Any], tool: Tool, sources: Sources, lengths_in: LengthsIn, times_in: TimesIn
) -> dict[str, Any]:
    """Without a length that nobody said; half past six is none. One taken apart wrongly is put right: "90 minutes"."""
    parts = given.keys() & SECONDS.keys() & said_parameters(tool)
    if not parts:
        return given
    rest = {name: value for name, value in given.items() if name not in parts}
    if not all(isinstance(given[name], int | float) for name in parts):
        return rest
    total = sum(given[name] * SECONDS[name] for name in parts)
    now = lengths_in(sources.said)
    known = now or [length for text in (*sources.results, *sources.known) for length in lengths_in(text)]
    if any(abs(length.total_s - total) < 1 for length in known):
        return given
    if len(now) == 1:
        return {**now[0].parts, **rest}
    numbers = set() if times_in(sources.line) else numbers_in(sources.said)
    counted = all(plain_number(f"{given[name]:g}") in numbers for name in parts)
    return given if counted else rest  # "make it ten": the unit is open, the number is said


def _times(given: dict[str, Any], tool: Tool, sources: Sources, times_in: TimesIn) -> dict[str, Any]:
    """With the words that were said for when, whatever the model made of them: its reckoning may be wrong."""
    for name in given.keys() & when_parameters(tool):
        wrote, said = str(given[name]), times_in(sources.line)
        if _all_said(wrote, sources) and (not said or any(each.casefold() in wrote.casefold() for each in said)):
            continue
        given = {each: value for each, value in given.items() if each != name} | ({name: said[0]} if said else {})
    return given


def _all_said(text: str, sources: Sources) -> bool:
    """Whether each word and number of `text` was said or known."""
    numbers, meaning = numbers_in(text), set(words(text))
    known = bool(numbers or meaning) and meaning <= set(words(sources.text))
    return known and numbers <= numbers_in(sources.text)


def _counted(value: Any, sources: Sources) -> bool:
    """Whether a number was said; of an expression, whether any was: its other numbers may be reckoned from it."""
    if isinstance(value, int | float):
        return plain_number(f"{value:g}".lstrip("-")) in numbers_in(sources.counted)
    return NUMBER.search(sources.counted) is not None


def _is_free_text(tool: Tool, name: str) -> bool:
    part = tool.schema.get("properties", {}).get(name, {})
    return part.get("type") == "string" and "enum" not in part and name not in said_parameters(tool)


def _said(value: str, sources: Sources, acts: bool) -> bool:
    """Whether a text has a source. Of a tool that only reads one word is enough: a query may be in other words."""
    meaning = [word for word in words(value) if word not in EMPTY]
    if not meaning:
        return bool(_SIGNS.search(value)) or numbers_in(value) <= numbers_in(sources.counted)
    held = among(meaning, words(sources.text))
    return len(held) >= SAID_SHARE * len(meaning) if acts else True
