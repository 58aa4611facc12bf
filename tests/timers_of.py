"""The timers of a box that is built whole."""

from __future__ import annotations

from appliance.skills.skillset import Skills
from appliance.skills.timers.countdowns import Timers


def timers_of(skills: Skills) -> Timers:
    found = next(skill.rings.alarms for skill in skills.on if skill.rings and skill.name == "timers")
    assert isinstance(found, Timers)
    return found
