"""Which time zone a place is in, from places.txt (see models/training/make_places.py)."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale

from appliance.skills.clock.zones import zones

SEVERAL = "?"
"""Stands in the file for the zone of a place with more than one."""
ARTICLES = ("the", "der", "die", "den", "dem")
_ALIKE = 0.88
"""difflib ratio from which a name is taken to be misheard: "Nairobie" is Nairobi, "Narnia" is not Narva."""


def find(place: str) -> tuple[str, ZoneInfo | None]:
    """The place as it is called, and its zone. Also takes "Paris, Texas" and IANA names such as Europe/Berlin.

    No name where nobody knows it; no zone where it has several.
    """
    if zone := _iana(place):
        return zone.key.rsplit("/", 1)[-1].replace("_", " "), zone
    known = _known()
    name, zone_name = known.get(plain_name(place)) or _in_region(place) or _misheard(place) or ("", "")
    return name, None if zone_name in ("", SEVERAL) else ZoneInfo(zone_name)


def is_known(place: str) -> bool:
    """Whether `find` would give a zone, or ask which city is meant."""
    return bool(_iana(place) or _known().get(plain_name(place)) or _in_region(place))


def _in_region(place: str) -> tuple[str, str] | None:
    """ "Paris, Texas" is where Texas is; "Sydney, Australia" is Sydney, since Australia alone does not say."""
    city, comma, region = place.rpartition(",")
    if not comma:
        return None
    _, zone = _known().get(plain_name(region), ("", SEVERAL))
    return (place, zone) if zone != SEVERAL else _known().get(plain_name(city))


def _misheard(place: str) -> tuple[str, str] | None:
    close = difflib.get_close_matches(plain_name(place), _known(), n=1, cutoff=_ALIKE)
    return _known()[close[0]] if close else None


def _iana(place: str) -> ZoneInfo | None:
    if "/" not in place:
        return None
    wanted = place.casefold().replace(" ", "_")
    return next((ZoneInfo(name) for name in available_timezones() if name.casefold() == wanted), None)


@lru_cache(maxsize=1)
def _known() -> dict[str, tuple[str, str]]:
    """Key of a place -> its name, its zone; English names before those of `_german`. Read when the first question
    comes.
    """
    text = resources.files("appliance.skills.clock").joinpath("places.txt").read_text(encoding="utf-8")
    rows = [line.split(" = ") for line in text.splitlines() if not line.startswith("#")]
    english = {plain_name(name): (name, zone) for zone, names in rows for name in names.split("; ")}
    return _german(english) | english


def _german(english: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Countries, and the cities that zones are named after, as Unicode calls them in German."""
    german, countries = Locale("de"), Locale("en").territories
    cities = [(names["city"], zone) for zone, names in german.time_zones.items() if zone in zones() and "city" in names]
    named = [(name, english.get(plain_name(countries[code]))) for code, name in german.territories.items()]
    lands = [(name, found[1]) for name, found in named if found]
    return {plain_name(name): (name, zone) for name, zone in [*cities, *lands]}


def plain_name(place: str) -> str:
    """The name without case, accents, punctuation and article: São Paulo and sao paulo are one."""
    letters = unicodedata.normalize("NFKD", place.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = re.sub(r"[^\w\s]", " ", plain.replace(".", "").replace("'", "")).split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in ARTICLES else words)
