"""Which season it is where the box stands."""

from __future__ import annotations

from datetime import date
from statistics import median

from appliance.skills.clock.places import find
from appliance.skills.clock.zones import zones
from appliance.skills.country.countries import country_code

TROPIC_DEG = 23.4
"""Latitude of the tropics: between them are no four seasons."""
SEASONS = ("winter", "spring", "summer", "autumn")
"""Of the north; three whole months each, as weather services count them, from December on."""


def season(place: str, day: date) -> str:
    """Empty where nobody knows the place or its country, it is too large to have one, or there are none of the four."""
    latitude = _latitude(place)
    if latitude is None or abs(latitude) < TROPIC_DEG:
        return ""
    return SEASONS[(day.month % 12 // 3 + 2 * (latitude < 0)) % len(SEASONS)]


def _latitude(place: str) -> float | None:
    """In degrees; of a place that nobody knows the median of its country's zones, if these are on one side of the
    equator.
    """
    _, zone = find(place)
    if zone is None:
        _, comma, _ = place.rpartition(",")
        code = country_code(place) if comma else ""
        there = [each.latitude for each in zones().values() if each.country == code]
        return median(there) if there and (min(there) > 0 or max(there) < 0) else None
    found = zones().get(zone.key)
    return found.latitude if found else None
