"""Memory: what the user tells of themselves, and how they want to be answered; kept, found again, forgotten."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    memory = MemoryTools(context.memory, context.clock, context.settings.memory.found_max)
    return Skill(
        "memory",
        "remember what you ask me to",
        tools=[
            tool(memory.remember, "act", ask="Shall I remember this: {fact}?", memory="keep"),
            tool(memory.recall, "read", memory="recall"),
            tool(memory.forget, "irreversible", ask=memory.whether_to_forget, memory="forget"),
            tool(memory.set_preference, "act", ask="Shall I keep to this from now on: {rule}?", memory="keep"),
        ],
        commands=[
            tool(memory.forget_last, "irreversible", ask=memory.whether_to_forget_last, memory="forget"),
            tool(memory.tell_kept, "read"),
            tool(memory.update_memory, "act", ask="Shall I remember this instead: {fact}?", memory="keep"),
        ],
        rank=50,
    )
