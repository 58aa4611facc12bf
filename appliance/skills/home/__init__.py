"""The house: its lights, doors, players and sensors, by a Home Assistant or an MQTT broker that the bridge reaches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from appliance.ports import Meaning, Skill, SkillContext
from appliance.skills.home.answers import Answers
from appliance.skills.home.asked import AskedTools
from appliance.skills.home.find import Finder
from appliance.skills.home.live import LiveHouse
from appliance.skills.home.readers import Readers
from appliance.skills.home.reading import Frame
from appliance.skills.home.services import READS
from appliance.skills.home.targets import Targets
from appliance.skills.home.tools import HomeTools
from appliance.skills.home_assistant import PROVIDER
from appliance.skills.mqtt import MQTT
from appliance.skills.schema import tool
from appliance.skills.written import Words

NAME_CHARS = 80
"""Of a name: as of a title in the calendar."""


def make(context: SkillContext) -> Skill:
    chosen, language = context.settings.home_assistant, context.settings.words.language
    words = Words(Path(__file__).parent, language)
    clean = partial(_clean, context.harmless)
    providers = [PROVIDER] * bool(chosen.url) + [MQTT] * context.settings.has_mqtt_devices
    live = LiveHouse(context.bridge if providers else None, words, clean, chosen.use_lists, providers)
    answers = Answers(language, words)
    finder = Finder(words.phrases["kinds"], words.phrases["many"])
    targets = Targets(words, language, finder)
    home = HomeTools(live, chosen.room, chosen.ask_before, words, answers, targets)
    asked, readers = AskedTools(live, home, finder, words, answers, targets), Readers(language)
    return Skill(
        "home",
        tools=[
            tool(asked.home_set, "irreversible", ask=asked.asks),
            tool(asked.home_state, "read"),
            tool(asked.run_scene, "act"),
        ],
        commands=[
            tool(home.home_do, "irreversible", ask=home.asks),
            tool(home.home_ask, "read"),
        ],
        reads=lambda line: [_meaning(frame) for frame in readers.read(line, live.known(), home.room)],
        known=lambda: live.known().names,
        does_too=frozenset({"doors"}),
        needs="a Home Assistant, or an MQTT broker",
        missing=lambda: words.say("no_house") if not providers or context.bridge is None else "",
        rank=55,
    )


def _clean(harmless: Callable[[str, int], str], name: str) -> str:
    return " ".join(harmless(name, NAME_CHARS).split())


def _meaning(frame: Frame) -> Meaning:
    name = "home_ask" if frame.intent in READS else "home_do"
    return Meaning(name, {"intent": frame.intent, "slots": dict(frame.slots), "response": frame.response})
