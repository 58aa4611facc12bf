"""Arithmetic: sums, percentages, roots, and units."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.arithmetic.calculate import Calculator
from appliance.skills.arithmetic.units import Converter
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    language = context.settings.words.language
    units = Converter(context.sound_of, language)
    return Skill(
        "arithmetic",
        tools=[tool(Calculator(language).calculate, "read"), tool(units.convert_units, "read")],
        rank=30,
    )
