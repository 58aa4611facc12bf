"""Arithmetic: sums, percentages, roots, and units."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.arithmetic.calculate import calculate
from appliance.skills.arithmetic.units import Converter
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    units = Converter(context.sound_of)
    return Skill(
        "arithmetic",
        "do sums and conversions",
        tools=[tool(calculate, "read"), tool(units.convert_units, "read")],
        rank=30,
    )
