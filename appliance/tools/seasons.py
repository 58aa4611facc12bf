"""Which season it is where the box stands."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from importlib import resources

from appliance.errors import BadArgument
from appliance.tools.places import find

TROPIC_DEG = 23.4
"""Latitude of the tropics: between them are no four seasons."""
SEASONS = ("winter", "spring", "summer", "autumn")
"""Of the north; three whole months each, as weather services count them, from December on."""
_LATITUDE = re.compile(r"([+-])(\d\d)(\d\d)")


def season(place: str, day: date) -> str:
    """Empty where nobody knows the place, it is too large to have one, or there are none of the four."""
    try:
        _, zone = find(place)
    except BadArgument:
        return ""
    latitude = _latitudes().get(zone.key)
    if latitude is None or abs(latitude) < TROPIC_DEG:
        return ""
    return SEASONS[(day.month % 12 // 3 + 2 * (latitude < 0)) % len(SEASONS)]


@cache
def _latitudes() -> dict[str, float]:
    """Zone -> that of its principal place, in degrees; a table of the time zone database, in the public domain."""
    text = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {zone: _degrees(coordinates) for _, coordinates, zone, *_ in rows}


def _degrees(coordinates: str) -> float:
    sign, degrees, minutes = _LATITUDE.match(coordinates).groups()  # type: ignore[union-attr]
    return float(f"{sign}1") * (int(degrees) + int(minutes) / 60)
