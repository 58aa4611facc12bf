"""The weather here, now and in the days to come: from a file or a topic that something else writes, Open-Meteo, or Home
Assistant."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.schema import tool
from appliance.skills.weather.open_meteo import OpenMeteoSource
from appliance.skills.weather.report import Source
from appliance.skills.weather.sources import FileSource, HouseSource, TopicSource
from appliance.skills.weather.tools import WeatherTools
from appliance.skills.written import Words


def make(context: SkillContext) -> Skill:
    settings, words = context.settings, Words(Path(__file__).parent, context.settings.words.language)
    source = _source(context, words)
    weather = WeatherTools(source, context.clock, settings.place, words)
    return Skill(
        "weather",
        tools=[tool(weather.get_weather, "read")],
        needs="a report of the weather",
        missing=lambda: "" if source else words.say("no_source"),
        rank=56,
    )


def _source(context: SkillContext, words: Words) -> Source | None:
    settings = context.settings
    if settings.weather.file:
        return FileSource(settings.weather.file, words)
    if settings.weather.topic and settings.mqtt.host and context.bridge:
        return TopicSource(context.bridge, words)
    if settings.weather.open_meteo and context.bridge:
        return OpenMeteoSource(context.bridge, words)
    if settings.home_assistant.url and context.bridge:
        return HouseSource(context.bridge, context.clock, words)
    return None
