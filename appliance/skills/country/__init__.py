"""The country: what is usual where the box stands or in another country: season, money, languages, numbers to ring."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.country.tools import CountryTools
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    settings = context.settings
    country = CountryTools(context.clock, settings.place, settings.timezone, settings.words.language)
    return Skill(
        "country",
        tools=[tool(country.tell_country, "read")],
        guests=frozenset({"tell_country"}),
        rank=60,
    )
