"""What a line is to a call with another box."""

from __future__ import annotations

from appliance.ports import CallOrder
from appliance.reply.understanding.fastlane import FastLane

FIRST: tuple[CallOrder, ...] = ("end", "refuse", "take")
"""Which counts where a line is several."""


def in_call(lane: FastLane, text: str) -> CallOrder | None:
    """It ends it, refuses or takes the one that rings, and nothing else; a plain no refuses."""
    found = {result.intent.name for result in lane.results("calls", text)}
    if not found:
        return "refuse" if lane.answer(text) == "no" else None
    return next(each for each in FIRST if each in found)
