"""What a time, a date, a sum of money or a fraction in written English is in words, by the match of its pattern.

The patterns are in english.py, numbers themselves in numbers.py.
"""

from __future__ import annotations

import re

from babel import Locale

from appliance.language.as_written import Match, dot, roman_number, spelt_out
from appliance.language.numbers import cardinal, digits, ordinal, year
from appliance.language.words import language_data

LANGUAGE = "en"
MONTHS: list[str] = [name for _, name in sorted(Locale(LANGUAGE).months["format"]["wide"].items())]
_DATA = language_data(LANGUAGE)
assert _DATA is not None, "English is there"
UNITS: dict[str, list[str]] = {
    unit: said if isinstance(said, list) else [said, f"{said}s"] for unit, said in _DATA["written"]["units"].items()
}
COINS: dict[str, list[str]] = _DATA["written"]["coins"]
TITLES: dict[str, str] = _DATA["written"]["titles"]
ABBREVIATIONS: dict[str, str] = _DATA["written"]["abbreviations"]
SCALES: dict[str, str] = _DATA["written"]["scales"]
PER: dict[str, str] = _DATA["written"]["per"]
WEEKDAYS: dict[str, str] = _DATA["written"]["weekdays"]
STREETS: dict[str, str] = _DATA["written"]["streets"]
BY_DIGITS: list[str] = _DATA["written"]["by_digits"]
COUNTED: list[str] = _DATA["written"]["counted"]
CROWNED: list[str] = _DATA["written"]["crowned"]


def say(number: str) -> str:
    return cardinal(number, LANGUAGE)


def count(number: str, one: str, many: str) -> str:
    return f"{say(number)} {one if number == '1' else many}"


def half_of_day(match: Match) -> str:
    """The voice reads "p m" as letters, but "a m" as an article and a letter."""
    half = {"a": " a.m.", "p": " p m" + dot(match)}
    return half.get((match["half"] or "").lower(), "")


def clock_time(match: Match) -> str:
    hour, minute, half = match["hour"], match["minute"], half_of_day(match)
    seconds = f" and {count(str(int(match['second'])), 'second', 'seconds')}" if match["second"] else ""
    words = say(str(int(hour)))
    if minute != "00":
        words += f" oh {say(minute[1])}" if minute[0] == "0" else f" {say(minute)}"
    elif not half:
        words = "midnight" if int(hour) == 0 else f"{words} hundred" if int(hour) > 12 else f"{words} o'clock"
    return words + seconds + half


def date(match: Match) -> str:
    return _spoken_date(month(match), match["day"], match["year"])


def day_first(match: Match) -> str:
    return f"the {ordinal(match['day'], LANGUAGE)} of {_spoken_date(month(match), None, match['year'])}"


def month(match: Match) -> str:
    return next(name for name in MONTHS if name.startswith(match["month"][:3]))


def numbered_date(match: Match) -> str:
    """ISO, or month/day/year as the voice's country writes it; day first where only that can be."""
    month, day = int(match["m"]), int(match["d"])
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return digits(re.sub(r"\D", "", match[0]), LANGUAGE)
    return _spoken_date(MONTHS[month - 1], str(day), match["year"])


def _spoken_date(month: str, day: str | None, number: str | None) -> str:
    words = f"{month} {ordinal(day, LANGUAGE)}" if day else month
    return f"{words}{',' if day else ''} {year(number, LANGUAGE)}" if number else words


def money(match: Match) -> str:
    one, many, cent, cents = COINS[match["coin"]]
    if scale := match["scale"] or SCALES.get(match["short"] or ""):
        return f"{say(match['number'])} {scale} {many}"
    whole, _, fraction = match["number"].partition(".")
    if len(fraction) > 2:
        return f"{say(match['number'])} {many}"
    small = str(int(fraction.ljust(2, "0")))
    parts = [count(whole, one, many)] if whole != "0" or small == "0" else []
    parts += [count(small, cent, cents)] if small != "0" else []
    return " and ".join(parts)


def fraction(match: Match) -> str:
    top, bottom = int(match["top"]), int(match["bottom"])
    whole = f"{say(match['whole'])} and " if match["whole"] else ""
    if not 0 < top < bottom or bottom < 2:
        return f"{whole}{say(match['top'])} over {say(match['bottom'])}"
    part = {2: "half", 4: "quarter"}.get(bottom) or ordinal(str(bottom), LANGUAGE)
    unit = f" {UNITS[match['unit']][1 if whole else 0]}" if match["unit"] else ""
    if whole and (top, bottom) == (1, 2):
        return f"{whole}a half{unit}"
    return f"{whole}{say(str(top))} {part}{'s' if top > 1 else ''}{unit}"


def decade(match: Match) -> str:
    century, decade = match["century"], match["decade"]
    words = year(century + decade, LANGUAGE) if century else say(decade)
    return words[:-1] + "ies" if words.endswith("y") else words + "s"


def telephone(match: Match) -> str:
    return ", ".join(digits(group, LANGUAGE) for group in match[0].split("-"))


def dotted(match: Match) -> str:
    parts = match[0].split(".")
    return (" dot " if len(parts) == 4 else " point ").join(say(part) for part in parts)


def address(match: Match) -> str:
    return match["host"].replace(".", " dot ")


def by_digits(match: Match) -> str:
    return spelt_out(match, LANGUAGE)


def roman(match: Match) -> str:
    """Chapter four, World War Two, Henry the eighth."""
    number = roman_number(match["roman"])
    if match["crowned"]:
        return f"{match['crowned']} the {ordinal(number, LANGUAGE)}"
    words = say(number)
    return f"{match['before']} {words.title() if match['before'][0].isupper() else words}"


def feet(match: Match) -> str:
    inches = f" {count(match['inches'], 'inch', 'inches')}" if match["inches"] else ""
    return f"{count(match['feet'], 'foot', 'feet')}{inches}"
