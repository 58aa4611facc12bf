"""How many things are on a list that was read: a small model miscounts from five on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.reply import prompt
from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import Patterns
from appliance.safety.fence import unfenced

READ_LIST = "read_list"
_BETWEEN = re.compile(r"[,;\n]\s+(?:and )?|\n")
_UNCLEAR = re.compile(r"[(:.\d]|\band\b")
"""Of what is between: one thing may be two, or the other way round."""


def counted(line: str, calls: Sequence[Call], results: Sequence[str], words: Patterns) -> str:
    """A note for the model; empty where nobody asks how many, or it is not clear where a thing ends: "fish and chips".

    calls: those of the turn.  results: the unread ones.
    """
    if len(results) != 1 or not calls or calls[-1].tool != READ_LIST or not words.counting.search(line):
        return ""
    things = things_in(results[0])
    return prompt.reckoned("items", count=len(things)) if things else ""


def things_in(text: str) -> list[str]:
    """What is on a list that was read; empty where there are not several, or it is not clear where one ends."""
    listed = unfenced(text).strip(" .\n")
    things = [thing.strip() for thing in _BETWEEN.split(listed.partition(":")[2] or listed) if thing.strip()]
    return things if len(things) > 1 and not any(map(_UNCLEAR.search, things)) else []
