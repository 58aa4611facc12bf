"""What is passed on in words: a message, a text, a fact."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from appliance.ports import Tool
from appliance.reply.calls.grounding import RECIPIENT, texts_of
from appliance.reply.plan import Call
from appliance.reply.understanding.signs import Signs

WORDED = frozenset({"text", "message", "fact"})
"""Parameters that take what somebody says, however that begins."""
_UNHEARD = re.compile(r"://|www\.|\]\(|[<>`]")


def in_words(
    call: Call, tool: Tool, before: Sequence[str], found: Sequence[str], ground: Callable[[Sequence[str]], Call]
) -> Call:
    """`call` as `ground` leaves it, whose words may be made of what was found; whom they go to may not.

    before: what was said or known earlier.  ground: see `grounded`, given what a call can be made of.
    What the user is asked about before it is sent is sent as it was read back: without what no voice says.
    """
    own = ground(before)
    if tool.effect != "irreversible" or WORDED.isdisjoint(call.arguments) or not found:
        return own
    call = ground([*before, *found])
    call = call.without({RECIPIENT} - own.arguments.keys())
    return call.without({name for name, text in texts_of(call, tool).items() if unheard(text)})


def naming(found: Sequence[str], tool: Tool, signs: Signs) -> Sequence[str]:
    """What of it may say whom an order goes to that takes it up: all for "see who is on and tell them"."""
    order = signs.condition.order if signs.condition else ""
    return found if tool.effect != "irreversible" or signs.words.persons.search(order) else ()


def unheard(text: str) -> bool:
    """Whether it holds a link or markup: who hears it read back does not hear all of it."""
    return bool(_UNHEARD.search(text))
