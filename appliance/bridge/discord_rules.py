"""Who may talk with the box over Discord and as whom, and how an answer fits its messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from appliance.settings import Discord

Who = Literal["owner", "guest"]

MESSAGE_CHARS = 2_000
"""Of one message (Discord, "Create Message")."""
_BREAKS = ("\n", r"(?<=[.!?])\s", r"\s")
"""Where an answer may be broken, the best first; behind these wherever it must."""


def who(chosen: Discord, user: int, direct: bool) -> Who | None:
    """As whom a user talks, by their id alone; None: with nobody.

    direct: in a message to the box alone. Elsewhere others read the answer, so that the owner is a guest there too.
    """
    if str(user) in chosen.owners:
        return "owner" if direct else "guest"
    return "guest" if chosen.anyone or str(user) in chosen.guests else None


def line_of(content: str, names: Mapping[int, str], own: int) -> str:
    """What was said, without the mention of the box itself.  names: id -> name of the others who are mentioned."""

    def named(mention: re.Match[str]) -> str:
        user = int(mention[1])
        return "" if user == own else f"@{names.get(user, 'somebody')}"

    return re.sub(r"<@!?(\d{1,20})>", named, content).strip()


def split(answer: str, most: int = MESSAGE_CHARS) -> Iterator[str]:
    """In pieces of at most `most` characters, broken behind a line, a sentence or a word where there is one."""
    rest = answer.strip()
    while len(rest) > most:
        cut = next(filter(None, (_last(pattern, rest, most) for pattern in _BREAKS)), most)
        yield rest[:cut].rstrip()
        rest = rest[cut:].lstrip()
    if rest:
        yield rest


def _last(pattern: str, text: str, most: int) -> int:
    """Where it is found last so that no more than `most` characters stand before; 0 where it is not."""
    return max((found.start() for found in re.finditer(pattern, text[: most + 1])), default=0)
