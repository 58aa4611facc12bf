"""Whom to call in need, by country."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.skills.country.countries import FOR_ALL, certain_code

POISON = {"AU": "13 11 26", "CH": "145", "GB": "111", "NZ": "0800 764 766", "US": "1-800-222-1222"}
"""Advice on poison, at any hour, for the whole country; of others nothing is told."""
CRISIS = {
    "AT": "142", "AU": "13 11 14", "CA": "988", "CH": "143", "DE": "0800 111 0 111", "ES": "024", "FR": "3114",
    "GB": "116 123", "IE": "116 123", "NL": "113", "NZ": "1737", "US": "988",
}  # fmt: skip
"""Somebody to talk to in despair, at any hour."""


def numbers(place: str, zone: str) -> Mapping[str, str]:
    """emergency, poison and crisis -> the number where the box stands; without those that are not certain.

    place: such as "Stirling, Scotland".  zone: the box's own, such as Europe/London, for a place that names no country.
    """
    code = certain_code(place, zone)
    found = {"emergency": FOR_ALL.get(code), "poison": POISON.get(code), "crisis": CRISIS.get(code)}
    return {name: number for name, number in found.items() if number}
