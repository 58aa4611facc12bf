"""Memory: what the user tells of themselves, and how they want to be answered; kept, found again, forgotten."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    settings = context.settings
    memory = MemoryTools(context.memory, context.clock, settings.memory.found_max, settings.words.language)
    asks = memory.words.phrases["before"]
    return Skill(
        "memory",
        tools=[
            tool(memory.remember, "act", ask=asks["remember"], memory="keep"),
            tool(memory.recall, "read", memory="recall"),
            tool(memory.forget, "irreversible", ask=memory.whether_to_forget, memory="forget"),
            tool(memory.set_preference, "act", ask=asks["set_preference"], memory="keep"),
        ],
        commands=[
            tool(memory.forget_last, "irreversible", ask=memory.whether_to_forget_last, memory="forget"),
            tool(memory.tell_kept, "read"),
            tool(memory.update_memory, "act", ask=memory.whether_to_update, memory="keep"),
        ],
        at_once=frozenset({"forget_last"}),
        verbatim=frozenset({"forget"}),
        rank=50,
    )
