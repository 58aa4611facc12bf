"""What is to go on a list, all of it: a small model keeps "eggs" of six eggs, and "onions" of onions and carrots."""

from __future__ import annotations

import re

from appliance.thought.signs import Signs

MOST_WORDS = 5
"""Of one more thing; what is longer is a clause."""


def whole(item: str, signs: Signs) -> str:
    """`item` with how much of it was said, and with what was named together with it; `signs` are of the line."""
    found = re.search(rf"\b{re.escape(item)}\b", signs.digits, re.IGNORECASE)
    if not found:
        return item
    before, behind = signs.digits[: found.start()], signs.digits[found.end() :]
    amount = signs.words.amounts.search(before)
    return f"{amount[0] if amount else ''}{found[0]}{_more(behind, signs)}"


def _more(behind: str, signs: Signs) -> str:
    """The other things: up to where the list is named, or something else begins."""
    words = signs.words
    end = words.listed.search(behind)
    rest = behind[: end.start() if end else len(behind)].rstrip(" ,.;!?")
    first, *others = re.split(rf"(,? {words.adding.pattern} |, )", rest)
    more = ""
    for joint, thing in zip(others[::2], others[1::2], strict=True) if not first else ():
        if words.begins_request(thing) or words.subjects.match(thing):
            break
        if len(thing.split()) > MOST_WORDS:
            break
        more += f"{joint}{thing}"
    return more
