"""What the hub asks of the core for the owner's page (ports/hub.py): settings, skills, models, and the next start."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from appliance.settings_choices import Chosen


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Change(Chosen):
    """What is to be otherwise; all else stays. The volume counts at once, the rest from the next start on."""

    volume: int = Field(0, ge=0, le=100)
    """Percent."""


class Choose(_Shape):
    """Answered by OwnSettings."""

    changes: dict[str, Any]
    """Those fields of a Change that are set."""


class OwnSettings(_Shape):
    values: dict[str, JsonValue]
    """Choice -> as it is from the next start on."""
    choices: dict[str, list[str]]
    """Choice -> what there is, where there is only that."""
    fixed: list[str]
    """Choices that the settings file makes: they are not changed from here."""
    waits: list[str]
    """Choices that are still otherwise, until the next start; "skills" where one was switched."""
    set_up: bool
    """Whether anybody ever chose anything, here or in the settings file."""
    taken_back: bool
    """Whether the last change was, because the box did not start well with it."""
    restarts: bool
    """Whether the box starts again by itself where it is told to end."""


class Switch(_Shape):
    """Switch a skill on or off, from the next start on. Answered by OwnSkills."""

    skill: str = Field(min_length=1, max_length=40)
    on: bool


class OwnSkill(_Shape):
    name: str
    about: str
    on: bool
    """From the next start on."""
    missing: str
    """What it needs and is not there; empty where all is."""
    fixed: bool
    """The settings file switches it off."""
    waits: bool


class OwnSkills(_Shape):
    skills: list[OwnSkill]


class OneCheck(_Shape):
    part: str
    fine: bool
    found: str
    remedy: str = ""


class OneModel(_Shape):
    name: str
    role: str
    bytes: int
    state: str
    """here, absent or damaged."""
    what: str
    """What is wrong with it, with what to do."""
    hashed_at: str
    """The day on which every byte of it was last read and found right; empty when that is not known."""


class Examined(_Shape):
    """For `examine`: what `appliance doctor` finds, from within the service."""

    checks: list[OneCheck]
    models: list[OneModel]
    """Those that the settings ask for."""
