"""Which time zone a place is in, from places.txt (see models/training/make_places.py)."""

from __future__ import annotations

import difflib
import re
import unicodedata
from functools import lru_cache
from importlib import resources
from zoneinfo import ZoneInfo, available_timezones

from appliance.errors import BadArgument

SEVERAL = "?"
"""Stands in the file for the zone of a place with more than one."""
_ALIKE = 0.88
"""difflib ratio from which a name is taken to be misheard: "Nairobie" is Nairobi, "Narnia" is not Narva."""


def find(place: str) -> tuple[str, ZoneInfo]:
    """The place as it is called, and its zone. Also takes "Paris, Texas" and IANA names such as Europe/Berlin.

    Raises BadArgument when nobody knows it or it has several zones.
    """
    if zone := _iana(place):
        return zone.key.rsplit("/", 1)[-1].replace("_", " "), zone
    known = _known()
    name, zone_name = known.get(plain_name(place)) or _in_region(place) or _misheard(place) or ("", "")
    if not name:
        raise BadArgument(f"I do not know what the time is in {place}.", remedy="name a large city near it")
    if zone_name == SEVERAL:
        raise BadArgument(f"There is more than one time in {name}. Which city?", remedy="name a city there")
    return name, ZoneInfo(zone_name)


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
    """Key of a place -> its name, its zone. Read when the first question comes."""
    text = resources.files("appliance.skills.clock").joinpath("places.txt").read_text(encoding="utf-8")
    rows = [line.split(" = ") for line in text.splitlines() if not line.startswith("#")]
    return {plain_name(name): (name, zone) for zone, names in rows for name in names.split("; ")}


def plain_name(place: str) -> str:
    """The name without case, accents, punctuation and "the": São Paulo and sao paulo are one."""
    letters = unicodedata.normalize("NFKD", place.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = re.sub(r"[^\w\s]", " ", plain.replace(".", "").replace("'", "")).split()
    return " ".join(words[1:] if words[:1] == ["the"] else words)
