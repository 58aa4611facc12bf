"""Messages to people whom the owner has named, by what Home Assistant notifies with; read back, and then asked."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.messages.tools import MessageTools
from appliance.skills.named import NamedSentences
from appliance.skills.schema import tool
from appliance.skills.written import Words

TO = "to"


def make(context: SkillContext) -> Skill:
    settings, folder = context.settings, Path(__file__).parent
    words = Words(folder, settings.words.language)
    bridge = context.bridge if settings.home_assistant.url else None
    messages = MessageTools(bridge, settings.messages.to, words)
    there = bridge is not None and bool(settings.messages.to)
    sentences = NamedSentences(folder, settings.words.language, TO, settings.messages.to)
    return Skill(
        "messages",
        tools=[tool(messages.send_message, "irreversible", ask=messages.asks)],
        reads=lambda line: sentences.read(line) if there else (),
        verbatim=frozenset({"send_message"}),
        needs="a Home Assistant, and people whom it may notify",
        missing=lambda: "" if there else words.say("nobody"),
        rank=58,
    )
