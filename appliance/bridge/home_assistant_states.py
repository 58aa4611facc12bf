"""The states of what Home Assistant exposes, kept up to date by its subscription, without what nobody asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

GONE = "unavailable"
"""The state of what has none."""
KEPT = re.compile(
    r"(device_class|unit_of_measurement|options|(min|max|step|mode|effect|source|activity)|.*_(list|modes?|step|action|level)"
    r"|supported_.*|media_(title|artist|album_name|channel|series_title|season|episode|content_type|duration)"
    r"|(.*_)?(temperature|humidity|position|speed|pressure|bearing|visibility|ozone|index|dew_point|color|colou?r_\w+)"
    r"|(.*_)?(temp|temp_high|temp_low|unit|brightness|percentage|direction|oscillating|battery)"
    r"|is_\w+|message|start_time|end_time|all_day|location|description|code_\w+|duration|remaining|finishes_at|app_name)"
)
"""Names of attributes that a person may ask for, or that tell what a thing can do; all others are left out."""
LONGEST_TEXT = 200
"""Characters of one attribute: a description can be a page."""
LONGEST_LIST = 60
"""Items of one: a light has up to some 200 effects, a player as many sources."""
Known = dict[str, Any]
"""{"state": .., "attributes": {..}}"""


class Change(BaseModel):
    """What a compressed message says of a thing: "s" is its state, "a" some of its attributes."""

    s: str | None = None
    a: dict[str, Any] = {}


class Difference(BaseModel):
    more: Change = Field(Change(), alias="+")
    less: dict[str, list[str]] = Field({}, alias="-")


class Event(BaseModel):
    """Of `subscribe_entities`: what was added, changed, removed."""

    a: dict[str, Change] = {}
    c: dict[str, Difference] = {}
    r: list[str] = []


class States:
    def __init__(self) -> None:
        self.now: dict[str, Known] = {}

    def take(self, told: Mapping[str, Any]) -> dict[str, Known]:
        """Take an event in; what it changed. Raises ValueError."""
        event = Event.model_validate(told)
        new = {name: known(change.s or GONE, change.a) for name, change in event.a.items()}
        new |= {name: self._changed(name, difference) for name, difference in event.c.items()}
        new |= {name: known(GONE, {}) for name in event.r}
        changed = {name: value for name, value in new.items() if self.now.get(name) != value}
        self.now |= changed
        return changed

    def _changed(self, name: str, difference: Difference) -> Known:
        before = self.now.get(name, known(GONE, {}))
        removed = difference.less.get("a", [])
        attributes = {key: value for key, value in before["attributes"].items() if key not in removed}
        more = difference.more
        return {"state": more.s or before["state"], "attributes": attributes | kept(more.a)}


def known(state: str, attributes: Mapping[str, Any]) -> Known:
    return {"state": state[:LONGEST_TEXT], "attributes": kept(attributes)}


def kept(attributes: Mapping[str, Any]) -> dict[str, Any]:
    short = {name: _short(value) for name, value in attributes.items() if KEPT.fullmatch(name)}
    return {name: value for name, value in short.items() if value is not None}


def _short(value: Any) -> Any:
    """None for what is neither a value nor a list of them."""
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if isinstance(value, list):
        return [_short(each) for each in value[:LONGEST_LIST] if isinstance(each, str | int | float)]
    return value if isinstance(value, int | float) else None
