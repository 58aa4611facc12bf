"""What the owner may choose on the hub's page, with its ranges, and where in the settings each choice lies."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

RingSound = Literal["chime", "bell", "gong", "birds"]


def known_zone(name: str) -> str:
    """Raises ValueError."""
    if name:
        try:
            ZoneInfo(name)
        except (OSError, ValueError, KeyError):
            raise ValueError("an IANA zone such as Europe/Berlin") from None
    return name


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("one line of text")
    return text.strip()


class Chosen(BaseModel):
    """What may be chosen, each with its range. What was not chosen is not set (`model_fields_set`)."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    place: Annotated[str, Field(max_length=80), AfterValidator(_printable)] = ""
    """Where the box stands, as a person would say it; the model reads it."""
    timezone: Annotated[str, Field(max_length=60), AfterValidator(known_zone)] = ""
    language: Literal["en", "de"] = "en"
    wake_word: Literal["hey_jarvis", "alexa", "jarvis", "computer", "ok_nabu", "hey_mycroft"] = "hey_jarvis"
    """Each has a model in the manifest: root fetches what this file asks for, and nothing but these."""
    quiet_from: time | None = None
    quiet_until: time | None = None
    cues: bool = True
    ring_sound: RingSound = "chime"
    speed: float = Field(1.0, ge=0.5, le=2.0)
    """Of the voice; 2 is twice as fast."""
    follow_up_s: float = Field(3, ge=0, le=60)
    """Seconds after an answer in which no wake word is needed; 0 is off."""


class Kept(Chosen):
    """As it is kept (choices_file.py): also what has a button of its own."""

    skills_off: list[Annotated[str, Field(max_length=40)]] = Field([], max_length=200)


PLACES: Mapping[str, tuple[str, ...]] = {
    "place": ("place",),
    "timezone": ("timezone",),
    "language": ("words", "language"),
    "wake_word": ("ears", "wake_words"),
    "quiet_from": ("voice", "quiet_from"),
    "quiet_until": ("voice", "quiet_until"),
    "cues": ("voice", "cues"),
    "ring_sound": ("voice", "ring_sound"),
    "speed": ("voice", "speed"),
    "follow_up_s": ("ears", "follow_up_s"),
    "skills_off": ("skills", "off"),
}
"""Choice -> its setting."""
IN_LIST = frozenset({"wake_word"})
"""Those whose setting is a list, of which the page shows one."""


def as_settings(kept: Kept, file: Mapping[str, Any]) -> dict[str, Any]:
    """The choices as a table of settings, to be laid under `file`: skills that are off in either are off."""
    values: dict[str, Any] = {}
    for name in kept.model_fields_set:
        value = getattr(kept, name)
        if name == "skills_off":
            continue
        *tables, key = PLACES[name]
        here = values
        for table in tables:
            here = here.setdefault(table, {})
        here[key] = [value] if name in IN_LIST else value
    if kept.skills_off:
        values.setdefault("skills", {})["off"] = sorted({*off_in(file), *kept.skills_off})
    return values


def fixed_in(file: Mapping[str, Any]) -> set[str]:
    """Names of the choices that the settings file makes; skills are switched one by one."""
    return {name for name, path in PLACES.items() if name != "skills_off" and _is_in(file, path)}


def off_in(file: Mapping[str, Any]) -> list[str]:
    table = file.get("skills")
    off = table.get("off") if isinstance(table, dict) else None
    return [each for each in off if isinstance(each, str)] if isinstance(off, list) else []


def _is_in(file: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    value: Any = file
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return False
        value = value[key]
    return True
