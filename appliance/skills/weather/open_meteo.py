"""The weather as Open-Meteo forecasts it, which the bridge fetches twice an hour."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from pydantic import ValidationError

from appliance.errors import CannotBeDone
from appliance.ports import Bridge
from appliance.skills.weather.report import Condition, Day, Report
from appliance.skills.written import Words

PROVIDER, REPORT = "weather", "report"
CODES: Mapping[int, Condition] = {
    **dict.fromkeys((0, 1), "sunny"),
    2: "partlycloudy",
    3: "cloudy",
    **dict.fromkeys((45, 48), "fog"),
    **dict.fromkeys((51, 53, 55, 61, 63, 80, 81), "rainy"),
    **dict.fromkeys((65, 82), "pouring"),
    **dict.fromkeys((56, 57, 66, 67), "snowy-rainy"),
    **dict.fromkeys((71, 73, 75, 77, 85, 86), "snowy"),
    **dict.fromkeys((95, 96, 99), "lightning-rainy"),
}
"""Of the WMO's table 4677, as far as Open-Meteo uses it."""


class OpenMeteoSource:
    """Keeps the newest, also while the bridge or the internet is gone: what is old is told with its time."""

    def __init__(self, bridge: Bridge, words: Words) -> None:
        self._words = words
        self._report: Report | None = None
        bridge.follow(PROVIDER, self._heard)

    def report(self) -> Report:
        if self._report is None:
            raise CannotBeDone(self._words.say("no_answer"))
        return self._report

    def _heard(self, kind: str, value: Any) -> None:
        """From the bridge's thread."""
        if kind == REPORT:
            self._report = _report(value)


def _report(told: Mapping[str, Any]) -> Report | None:
    """None for nonsense."""
    now, zone = told["current"], timezone(timedelta(seconds=told["utc_offset_seconds"]))
    condition = _condition(now["weather_code"])
    try:
        return Report(
            at=datetime.fromisoformat(now["time"]).replace(tzinfo=zone),
            condition="clear-night" if condition == "sunny" and not now["is_day"] else condition,
            temperature=now["temperature_2m"],
            days=_days(told["daily"]),
        )
    except ValidationError:
        return None


def _days(daily: Mapping[str, Any]) -> list[Day]:
    def column(name: str) -> list[float | None]:
        return [*daily[name], *[None] * len(daily["time"])]

    columns = (
        daily["time"],
        map(_condition, column("weather_code")),
        column("temperature_2m_min"),
        column("temperature_2m_max"),
        column("precipitation_sum"),
        column("precipitation_probability_max"),
        column("wind_speed_10m_max"),
    )
    names = ("date", "condition", "low", "high", "rain_mm", "rain_percent", "wind_kmh")
    return [Day.model_validate(dict(zip(names, row, strict=True))) for row in zip(*columns, strict=False)]


def _condition(code: float | None) -> Condition | None:
    return CODES.get(int(code)) if code is not None else None
