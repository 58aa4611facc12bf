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

from appliance.errors import BadArgument
from appliance.tools.places import find, plain_name
from appliance.tools.zones import zones

PARTS = {"england": "GB", "scotland": "GB", "wales": "GB", "northern ireland": "GB", "great britain": "GB"}
"""Names of what is part of a country, or else than Unicode calls it -> its code (ISO 3166-1)."""
PARTS |= {"uk": "GB", "holland": "NL", "usa": "US", "america": "US", "czech republic": "CZ", "turkey": "TR"}
EUROPEAN = dict.fromkeys(re.findall("..", "ATBEBGCHCYCZDEDKEEESFIFRGRHRHUISITLILTLULVMTNLNOPLPTROSESISK"), "112")
FOR_ALL = EUROPEAN | {"AU": "000", "CA": "911", "GB": "999", "IE": "999", "NZ": "111", "US": "911"}
"""The one number for police, fire brigade and ambulance, where that is certain; of other countries nothing is told.
Each is held against libphonenumber by a test."""
LANGUAGES_MOST = 3


def customs(place: str, language: str) -> Mapping[str, str]:
    """`country`, `money`, `languages`, `emergency` and `prefix` of the one that `place` is in, each in words.

    Empty where nobody knows which that is; a part that is not known is left out. language: of the words, ISO 639-1.
    """
    code = country_code(place)
    if not code:
        return {}
    own = Locale(language)
    money = (get_currency_name(each, locale=own) for each in get_territory_currencies(code))
    prefix = phonenumbers.country_code_for_region(code)
    parts = {
        "country": own.territories[code],
        "money": ", ".join(money),
        "languages": ", ".join(_spoken(code, own)[:LANGUAGES_MOST]),
        "emergency": FOR_ALL.get(code, ""),
        "prefix": f"+{prefix}" if prefix else "",
    }
    return {name: text for name, text in parts.items() if text}


def _spoken(code: str, own: Locale) -> list[str]:
    """The official languages; of one and its kinds that one: Norwegian, and not Bokmål besides."""
    named = [own.languages.get(each, "") for each in get_official_languages(code, de_facto=True)]
    return [name for name in named if name and not any(other and other != name and other in name for other in named)]


def country_code(place: str) -> str:
    """That of the country, ISO 3166-1; empty where it is not known, or may be one of several."""
    region, codes = plain_name(place.rpartition(",")[2]), _codes()
    if code := codes.get(region):
        return code
    try:
        _, zone = find(place)
    except BadArgument:
        return ""
    found = zones().get(zone.key)
    return found.country if found else ""


def country_in(text: str) -> str:
    """The name, as it was written, of the country that stands in it behind "in" and the like; empty where none does."""
    found = _names().search(text)
    return found["name"] if found else ""


@cache
def _names() -> re.Pattern[str]:
    """Of the countries, the longest first: Guinea-Bissau is not Guinea. Alone they may be a friend's: Chad, Jordan."""
    names = {*Locale("en").territories.values(), *PARTS}
    longest = sorted((name for name in names if plain_name(name) in _codes()), key=len, reverse=True)
    named = "|".join(map(re.escape, longest))
    return re.compile(rf"\b(?:in|of|to|from|for) (?:the )?(?P<name>{named})\b", re.IGNORECASE)


@cache
def _codes() -> dict[str, str]:
    """A country's name without case and accents -> its code."""
    names = Locale("en").territories
    countries = {plain_name(name): code for code, name in names.items() if code.isalpha() and len(code) == 2}
    return countries | PARTS
