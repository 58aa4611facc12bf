"""What a step lacked and was asked for, and the line that may be it."""

from __future__ import annotations

import re

from appliance.ports import Known, Tool
from appliance.thought.calls.grounding import AMOUNT, said_parameters
from appliance.thought.conversation import Pending
from appliance.thought.plan import Call
from appliance.thought.understanding.corrections import UPDATE, put_right
from appliance.thought.understanding.patterns import NUMBER
from appliance.thought.understanding.signs import Signs

_AMOUNT = re.compile(rf"\W*(?P<number>(?:minus |-)?{NUMBER.pattern})(?: \w+)?(?: please)?\W*", re.IGNORECASE)


def completes(pending: Pending, tool: Tool, signs: Signs) -> bool:
    """Whether a line can be what a step lacks: where that is a number, one has to be said."""
    if pending.lacks == AMOUNT:
        return signs.bare and _AMOUNT.fullmatch(signs.digits) is not None
    counted = pending.lacks in said_parameters(tool)
    return bool(pending.lacks) and signs.bare and (signs.quantity or not counted)


def filled(pending: Pending, said: str, signs: Signs, memory: Known) -> Call:
    """The step with what was said for what it lacks; of a stored fact with what that is put right with.

    Raises StoreUnusable.
    """
    if pending.call.tool == UPDATE and pending.lacks:
        known = next((each.text for each in memory.facts() if each.id == pending.call.arguments.get("id")), "")
        said = put_right(known, signs.digits, signs.words) or said
    number = _AMOUNT.fullmatch(signs.digits) if pending.lacks == AMOUNT else None
    return pending.filled(number["number"].replace("minus ", "-") if number else said)
