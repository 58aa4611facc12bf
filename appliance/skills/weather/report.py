"""What is known of the weather: how it is, and how the next days will be."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

Condition = Literal[
    "clear-night", "cloudy", "exceptional", "fog", "hail", "lightning", "lightning-rainy", "partlycloudy", "pouring",
    "rainy", "snowy", "snowy-rainy", "sunny", "windy", "windy-variant",
]  # fmt: skip
"""As Home Assistant has them."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Day(_Entry):
    date: date
    condition: Condition | None = None
    low: float | None = Field(None, ge=-90, le=140)
    high: float | None = Field(None, ge=-90, le=140)
    """Degrees, in the report's unit."""
    rain_mm: float | None = Field(None, ge=0, le=2_000)
    rain_percent: float | None = Field(None, ge=0, le=100)
    """How likely it rains or snows."""
    wind_kmh: float | None = Field(None, ge=0, le=500)


class Report(_Entry):
    at: datetime
    """When it was so, with its zone."""
    condition: Condition | None = None
    temperature: float | None = Field(None, ge=-90, le=140)
    unit: Literal["°C", "°F"] = "°C"
    days: list[Day] = Field([], max_length=31)

    def day(self, wanted: date) -> Day | None:
        return next((day for day in self.days if day.date == wanted), None)


class Source(Protocol):
    def report(self) -> Report:
        """The newest. Raises CannotBeDone, saying why there is none."""
        ...
