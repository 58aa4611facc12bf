"""The tables of sentences/*.yaml as they are searched."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from hassil.expression import TextChunk
from hassil.intents import TextSlotList, TextSlotValue

_CHOICE = re.compile(r"\[(?P<optional>[^\]]*)\]|\((?P<one>[^)]*)\)")
_PART = re.compile(r"(?<!\?P)<(\w+)>")


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


def spelled(text: str) -> list[str]:
    """Every phrase of a list with commas, where "met(er|re)[s]" is short for meter, meters, metre and metres."""
    found = list[str]()
    for phrase in text.split(", "):
        parts = [part.split("|") for part in _CHOICE.sub(_marked, phrase).split("\0")]
        found += [" ".join("".join(each).split()) for each in product(*parts)]
    return found


def _marked(choice: re.Match[str]) -> str:
    """Between marks; what may be left out has nothing as one more choice."""
    return f"\0|{choice['optional']}\0" if choice["optional"] else f"\0{choice['one']}\0"


def patterns(table: Mapping[str, str], parts: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    """Each regular expression of a table, with `<name>` for one of `parts`, and what stands for it."""
    return [
        (re.compile(_PART.sub(lambda part: f"(?:{parts[part[1]]})", pattern), re.IGNORECASE), meant)
        for pattern, meant in table.items()
    ]


def replaced(text: str, table: Iterable[tuple[re.Pattern[str], str]]) -> str:
    """`text` with what each pattern finds replaced, in their order."""
    for pattern, meant in table:
        text = pattern.sub(meant, text)
    return text


def by_value(names: Mapping[str, int]) -> dict[str, str]:
    """The values of a list, from what each name stands for."""
    found = defaultdict[str, list[str]](list)
    for name, value in names.items():
        found[str(value)].append(name)
    return {value: ", ".join(same) for value, same in found.items()}


def fixed(name: str, values: Mapping[str, str]) -> TextSlotList:
    each = [TextSlotValue(TextChunk(f"{said} "), value) for value, names in values.items() for said in spelled(names)]
    return TextSlotList(name, each)


def by_edge(phrases: str, edge: int) -> dict[str, list[list[str]]]:
    """First (0) or last (-1) word -> the phrases with it there, the longest first."""
    found: dict[str, list[list[str]]] = {}
    for phrase in sorted((phrase.split() for phrase in spelled(phrases)), key=len, reverse=True):
        found.setdefault(phrase[edge], []).append(phrase)
    return found


def verbs(groups: list[dict[str, Any]]) -> dict[str, list[tuple[list[str], list[str]]]]:
    """First word -> what begins with it and what that means: each opening of a group before each of its verbs."""
    found: dict[str, list[tuple[list[str], list[str]]]] = {}
    for group in groups:
        for opening, (meant, said) in product(spelled(group["openings"]), group["verbs"].items()):
            for each in spelled(said):
                phrase = [*opening.split(), *each.split()]
                found.setdefault(phrase[0], []).append((phrase, meant.split()))
    return {word: sorted(phrases, key=lambda each: -len(each[0])) for word, phrases in found.items()}
