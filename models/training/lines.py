"""The lines that the classifier of tools learns from: the offers of the skills, and lines that mean no tool of theirs.

Beside this file, for each language: `none` has remarks and questions that call for no tool; `elsewhere` has what people
ask of skills that are not on board (lights, weather), by the skill's name, so that they are not taken for a timer and
can be refused. With a skill of that name comes its own offer, and its lines leave that file. `lookalikes` has lines in
the words of the reviewed sentences (fire, tablets, babies) that mean none of them, with what they do mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance.reply.line import ELSEWHERE
from appliance.reply.understanding.fastlane import FastLane
from appliance.reply.understanding.intents import NONE, buckets, tokens
from appliance.skills.loader import on_board, sentences_on_board
from appliance.skills.written import Offers

HERE = Path(__file__).parent
LANGUAGES = ("en", "de")
"""In which lines were written for every tool."""
WORLDLY = LANGUAGES[0]
"""In which lines were written that ask for general knowledge."""
KNOWN_LEAST = 2
"""Lines that a word is known from: what was said in one alone is as strange as what the box will hear."""

Line = tuple[list[str], str]
"""Its tools, and what was said."""


def taught(language: str) -> list[Line]:
    """Each line once, with every tool that it is offered to, what it asks for elsewhere, or NONE.

    One that a reviewed sentence answers has the name of that skill as well: it may mean any of them, and none clearly.
    """
    tools = _for_tools(language)
    for names, said in reviewed(language):
        tools.setdefault(said, {}).update(dict.fromkeys(names))
    for labels, said in rows(file("lookalikes", language)):
        tools.setdefault(said, {}).update(dict.fromkeys(each for each in labels if each != NONE))
    kinds = {label for labels, _ in rows(file("elsewhere", language)) for label in labels} - {NONE}
    return [
        ([*each, *([ELSEWHERE] if kinds & each.keys() else [])] or [NONE], in_digits(said, language))
        for said, each in tools.items()
    ]


def reviewed(language: str) -> list[Line]:
    """The lines that reviewed sentences answer: the sentence's name, which begins with its skill's, and the skill's."""
    return [
        ([tool, skill], said)
        for skill, offers in _offers(language)
        for tool, lines in offers.items()
        if tool.startswith(f"{skill}_")
        for said in lines
    ]


def file(kind: str, language: str) -> Path:
    """kind: `none`, `elsewhere`, `lookalikes`, or `unseen`, which is only measured on."""
    return HERE / f"{kind}.{language}.tsv"


BY_THE_PRIOR = {"documents", "encyclopedia"}
"""Skills whose lines are none of the classifier's: what asks something of the world is labelled NONE for it, and taught
both it offered neither (2026-11-28). The prior, which knows their offers alone, finds them."""


def _offers(language: str) -> Iterator[tuple[str, Offers]]:
    """Each skill on board that is taught, with its offers; one may have none."""
    for folder, _ in on_board():
        if folder.name not in BY_THE_PRIOR and (folder / "offer" / f"{language}.yaml").is_file():
            yield folder.name, Offers(folder, language)


def _for_tools(language: str) -> dict[str, dict[str, None]]:
    """Line -> the tools or skills that it calls for."""
    tools: dict[str, dict[str, None]] = {}
    answering = {names[0] for names, _ in reviewed(language)}
    for _, offers in _offers(language):
        for tool, lines in offers.items():
            for said in lines if tool not in answering else ():
                tools.setdefault(said, {})[tool] = None
    for labels, said in rows(file("elsewhere", language)):
        tools.setdefault(said, {}).update(dict.fromkeys(each for each in labels if each != NONE))
    for _, said in rows(file("none", language)):
        tools.setdefault(said, {NONE: None})
    return tools


def of_the_world() -> list[Line]:
    """Each line that asks for general knowledge with what it asks, and with NONE all others that were read for it."""
    asked = rows(HERE / "world.tsv")
    listed = {said.casefold() for _, said in asked}
    others = (said for said in _for_tools(WORLDLY) if said.casefold() not in listed)
    lines = [*asked, *(([NONE], said) for said in others)]
    return [(labels, in_digits(said, WORLDLY)) for labels, said in lines]


def in_digits(said: str, language: str) -> str:
    """A line with its numbers in digits, as the box has it where it reads it."""
    return _sentences(language).in_digits(said)


@cache
def _sentences(language: str) -> FastLane:
    return FastLane(language, sentences=sentences_on_board())


def known(lines: Sequence[Line]) -> NDArray[np.bool_]:
    """Buckets of the words that are in enough of the lines."""
    lines_with = Counter(word for _, said in lines for word in set(tokens(said)))
    return buckets(word for word, count in lines_with.items() if count >= KNOWN_LEAST)


def rows(path: Path) -> list[Line]:
    """Of a file with tools, a tab, what was said; + joins two that are called for, | two that would do."""
    parts = (row.partition("\t") for row in path.read_text("utf-8").splitlines() if row.strip())
    return [(re.split(r"[+|]", tools), said) for tools, _, said in parts]
