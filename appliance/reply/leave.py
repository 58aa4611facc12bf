"""Whether a step needs nobody's leave, since the line itself orders it."""

from __future__ import annotations

import re

from appliance.reply.plan import Call
from appliance.reply.work import Work

FRAME = frozenset({"the", "user", "s", "is"})
"""What a model puts around the words that it is to remember: "my bike" is "the user's bike"."""
_WORDS = re.compile(r"\w+")


def ordered(call: Call, work: Work) -> bool:
    """Whether the line itself orders it, word for word: nothing that was read in an earlier turn has put it there."""
    if work.results or call.tool not in work.signs.tools.due | {work.must}:
        return False
    line = set(_WORDS.findall(f"{work.record.heard} {work.signs.digits}".casefold()))
    written = set(_WORDS.findall(" ".join(map(str, call.arguments.values())).casefold()))
    return call == work.ready or written - FRAME <= line
