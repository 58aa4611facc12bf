"""A line that only gives another number: "what is 15 percent of 80", "and of 240". The call before it is made anew.

A small model reckons with the answer instead: 240 percent of 12.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.thought.conversions import CONVERTER
from appliance.thought.patterns import NUMBER
from appliance.thought.plan import Call
from appliance.thought.tool_signs import CALCULATE

_SHARE = re.compile(rf"(?P<share>{NUMBER.pattern})(?P<between> ?% of )(?P<whole>{NUMBER.pattern})")


def again(calls: Sequence[Call], digits: str, pattern: re.Pattern[str], percent: re.Pattern[str]) -> Call | None:
    """The one call of the turn before, with the number that the line gives; None where it may mean anything else.

    digits: the line, with its numbers in digits.  pattern: what such a line is, its number and the unit behind it in
    groups of these names.  percent: a share of a hundred.
    """
    found = pattern.fullmatch(digits.strip(" .?!"))
    if found is None or len(calls) != 1:
        return None
    (call,) = calls
    number, unit, arguments = found["number"].replace(",", ""), (found["unit"] or "").casefold(), call.arguments
    if call.tool == CONVERTER and _same_unit(unit, str(arguments.get("from_unit", ""))):
        return Call(call.tool, arguments | {"value": float(number) if "." in number else int(number)})
    share = _SHARE.fullmatch(str(arguments.get("expression", "")).strip())
    if call.tool != CALCULATE or share is None:
        return None
    other = f"{number}{share['between']}{share['whole']}"
    if not percent.search(digits):
        other = f"{share['share']}{share['between']}{number}"
    return Call(call.tool, {"expression": other})


def _same_unit(said: str, before: str) -> bool:
    return not said or before.casefold().startswith(said.removesuffix("s"))
