"""What a result decides of an order that hangs on it: whether it is due, which tool that is, what is said if not."""

from __future__ import annotations

from dataclasses import replace

from appliance.reply import prompt
from appliance.reply.phrases import Phrases
from appliance.reply.results.listing import READ_LIST
from appliance.reply.understanding.conditions import Conditional
from appliance.reply.understanding.relevance import cut, pieces, rank, words
from appliance.reply.understanding.tool_signs import ADDER
from appliance.reply.work import ACT, Verdict, Work
from appliance.safety.fence import unfenced
from appliance.safety.guard import spoken_or_none

FOUND_MAX_CHARS = 160
"""Of a result that is read out: two sentences, ten seconds."""
NUDGES = {True: "nudge_met", False: "nudge_unmet", None: "nudge_condition"}
"""Whether a condition is met -> what the model is told behind the result."""


def weighed(work: Work) -> tuple[Conditional | None, bool | None]:
    """What an order of the line hangs on, and whether what was just read says that it is so; None: that cannot be told.

    Where it is not so and the line has an order for that case, that one is the order from now on, and it is so. What
    was told once is not asked again of what the order itself gives.
    """
    condition = work.signs.condition
    if condition is None:
        return None, None
    if work.verdict and work.verdict.condition is condition:
        return condition, work.verdict.met
    met = _outcome(condition, work)
    if met is False and _turned(work):
        condition, met = work.signs.condition, True
    if condition and met is not None:
        work.verdict = Verdict(condition, met, calls=len(work.calls))
    return condition, met


def _outcome(condition: Conditional, work: Work) -> bool | None:
    found = "\n".join(work.unread)
    looked = work.calls[-1].tool if work.calls else ""
    met = condition.listed(found) if looked == READ_LIST else None
    return condition.met(found) if met is None else met


def _turned(work: Work) -> bool:
    """Whether the line has an order for the case that a condition is not met; that one is then the order."""
    condition = work.signs.condition
    if condition is None or not condition.alternative:
        return False
    other = replace(condition, order=condition.alternative, alternative="")
    alike = condition.order.split()[:1] == other.order.split()[:1]
    tools = work.signs.tools if alike else replace(work.signs.tools, ordered=frozenset())
    work.signs = replace(work.signs, condition=other, tools=tools)
    return True


def taking(work: Work) -> str:
    """The one tool that the order calls for which waited for a result, ACT where there may be another; none where it is
    to be told.
    """
    ordered, words = work.signs.tools.ordered & work.allowed.keys(), work.signs.words
    if _carried_out(work):
        return ""
    if len(ordered) == 1:
        return next(iter(ordered))
    order = work.signs.condition.order if work.signs.condition else ""
    return "" if words.orders.match(order) and not words.acts.match(order) else ACT


def remark(condition: Conditional | None, met: bool | None, work: Work, waiting: str) -> str:
    """What the model is told behind a result. waiting: the steps that need it."""
    if waiting:
        return prompt.instruction("nudge_steps", steps=waiting)
    if not work.signs.conditional or _carried_out(work):
        return prompt.instruction("nudge", heard=work.heard)
    name = "nudge_follows" if condition and condition.follows and met else NUDGES[met]
    test, order = (condition.test, condition.order) if condition else ("", "")
    return prompt.instruction(name, heard=work.heard, test=test, order=order)


def _carried_out(work: Work) -> bool:
    """Whether the order has run, and all that is left is to tell what came of it; a second search is one."""
    tools = work.signs.tools
    if work.verdict and not tools.ordered & work.allowed.keys():  # which tool that is nobody knows
        return len(work.calls) > work.verdict.calls
    return any(call.tool in tools.ordered for call in work.calls[len(tools.ordered & tools.finding) :])


def as_found(condition: Conditional, work: Work, phrases: Phrases) -> str:
    """What was found, in its own words, where it says that an order is not due; empty where it cannot be read out.

    A small model drops the figure on which it hung. Of more than one result it is left to the model what matters.
    """
    text = _flat(work.unread[0]) if len(work.unread) == 1 else ""
    found = _read_out(text, condition, work)
    adding = ADDER in work.signs.tools.ordered and work.calls[-1].tool == READ_LIST
    there = adding and _is_on_it(text, condition)
    return f"{found} {phrases.there_already if there else phrases.undone}" if found else ""


def _is_on_it(found: str, condition: Conditional) -> bool:
    """Whether one thing on a list, "Shopping list: milk, eggs", is all that was to be put on it."""
    _, _, listed = found.rpartition(":")
    things = ({word.removesuffix("s") for word in words(thing)} for thing in listed.split(","))
    wanted = {word.removesuffix("s") for word in condition.named}
    return bool(wanted) and any(wanted <= thing for thing in things)


def asked_upon(work: Work) -> str:
    """The sentence that was found to say so, before the question whether what hangs on it shall be done: whoever says
    yes to that has heard why. Empty where nobody can tell whether it is so, and of what the order itself passes on.
    """
    condition = work.verdict.condition if work.verdict and work.verdict.met else None
    if condition is None or condition.follows or len(work.results) != 1:
        return ""
    told = pieces(_flat(work.results[0]))
    nearest = rank(condition.test, told)
    return _read_out(told[nearest[0]] if nearest else told[0], condition, work) if told else ""


def asked_for_want(work: Work) -> str:
    """What was found, before a tool asks for what it was to take from that and did not get."""
    condition = work.signs.condition
    if condition is None or not condition.follows or len(work.results) != 1:
        return ""
    return _read_out(_flat(work.results[0]), condition, work)


def _flat(text: str) -> str:
    """A result on one line, without its fence."""
    return " ".join(unfenced(text).split())


def _read_out(text: str, condition: Conditional, work: Work) -> str:
    found = spoken_or_none(cut(text, condition.test, FOUND_MAX_CHARS), work.allowed) if text else None
    return f"{found[:1].upper()}{found[1:].rstrip(' .')}." if found else ""
