"""A line that needs the call before it.

It may only give another number: "what is 15 percent of 80", "and of 240". A small model reckons with the answer
instead: 240 percent of 12. Or another length, "no, 35", which it adds to the one before. Or it asks more of what was
looked up: "are they Irish". A small model looks up Irish.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.language.quantities import decimal
from appliance.reply.calls.grounding import DAY, PLACE, QUERY
from appliance.reply.plan import Call
from appliance.reply.understanding.conversions import CONVERTER
from appliance.reply.understanding.corrections import names
from appliance.reply.understanding.patterns import NUMBER, Patterns
from appliance.reply.understanding.relevance import telling
from appliance.reply.understanding.signs import Signs
from appliance.reply.understanding.tool_signs import CALCULATE, ELSEWHERE

LOUDNESS = "set_volume"
AT_HOME = frozenset({"home_set", "home_state"})
"""Tools of things that can be turned up and down as well."""
SETTERS = frozenset({"set_timer", "adjust_timer"})
"""Tools that give a timer its length."""
THINGS = frozenset({"device", "what", "label", "item", "list", "query", "door", "topic"})
"""Parameters that take the name of something."""
LENGTHS = ("hours", "minutes", "seconds")
"""Parameters of the tools that set timers."""
_SHARE = re.compile(rf"(?P<share>{NUMBER.pattern})(?P<between> ?% of )(?P<whole>{NUMBER.pattern})")


def elliptic(calls: Sequence[Call], signs: Signs) -> list[Call]:
    """The call of the turn before with another number or length, or for here, where that is all that the line gives."""
    number = again(calls, signs.digits, signs.words.again, signs.words.percent)
    call = number or lengthened(calls, signs.digits, signs.words.amended) or here(calls, signs)
    return [call] if call else []


def again(calls: Sequence[Call], digits: str, pattern: re.Pattern[str], percent: re.Pattern[str]) -> Call | None:
    """The one call of the turn before, with the number that the line gives; None where it may mean anything else.

    digits: the line, with its numbers in digits.  pattern: what such a line is, its number and the unit behind it in
    groups of these names.  percent: a share of a hundred.
    """
    found = pattern.fullmatch(digits.strip(" .?!"))
    if found is None or len(calls) != 1:
        return None
    (call,) = calls
    number, unit, arguments = decimal(found["number"]), (found["unit"] or "").casefold(), call.arguments
    if call.tool == CONVERTER and _same_unit(unit, str(arguments.get("from_unit", ""))):
        return Call(call.tool, arguments | {"value": float(number) if "." in number else int(number)})
    share = _SHARE.fullmatch(str(arguments.get("expression", "")).strip())
    if call.tool != CALCULATE or share is None:
        return None
    other = f"{number}{share['between']}{share['whole']}"
    if not percent.search(digits):
        other = f"{share['share']}{share['between']}{number}"
    return Call(call.tool, {"expression": other})


def lengthened(calls: Sequence[Call], digits: str, pattern: re.Pattern[str]) -> Call | None:
    """The one timer of the turn before, set to the length that the line gives instead; None where it gives no such.

    digits, pattern: see `again`; the unit is a group named as in LENGTHS, and where there is none, that of before.
    """
    found = pattern.fullmatch(digits.strip(" .?!"))
    timers = [call for call in calls if call.tool in SETTERS]
    if found is None or len(timers) != 1:
        return None
    arguments = timers[0].arguments
    units = [unit for unit in LENGTHS if found[unit]] or [unit for unit in LENGTHS if arguments.get(unit)]
    if len(units) != 1:
        return None
    number = float(decimal(found["number"]))
    label = {"label": arguments["label"]} if arguments.get("label") else {}
    return Call("adjust_timer", {units[0]: int(number) if number.is_integer() else number, **label, "direction": "set"})


def here(calls: Sequence[Call], signs: Signs) -> Call | None:
    """The one call of the turn before that asked about another place, for this one: "and over here"."""
    away = [call for call in calls if call.tool in ELSEWHERE and call.arguments.get(PLACE)]
    if len(away) != 1 or not signs.words.homeward.fullmatch(signs.digits.strip(" .?!")):
        return None
    return away[0].without({PLACE})


def named_anew(call: Call, earlier: Sequence[Call], heard: str, pronouns: re.Pattern[str]) -> Call:
    """A search with what the one before it was for, where the line has only a pronoun for that.

    earlier: the calls of the turn before.
    """
    query = str(call.arguments.get(QUERY, ""))
    before = next((str(each.arguments.get(QUERY, "")) for each in earlier if each.tool == call.tool), "")
    named = any(name.casefold() not in heard.casefold() for name in names(query))  # out of what was found
    if not query or not before or named or telling(query) & telling(before) or not pronouns.search(heard):
        return call
    return Call(call.tool, call.arguments | {QUERY: f"{before} {query}"})


def of_another(tool: str, calls: Sequence[Call], heard: str, referring: re.Pattern[str]) -> bool:
    """Whether "it" is not the loudness of the voice, which it is by itself, but what the turn before was about.

    tool: that which the line would call by itself.  calls: those of the turn before.
    """
    settable = any(call.tool in AT_HOME for call in calls)
    return tool == LOUDNESS and settable and referring.search(heard) is not None


def taken_up(topic: Sequence[Call], signs: Signs) -> frozenset[str]:
    """The tools of a turn before some talk, where the line goes back to them: it names a thing of theirs, or gives
    another number for one that it points to.
    """
    texts = (str(value) for call in topic for name, value in call.arguments.items() if name in THINGS)
    points = signs.quantity and signs.words.referring.search(signs.digits)
    if signs.chat or not (points or telling(" ".join(texts)) & telling(signs.digits)):
        return frozenset()
    return frozenset(call.tool for call in topic)


def _same_unit(said: str, before: str) -> bool:
    return not said or before.casefold().startswith(said.removesuffix("s"))


def next_day(call: Call, earlier: Sequence[Call], heard: str, words: Patterns) -> Call:
    """`call` for the day behind the one that was asked about before, where the line says "and the day after" and the
    model wrote that one again.
    """
    before = [str(each.arguments.get(DAY, "")).casefold() for each in earlier if each.tool == call.tool]
    given = str(call.arguments.get(DAY, "")).casefold()
    meant = words.day_after.search(heard) and given in before and given not in heard.casefold()
    day = words.next_days.get(given, "") if meant else ""
    return Call(call.tool, call.arguments | {DAY: day}) if day else call
