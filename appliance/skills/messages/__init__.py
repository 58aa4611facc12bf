"""Messages to people whom the owner has named, by Home Assistant or by MQTT; read back, and then asked."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.settings_bridge import TO_TOPIC
from appliance.skills.messages.tools import MessageTools
from appliance.skills.named import NamedSentences
from appliance.skills.schema import tool
from appliance.skills.written import Words

TO = "to"


def make(context: SkillContext) -> Skill:
    settings, folder = context.settings, Path(__file__).parent
    words = Words(folder, settings.words.language)
    ways = {True: bool(settings.mqtt.host), False: bool(settings.home_assistant.url)}
    people = {name: way for name, way in settings.messages.to.items() if ways[way.startswith(TO_TOPIC)]}
    messages = MessageTools(context.bridge, people, words)
    there = context.bridge is not None and bool(people)
    sentences = NamedSentences(folder, settings.words.language, TO, people)
    return Skill(
        "messages",
        tools=[tool(messages.send_message, "irreversible", ask=messages.asks)],
        reads=lambda line: sentences.read(line) if there else (),
        known=lambda: tuple(people) if there else (),
        verbatim=frozenset({"send_message"}),
        needs="a Home Assistant or an MQTT broker, and people who may be notified",
        missing=lambda: "" if there else words.say("nobody"),
        rank=58,
    )
