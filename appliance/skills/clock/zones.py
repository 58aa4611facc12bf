"""Where the time zones are: a table of the time zone database, in the public domain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

_LATITUDE = re.compile(r"([+-])(\d\d)(\d\d)")


@dataclass(frozen=True)
class Zone:
    country: str
    """ISO 3166-1 code."""
    latitude: float
    """Of its principal place, in degrees."""


@cache
def zones() -> dict[str, Zone]:
    """By their names, such as Europe/Berlin."""
    text = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {name: Zone(country, _degrees(coordinates)) for country, coordinates, name, *_ in rows}


def _degrees(coordinates: str) -> float:
    sign, degrees, minutes = _LATITUDE.match(coordinates).groups()  # type: ignore[union-attr]
    return float(f"{sign}1") * (int(degrees) + int(minutes) / 60)
