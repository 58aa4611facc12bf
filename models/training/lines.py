"""The lines that the classifier of tools learns from: the offers of the skills, and lines that mean no tool of theirs.

Beside this file: `none.tsv` has remarks and questions that call for no tool; `elsewhere.tsv` has what people ask of
skills that are not on board (lights, lists, music), by the skill's name, so that they are not taken for a timer and
can be refused. With a skill of that name comes its own offer, and its lines leave that file.
"""

from __future__ import annotations

import re
from pathlib import Path

from appliance.reply.understanding.intents import NONE
from appliance.skills.loader import on_board
from appliance.skills.written import Offers

HERE = Path(__file__).parent
LANGUAGE = "en"
"""Of what was written so far."""
ELSEWHERE, REMARKS = "elsewhere.tsv", "none.tsv"

Line = tuple[list[str], str]
"""Its tools, and what was said."""


def taught() -> list[Line]:
    """Each line once, with every tool that it is offered to, what it asks for elsewhere, or NONE."""
    tools: dict[str, dict[str, None]] = {}
    for folder, _ in on_board():
        for tool, lines in Offers(folder, LANGUAGE).items():
            for said in lines:
                tools.setdefault(said, {})[tool] = None
    for labels, said in rows(HERE / ELSEWHERE):
        tools.setdefault(said, {}).update(dict.fromkeys(each for each in labels if each != NONE))
    for _, said in rows(HERE / REMARKS):
        tools.setdefault(said, {NONE: None})
    return [([*each] or [NONE], said) for said, each in tools.items()]


def rows(path: Path) -> list[Line]:
    """Of a file with tools, a tab, what was said; + joins two that are called for, | two that would do."""
    parts = (row.partition("\t") for row in path.read_text("utf-8").splitlines() if row.strip())
    return [(re.split(r"[+|]", tools), said) for tools, _, said in parts]
