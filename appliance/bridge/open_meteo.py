"""The provider "weather": the forecast of Open-Meteo, fetched twice an hour, so that no question waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, Field, ValidationError

from appliance.bridge.fetch import fetch
from appliance.bridge.trouble import Lost
from appliance.errors import BadArgument
from appliance.ports import LINK, News
from appliance.retries import Retries
from appliance.wording import said

log = logging.getLogger(__name__)

REPORT = "report"
GEOCODING = "https://geocoding-api.open-meteo.com/v1/search"
FRESH_S = 1_800.0
"""Between two forecasts: Open-Meteo renews what is now every 15 minutes, and a forecast every hour or more."""
FIRST_PAUSE_S = 60.0
"""Before the next attempt; doubled each time, up to FRESH_S."""
FETCH_S, MOST_BYTES = 10.0, 200_000
"""A forecast of DAYS is some 2 kB, ten places some 5."""
DAYS = 7
NOW = ("temperature_2m", "weather_code", "is_day")
DAILY = (
    "weather_code", "temperature_2m_min", "temperature_2m_max", "precipitation_sum",
    "precipitation_probability_max", "wind_speed_10m_max",
)  # fmt: skip

Told = TypeVar("Told", bound=BaseModel)
Number = Annotated[float, Field(ge=-1_000, le=10_000)]
Numbers = Annotated[list[Number | None], Field(max_length=16)]


class Now(BaseModel):
    time: datetime
    temperature_2m: Number | None = None
    weather_code: int | None = None
    is_day: int = 1


class Daily(BaseModel):
    """A column for each value, a row for each day."""

    time: list[date] = Field(max_length=16)
    weather_code: Numbers = []
    temperature_2m_min: Numbers = []
    temperature_2m_max: Numbers = []
    precipitation_sum: Numbers = []
    precipitation_probability_max: Numbers = []
    wind_speed_10m_max: Numbers = []


class Forecast(BaseModel):
    """In °C, mm, percent and km/h."""

    utc_offset_seconds: int = Field(ge=-86_399, le=86_399)
    """Of the times, which are those of the place."""
    current: Now
    daily: Daily


class Position(BaseModel):
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    country: str = ""
    country_code: str = ""
    admin1: str = ""


class Positions(BaseModel):
    results: list[Position] = []


class OpenMeteo:
    """A `Provider`."""

    name = "weather"

    def __init__(
        self, url: str, place: tuple[float, float] | str, timezone: str = "", geocoding: str = GEOCODING
    ) -> None:
        """place: degrees north and east, or a name, with its country behind a comma if need be.

        timezone: whose days are told, as IANA names it; empty is that of the place.
        """
        self._url, self._place, self._timezone, self._geocoding = url, place, timezone or "auto", geocoding
        self._why, self._report = "starting", dict[str, Any]()

    async def run(self, tell: News) -> None:
        retries = Retries(FIRST_PAUSE_S, FRESH_S)
        while True:
            began_s, pause_s = time.monotonic(), FRESH_S
            try:
                self._report, self._why = (await self._fetched()).model_dump(mode="json"), ""
                retries = Retries(FIRST_PAUSE_S, FRESH_S)
            except Lost as lost:
                self._why = lost.why
                failed = retries.failed(lost.why, time.monotonic() - began_s)
                pause_s = failed.pause_s
                if failed.is_news:
                    log.warning("Open-Meteo at %s: %s", self._url, lost)
            for kind, value in self.known():
                tell(kind, value)
            await asyncio.sleep(pause_s)

    def known(self) -> Iterable[tuple[str, Any]]:
        yield LINK, {"up": not self._why, "why": self._why}
        if self._report:
            yield REPORT, self._report

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        raise BadArgument(said("bridge_no_such"))

    async def _fetched(self) -> Forecast:
        """Raises Lost."""
        if isinstance(self._place, str):
            self._place = await self._found(self._place)
        north, east = self._place
        wanted = {
            "latitude": f"{north:.2f}",  # a kilometre: nobody needs to know the house
            "longitude": f"{east:.2f}",
            "current": ",".join(NOW),
            "daily": ",".join(DAILY),
            "timezone": self._timezone,
            "forecast_days": str(DAYS),
        }
        return await _asked(self._url, wanted, Forecast)

    async def _found(self, place: str) -> tuple[float, float]:
        """Raises Lost."""
        name, *within = (part.strip() for part in place.split(","))
        found = (await _asked(self._geocoding, {"name": name, "count": "10"}, Positions)).results
        if not found:
            raise Lost("no_place")
        there = next((each for each in found if _is_within(each, within)), found[0])
        return there.latitude, there.longitude


def _is_within(position: Position, within: Iterable[str]) -> bool:
    names = {each.casefold() for each in (position.country, position.country_code, position.admin1)}
    return {each.casefold() for each in within} <= names


async def _asked(url: str, wanted: dict[str, str], kind: type[Told]) -> Told:
    """Raises Lost."""
    found = await fetch(f"{url}?{urlencode(wanted)}", FETCH_S, MOST_BYTES)
    if found.status != 200:
        raise Lost("nonsense", f"HTTP {found.status}")
    try:
        return kind.model_validate_json(found.content)
    except ValidationError:
        raise Lost("nonsense", "no forecast in JSON") from None
