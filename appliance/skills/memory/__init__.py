"""Memory: what the user tells of themselves, and how they want to be answered; kept, found again, forgotten."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.memory.names import Names
from appliance.skills.memory.people import PeopleTools
from appliance.skills.memory.private import PrivateTools
from appliance.skills.memory.reading import Reading
from appliance.skills.memory.talks import TalkTools
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.memory.voices import VoiceTools
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    settings, language = context.settings, context.settings.words.language
    memory = MemoryTools(
        context.memory, context.clock, settings.memory.found_max, language, context.talk, context.private,
        context.last_heard,
    )  # fmt: skip
    asks, known = memory.words.phrases["before"], memory.known
    people, private = PeopleTools(memory.shared, memory.telling), PrivateTools(memory.shared)
    voices = VoiceTools(memory.shared, memory.telling, context.voices)
    tools = [
        tool(memory.remember, "act", ask=asks["remember"], memory="keep"),
        tool(memory.recall, "read", memory="recall"),
        tool(memory.forget, "irreversible", ask=memory.whether_to_forget, memory="forget"),
        tool(memory.set_preference, "act", ask=asks["set_preference"], memory="keep"),
    ]
    commands = [
        tool(memory.remember_last, "act", memory="keep"),
        tool(memory.forget_last, "irreversible", ask=memory.whether_to_forget_last, memory="forget"),
        tool(memory.forget_fact, "irreversible", ask=memory.whether_to_forget_fact, memory="forget"),
        tool(memory.forget_topic, "irreversible", ask=memory.whether_to_forget_topic, memory="forget"),
        tool(memory.update_memory, "act", ask=memory.whether_to_update, memory="keep"),
        tool(known.correct, "irreversible", ask=known.whether_to_correct, memory="keep"),
        tool(known.tell_kept, "read"),
        tool(known.tell_more, "read"),
        tool(known.tell_why, "read"),
        tool(known.tell_before, "read"),
        tool(people.speak_as, "irreversible", ask=people.whether_so_called),
        tool(people.tell_person, "read"),
        tool(voices.learn_voice, "act"),
        tool(private.private_mode, "act"),
        tool(private.tell_private, "read"),
    ]
    talks = TalkTools(memory.shared, memory.telling, memory.recall, [each.name for each in (*tools, *commands)])
    return Skill(
        "memory",
        tools=tools,
        commands=[*commands, tool(talks.tell_talk, "read", memory="recall")],
        known=Names(context.memory, memory.telling, language),
        reads=Reading(Path(__file__).parent, language, memory.telling, known, people).read,
        at_once=frozenset({"forget_last", "remember_last", "correct", "speak_as", "learn_voice", "private_mode"}),
        verbatim=frozenset({"forget", "forget_topic"}),
        rank=50,
    )
