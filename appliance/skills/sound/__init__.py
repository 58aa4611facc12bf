"""Sound: how loud the box is, the last answer again, silence, and a closed microphone."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.schema import tool
from appliance.skills.sound.pausing import Pausing
from appliance.skills.sound.tools import SoundTools
from appliance.skills.written import Words


def make(context: SkillContext) -> Skill:
    sound = SoundTools(
        context.volume, context.last_said, context.silence, context.close_microphone, context.settings.words.language
    )
    pausing = Pausing(context.skills, Words(Path(__file__).parent, context.settings.words.language))
    return Skill(
        "sound",
        tools=[tool(sound.set_volume, "act"), tool(sound.repeat, "read"), tool(sound.stop, "act")],
        commands=[
            tool(sound.change_volume, "act"),
            tool(sound.mute, "act"),
            tool(sound.tell_volume, "read"),
            tool(pausing.pause, "act"),
            tool(pausing.resume, "act"),
        ],
        at_once=frozenset({"stop"}),
        of_body=frozenset({"set_volume", "change_volume", "tell_volume", "mute", "stop"}),
        rank=40,
    )
