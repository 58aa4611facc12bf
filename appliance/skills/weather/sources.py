"""Where the weather comes from: a file or a topic that something else writes, or Home Assistant."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from appliance.errors import ApplianceError, CannotBeDone
from appliance.ports import LINK, Bridge, Clock
from appliance.skills.home_assistant import PROVIDER, call
from appliance.skills.mqtt import MQTT
from appliance.skills.weather.report import Day, Report
from appliance.skills.written import Words

MOST_BYTES = 64_000
"""Of a file: 31 days are some 5 kB."""
FRESH_S = 1_800.0
"""A forecast is asked for again after so long."""
ASK_S = 3.0
DOMAIN = "weather."
REPORT = "weather"
"""Kind of the news that is what a topic holds."""


class FileSource:
    def __init__(self, path: Path, words: Words) -> None:
        self._path, self._words = path, words

    def report(self) -> Report:
        try:
            with self._path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise ValueError("too long")
            return Report.model_validate_json(content)
        except OSError:
            raise CannotBeDone(self._words.say("no_file"), remedy=f"see that {self._path} can be read") from None
        except (ValidationError, ValueError):
            raise CannotBeDone(self._words.say("bad_file"), remedy=f"see docs/reference.md for {self._path}") from None


class TopicSource:
    """What is retained at a topic of the MQTT broker; what it was last, while the broker is away."""

    def __init__(self, bridge: Bridge, words: Words) -> None:
        self._words = words
        self._up, self._told = False, ""
        bridge.follow(MQTT, self._heard)

    def report(self) -> Report:
        if not self._told:
            raise CannotBeDone(self._words.say("no_report" if self._up else "no_answer"))
        try:
            return Report.model_validate_json(self._told)
        except ValidationError:
            raise CannotBeDone(self._words.say("bad_file"), remedy="see docs/reference.md for weather.topic") from None

    def _heard(self, kind: str, value: Any) -> None:
        """From the bridge's thread."""
        if kind == LINK:
            self._up = bool(value.get("up"))
        elif kind == REPORT and (value or self._up):
            self._told = str(value or "")


class HouseSource:
    """The weather that Home Assistant has: the first of its entities of that kind."""

    def __init__(self, bridge: Bridge, clock: Clock, words: Words) -> None:
        self._bridge, self._clock, self._words = bridge, clock, words
        self._up, self._entities = False, dict[str, Mapping[str, Any]]()
        self._days: list[Day] = []
        self._days_of, self._asked_s = "", float("-inf")
        bridge.follow(PROVIDER, self._heard)

    def report(self) -> Report:
        entities = self._entities
        if not self._up:
            raise CannotBeDone(self._words.say("no_answer"))
        if not entities:
            raise CannotBeDone(self._words.say("none_there"))
        id, told = next(iter(sorted(entities.items())))
        attributes: Mapping[str, Any] = told.get("attributes") or {}
        now = {
            "at": self._clock.now(),
            "condition": told.get("state"),
            "temperature": attributes.get("temperature"),
            "unit": attributes.get("temperature_unit") or "°C",
            "days": self._forecast(id),
        }
        try:
            return Report.model_validate(now)
        except ValidationError:
            raise CannotBeDone(self._words.say("no_answer")) from None

    def _forecast(self, id: str) -> list[Day]:
        """Of the days to come; what was told last where it cannot be had, none where that is of another entity."""
        if id == self._days_of and time.monotonic() - self._asked_s < FRESH_S:
            return self._days
        try:
            told = call(self._bridge, "weather.get_forecasts", [id], {"type": "daily"}, timeout_s=ASK_S, response=True)
            days = told["response"][id]["forecast"]
            self._days = [day for each in days if (day := _day(each, self._clock.now().tzinfo))]
            self._days_of, self._asked_s = id, time.monotonic()
        except (ApplianceError, KeyError, TypeError):  # it has no forecast: how it is now can be told
            self._days = self._days if id == self._days_of else []
        return self._days

    def _heard(self, kind: str, value: Any) -> None:
        """From the bridge's thread."""
        if kind == LINK:
            self._up = bool(value.get("up"))
        elif kind == "house":
            self._entities = {each["id"]: each for each in value.get("entities") or () if _is_weather(each["id"])}
        elif kind == "states":
            changed = {id: now for id, now in value.items() if id in self._entities and now}
            self._entities = {**self._entities, **changed}


def _is_weather(id: str) -> bool:
    return id.startswith(DOMAIN)


def _day(told: Mapping[str, Any], zone: tzinfo | None) -> Day | None:
    """None for nonsense."""
    try:
        return Day(
            date=_date(str(told["datetime"]), zone),
            condition=told.get("condition"),
            low=told.get("templow"),
            high=told.get("temperature"),
            rain_mm=told.get("precipitation"),
            rain_percent=told.get("precipitation_probability"),
            wind_kmh=told.get("wind_speed"),
        )
    except (ValidationError, ValueError, KeyError):
        return None


def _date(text: str, zone: tzinfo | None) -> date:
    """Of a moment of the network, the day in the box's zone."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone).date()
