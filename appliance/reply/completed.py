"""What a step lacked and was asked for, and the line that may be it."""

from __future__ import annotations

import re

from appliance.ports import Known, Tool
from appliance.reply.calls.ellipsis import THINGS
from appliance.reply.calls.grounding import AMOUNT, said_parameters
from appliance.reply.conversation import Pending
from appliance.reply.plan import Call
from appliance.reply.understanding.corrections import UPDATE, put_right
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.relevance import NOISE, among, telling
from appliance.reply.understanding.signs import Signs

_TOKEN = re.compile(r"[^\W\d_]+")
_AMOUNT = re.compile(rf"\W*(?P<number>(?:minus |-)?{NUMBER.pattern})(?: \w+)?(?: please)?\W*", re.IGNORECASE)


def completes(pending: Pending, tool: Tool, signs: Signs) -> bool:
    """Whether a line can be what a step lacks: where that is a number, one has to be said."""
    if pending.lacks == AMOUNT:
        return signs.bare and _AMOUNT.fullmatch(signs.digits) is not None
    counted = pending.lacks in said_parameters(tool)
    return bool(pending.lacks) and signs.bare and (signs.quantity or not counted)


def filled(pending: Pending, said: str, signs: Signs, memory: Known) -> Call:
    """The step with what was said for what it lacks; of a stored fact with what that is put right with."""
    if pending.call.tool == UPDATE and pending.lacks:
        known = next((each.text for each in memory.facts() if each.id == pending.call.arguments.get("id")), "")
        said = put_right(known, signs.digits, signs.words) or said
    number = _AMOUNT.fullmatch(signs.digits) if pending.lacks == AMOUNT else None
    return pending.filled(number["number"].replace("minus ", "-") if number else said)


def as_picked(call: Call, asked: str, signs: Signs) -> Call:
    """`call` for the thing that the line picks of those just asked about, where the model took another one.

    asked: "You have 2 of them: the rice timer and the fish timer. Which one?"  The line: "the fish one".
    """
    things = {name: str(value) for name, value in call.arguments.items() if name in THINGS}
    line = signs.words.requests.sub("", signs.digits)
    said = [word for word in _TOKEN.findall(line.casefold()) if not signs.words.hesitant.fullmatch(word)]
    named = _TOKEN.findall(asked.casefold().rpartition(". ")[0])
    picked = among((word for word in named if named.count(word) == 1 and word not in NOISE), said)
    more = {*said} - {*_TOKEN.findall(asked.casefold())} - {*among(said, picked)}  # "all but the fish"
    if len(things) != 1 or len(picked) != 1 or more:
        return call
    ((name, taken),) = things.items()
    other = telling(taken) & {*named} and not telling(taken) & {*said}
    return Call(call.tool, call.arguments | {name: picked[0]}) if other else call
