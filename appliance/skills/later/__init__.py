"""Later: an order that is carried out at a time, once; listed and cancelled until then, over restarts too."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.entry_words import EntryWords
from appliance.skills.later.orders import KeptOrders
from appliance.skills.later.tools import LaterTools
from appliance.skills.schedule import Schedule
from appliance.skills.schema import tool

NAME, ENDED = "later", "later ended"
"""What is to come, and what came of those that ended, until it was told: both kept as items of that name."""


def make(context: SkillContext) -> Skill:
    language = context.settings.words.language
    words = EntryWords(context.clock, Path(__file__).parent, language)
    schedule = Schedule(context.items(NAME), context.clock, context.settings.later.late_s, words.again)
    tools = LaterTools(schedule, context.clock, words, context.may_wait, language)
    return Skill(
        NAME,
        tools=[
            tool(tools.do_later, "act"),
            tool(tools.cancel_order, "act", ready=tools.any),
            tool(tools.list_orders, "read"),
        ],
        commands=[tool(tools.do_after, "act")],
        at_once=frozenset({"do_after", "cancel_order"}),
        orders=KeptOrders(schedule, context.items(ENDED), tools, words),
        rank=90,
    )
