"""The tables of sentences/*.yaml as they are searched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hassil.expression import TextChunk
from hassil.intents import TextSlotList, TextSlotValue


def sums(money: dict[str, str]) -> re.Pattern[str]:
    notes, coins, but = money["notes"], money["coins"], money["except"]
    found = rf"\b(\d+) ({notes}) (?:{money['and']} )?(\d\d)\b(?: (?:{coins})\b)?(?! ?(?:{but}))"
    return re.compile(found, re.IGNORECASE)


def sentences(part: Any) -> Iterator[str]:
    """Every text in a part of the file, whatever it lies in."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for each in part.values():
            yield from sentences(each)
    elif isinstance(part, list):
        for each in part:
            yield from sentences(each)


def fixed(name: str, values: dict[str, str]) -> TextSlotList:
    each = [
        TextSlotValue(TextChunk(f"{said} "), value) for value, names in values.items() for said in names.split(", ")
    ]
    return TextSlotList(name, each)


def by_edge(groups: list[list[str]], edge: int) -> dict[str, list[list[str]]]:
    """First (0) or last (-1) word -> the phrases with it there, the longest first."""
    found: dict[str, list[list[str]]] = {}
    for phrase in sorted((phrase.split() for group in groups for phrase in group), key=len, reverse=True):
        found.setdefault(phrase[edge], []).append(phrase)
    return found


def verbs(groups: list[dict[str, Any]]) -> dict[str, list[tuple[list[str], list[str]]]]:
    """First word -> what begins with it and what that means: each opening of a group before each of its verbs."""
    found: dict[str, list[tuple[list[str], list[str]]]] = {}
    for group in groups:
        for opening in group["openings"]:
            for meant, said in group["verbs"].items():
                for each in said.split(", "):
                    phrase = [*opening.split(), *each.split()]
                    found.setdefault(phrase[0], []).append((phrase, meant.split()))
    return {word: sorted(phrases, key=lambda each: -len(each[0])) for word, phrases in found.items()}
