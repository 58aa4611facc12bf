"""The requests in a line that its steps left out: a small model takes one of three, and is done."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from appliance.reply.understanding.compound import left_out, requests
from appliance.reply.understanding.tools_meant import ToolSigns
from appliance.reply.work import Work


def missed(
    work: Work, language: str, read: Callable[[str], ToolSigns], lengthens: Callable[[str, str], bool]
) -> list[str]:
    """See left_out.  read: what the words of a part speak for.  lengthens: see `requests`."""
    if not work.calls or work.reckoned or work.asked or work.broken or work.signs.conditional:
        return []
    words, read = work.signs.words, cache(read)  # each part is held against each of the others

    def begins(part: str) -> bool:
        return words.begins_request(part) or bool(read(part).due)

    def meant(part: str) -> frozenset[str]:
        return (found := read(part)).meant or found.called_for

    parts = requests(work.signs.digits, language, begins, words.sudden, lengthens)
    left = left_out(parts, work.signs, work.done, work.words, meant, [call.tool for call in work.calls])
    return [part for part in left if begins(part)]
