"""The patterns of signs/*.yaml, compiled: en.yaml explains the sections."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache

from appliance.thought.languages import written_for

QUANTITY = "#"
"""Stands for a number or length before the patterns of a tool; twice for two of them."""


@dataclass(frozen=True)
class Patterns:
    evidence: dict[str, tuple[re.Pattern[str], int]]
    """Tool -> what speaks for it, and how many numbers do; 0 is none."""
    sources: dict[str, re.Pattern[str]]
    ruled_out: dict[str, re.Pattern[str]]
    wanted: dict[str, re.Pattern[str]]
    brief: dict[str, int]
    choices: dict[str, dict[str, dict[str, re.Pattern[str]]]]
    conditions: re.Pattern[str]
    personal: re.Pattern[str]
    recent: re.Pattern[str]
    asking: re.Pattern[str]
    whereabouts: re.Pattern[str]
    correcting: re.Pattern[str]
    lasting: re.Pattern[str]
    claiming: re.Pattern[str]
    retelling: re.Pattern[str]
    keeping: re.Pattern[str]
    amending: re.Pattern[str]
    telling: re.Pattern[str]
    views: re.Pattern[str]
    altering: re.Pattern[str]
    backing: re.Pattern[str]
    units: re.Pattern[str]
    day_hours: re.Pattern[str]
    places: re.Pattern[str]
    dates: re.Pattern[str]
    toward: re.Pattern[str]
    unplaced: re.Pattern[str]
    vague: re.Pattern[str]
    acts: re.Pattern[str]
    orders: re.Pattern[str]
    sudden: re.Pattern[str]


@cache
def patterns(language: str) -> Patterns | None:
    data = written_for(language, "signs")
    if data is None:
        return None
    return Patterns(
        evidence={tool: _evidence(text) for tool, text in data["evidence"].items()},
        sources=_table(data["sources"]),
        ruled_out={tool: _pattern("|\n".join(_list(texts))) for tool, texts in data["ruled_out"].items()},
        wanted=_table(data["wanted"]),
        brief=data["brief"],
        choices={
            tool: {name: _table(options) for name, options in arguments.items()}
            for tool, arguments in data["choices"].items()
        },
        **{each.name: _pattern(data[each.name]) for each in fields(Patterns) if each.type == "re.Pattern[str]"},
    )


def _list(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts


def _table(texts: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: _pattern(text) for name, text in texts.items()}


def _evidence(text: str) -> tuple[re.Pattern[str], int]:
    words = text.lstrip(QUANTITY)
    return _pattern(words.removeprefix("|")), len(text) - len(words)


def _pattern(text: str) -> re.Pattern[str]:
    """A line that ends in a bar goes on with the next one; any other end of a line is a blank."""
    line = text.replace("|\n", "|").replace("\n", " ")
    return re.compile(rf"(?<!\w)(?:{line})(?!\w)", re.IGNORECASE)
