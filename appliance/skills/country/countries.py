"""What is usual in the country that a place is in: its money, its languages, and whom to ring in need.

Names and money are Unicode's (babel), telephone numbers those of libphonenumber: both are kept up to date by others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import phonenumbers
from babel import Locale
from babel.languages import get_official_languages
from babel.numbers import get_currency_name, get_territory_currencies

from appliance.skills.clock.places import find, is_known, plain_name
from appliance.skills.clock.zones import zones

PARTS = {"england": "GB", "scotland": "GB", "wales": "GB", "northern ireland": "GB", "great britain": "GB"}
"""Names of what is part of a country, or else than Unicode calls it -> its code (ISO 3166-1)."""
PARTS |= {"bosnia": "BA", "korea": "KR", "macedonia": "MK", "ivory coast": "CI", "burma": "MM", "emirates": "AE"}
PARTS |= {
    "us": "US",
    "states": "US",
    "uk": "GB",
    "holland": "NL",
    "usa": "US",
    "america": "US",
    "czech republic": "CZ",
    "turkey": "TR",
}
EUROPEAN = dict.fromkeys(re.findall("..", "ATBEBGCHCYCZDEDKEEESFIFRGRHRHUISITLILTLULVMTNLNOPLPTROSESISK"), "112")
FOR_ALL = EUROPEAN | {"AU": "000", "CA": "911", "GB": "999", "IE": "999", "NZ": "111", "US": "911"}
"""The one number for police, fire brigade and ambulance, where that is certain; of other countries nothing is told.
Each is held against libphonenumber by a test."""
LANGUAGES_MOST = 3
SHORT = ("us", "states")
"""Names that are words, too: only behind "in the"."""
TWICE = "GE"
"""The country that has its name in common with an American state."""
_LOCALES = (Locale("en"), Locale("de"))


def customs(place: str, zone: str = "", language: str = "en") -> Mapping[str, str]:
    """`country`, `money`, `languages`, `emergency` and `prefix` of the one that `place` is in, in words of `language`.

    Empty where it is not certain which that is; a part that is not known is left out. zone: the box's own, such as
    Europe/Berlin: whom to ring is only told where that or the place names the country, for there is a Boston in two.
    """
    code = country_code(place)
    if not code:
        return {}
    names = Locale(language)
    certain = certain_code(place, zone) == code
    prefix = phonenumbers.country_code_for_region(code)
    parts = {
        "country": names.territories[code],
        "money": ", ".join(get_currency_name(each, locale=names) for each in get_territory_currencies(code)),
        "languages": ", ".join(_spoken(code, names)[:LANGUAGES_MOST]),
        "emergency": FOR_ALL.get(code, "") if certain else "",
        "prefix": f"+{prefix}" if prefix else "",
    }
    return {name: text for name, text in parts.items() if text}


def certain_code(place: str, zone: str) -> str:
    """That of the country whose number may be rung in need: the place names it, or its zone agrees; empty otherwise.

    place: without one, that of the zone is meant.  zone: the box's own, such as Europe/Berlin.
    """
    zoned = zones()[zone].country if zone in zones() else ""
    code = country_code(place) if place else zoned
    named = _codes().get(plain_name(place.rpartition(",")[2])) == code
    return code if named or zoned == code else ""


def _spoken(code: str, names: Locale) -> list[str]:
    """The official languages; of one and its kinds that one: Norwegian, and not Bokmål besides."""
    named = [names.languages.get(each, "") for each in get_official_languages(code, de_facto=True)]
    return [name for name in named if name and not any(other and other != name and other in name for other in named)]


def country_code(place: str) -> str:
    """That of the country, ISO 3166-1; empty where it is not known, or may be one of several.

    What stands behind a comma decides alone: a county or a state says nothing, and Georgia is two.
    """
    city, comma, region = place.rpartition(",")
    code = _codes().get(plain_name(region), "")
    if code and code != TWICE:
        return code
    name = city if comma else place
    if (comma and not code) or not is_known(name):
        return "" if comma else code
    _, zone = find(name)
    found = zones().get(zone.key) if zone else None
    return found.country if found and code in ("", found.country) else ""


def country_in(text: str) -> str:
    """The name, as it was written, of the country that stands in it; empty where none does."""
    found = _names().search(text)
    return found[found.lastgroup or 0] if found else ""


@cache
def _names() -> re.Pattern[str]:
    """Of the countries, the longest first: Guinea-Bissau is not Guinea."""
    names = {*PARTS, *(name for locale in _LOCALES for name in locale.territories.values())}
    longest = sorted((name for name in names if plain_name(name) in _codes()), key=len, reverse=True)
    others = "|".join(map(re.escape, (name for name in longest if name not in SHORT)))
    return re.compile(rf"\b(?:in the (?P<short>{'|'.join(SHORT)})|(?P<name>{others}))\b", re.IGNORECASE)


@cache
def _codes() -> dict[str, str]:
    """A country's name, English or German, without case and accents -> its code."""
    named = [(plain_name(name), code) for locale in _LOCALES for code, name in locale.territories.items()]
    return {name: code for name, code in named if code.isalpha() and len(code) == 2} | PARTS
