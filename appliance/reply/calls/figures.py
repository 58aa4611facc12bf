"""Figures that the line gives and the model drops: 19 times 640 for 19 percent of it, quieter for "down to 30"."""

from __future__ import annotations

import re

from appliance.ports import Tool
from appliance.reply.calls.grounding import said_parameters
from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.signs import Signs
from appliance.reply.understanding.tool_signs import CALCULATE

_PRODUCT = re.compile(rf"\s*({NUMBER.pattern})\s*\*\s*({NUMBER.pattern})\s*")


def with_figures(call: Call, tool: Tool, signs: Signs) -> Call:
    """`call` with them."""
    return _with_share(_with_level(call, tool, signs), signs)


def _with_share(call: Call, signs: Signs) -> Call:
    """A share of a hundred, where the line has "N percent of M" and the sum is of N and M."""
    found = _PRODUCT.fullmatch(str(call.arguments.get("expression", ""))) if call.tool == CALCULATE else None
    if not found:
        return call
    of = signs.words.share_of.pattern
    for share in signs.words.percent.finditer(signs.digits):
        part = NUMBER.search(share[0])
        whole = re.match(rf"\s+{of}\s+\D?(?P<whole>{NUMBER.pattern})", signs.digits[share.end() :], re.IGNORECASE)
        if part and whole and sorted(found.groups()) == sorted((part[0], whole["whole"])):
            return Call(call.tool, {"expression": f"{whole['whole']} * {part[0]} / 100"})
    return call


def _with_level(call: Call, tool: Tool, signs: Signs) -> Call:
    """The one number of the line, where it leads to that, for a tool that takes one and got none."""
    takes, numbers = said_parameters(tool), NUMBER.findall(signs.digits)
    if len(takes) != 1 or takes & call.arguments.keys() or len(numbers) != 1 or not numbers[0].isdecimal():
        return call
    (name,) = takes
    leads = signs.words.leading.search(signs.words.spoken_clock.sub(" ", signs.digits))
    return Call(call.tool, call.arguments | {name: int(numbers[0])}) if leads else call
