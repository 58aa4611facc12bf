"""How numbers, times, dates, money, units and abbreviations are said in English: one table, applied from top to bottom.

The voice would read most plain numbers well by itself; years, times, money and units it would not.
Every pattern is linear in the length of the text. A rule may leave digits for a later rule to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from appliance.language.numerals import cardinal, digits, ordinal, year

Match = re.Match[str]
Rule = tuple[re.Pattern[str], str | Callable[[Match], str]]

LANGUAGE = "en"
_FULL_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTHS = _FULL_MONTH.split("|")
_MONTH = rf"(?P<month>{_FULL_MONTH}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_CENTURY = r"(?:1[1-9]|20)"
_YEAR = rf"{_CENTURY}\d\d"
_BEFORE_YEAR = (
    r"(?:in|since|until|till|during|before|after|year|circa|born|died|founded|spring|summer|autumn|winter)(?: of)?"
)
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_BEFORE = r"(?<![\w.,])"
_AFTER = r"(?!\w|[.,]\d)"
_MERIDIEM = r" ?(?P<half>[ap])(?:\.m\.|m\b\.?)"
_CLOCK = r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
_SCALE = r"(?: ?(?P<scale>thousand|million|billion|trillion)\b)?"

_UNITS = {
    "%": ("percent", "percent"),
    "°C": ("degree Celsius", "degrees Celsius"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°": ("degree", "degrees"),
    "km/h": ("kilometer per hour", "kilometers per hour"),
    "kph": ("kilometer per hour", "kilometers per hour"),
    "mph": ("mile per hour", "miles per hour"),
    "m/s": ("meter per second", "meters per second"),
    "km^2": ("square kilometer", "square kilometers"),
    "m^2": ("square meter", "square meters"),
    "m^3": ("cubic meter", "cubic meters"),
    "km": ("kilometer", "kilometers"),
    "m": ("meter", "meters"),
    "cm": ("centimeter", "centimeters"),
    "mm": ("millimeter", "millimeters"),
    "mi": ("mile", "miles"),
    "ft": ("foot", "feet"),
    "yd": ("yard", "yards"),
    "kg": ("kilogram", "kilograms"),
    "g": ("gram", "grams"),
    "mg": ("milligram", "milligrams"),
    "lb": ("pound", "pounds"),
    "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"),
    "tsp": ("teaspoon", "teaspoons"),
    "tbsp": ("tablespoon", "tablespoons"),
    "l": ("liter", "liters"),
    "L": ("liter", "liters"),
    "ml": ("milliliter", "milliliters"),
    "mL": ("milliliter", "milliliters"),
    "h": ("hour", "hours"),
    "hr": ("hour", "hours"),
    "hrs": ("hour", "hours"),
    "min": ("minute", "minutes"),
    "mins": ("minute", "minutes"),
    "s": ("second", "seconds"),
    "sec": ("second", "seconds"),
    "secs": ("second", "seconds"),
    "ms": ("millisecond", "milliseconds"),
    "W": ("watt", "watts"),
    "kW": ("kilowatt", "kilowatts"),
    "kWh": ("kilowatt hour", "kilowatt hours"),
    "V": ("volt", "volts"),
    "Hz": ("hertz", "hertz"),
    "kHz": ("kilohertz", "kilohertz"),
    "MHz": ("megahertz", "megahertz"),
    "GHz": ("gigahertz", "gigahertz"),
    "KB": ("kilobyte", "kilobytes"),
    "MB": ("megabyte", "megabytes"),
    "GB": ("gigabyte", "gigabytes"),
    "TB": ("terabyte", "terabytes"),
    "hPa": ("hectopascal", "hectopascals"),
    "dB": ("decibel", "decibels"),
}
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))

_COINS = {
    "$": ("dollar", "dollars", "cent", "cents"),
    "€": ("euro", "euros", "cent", "cents"),
    "£": ("pound", "pounds", "penny", "pence"),
    "¥": ("yen", "yen", "sen", "sen"),
}
_ABBREVIATIONS = {
    "Dr": "Doctor", "Mr": "Mister", "Mrs": "Missus", "Ms": "Miss", "Prof": "Professor", "St": "Saint", "Mt": "Mount",
    "Jr": "Junior", "Sr": "Senior", "e.g": "for example", "i.e": "that is", "vs": "versus", "etc": "et cetera",
    "approx": "approximately", "No": "number", "no": "number",
}  # fmt: skip


def _say(number: str) -> str:
    return cardinal(number, LANGUAGE)


def _count(number: str, one: str, many: str) -> str:
    return f"{_say(number)} {one if number == '1' else many}"


def _dot(match: Match) -> str:
    """The full stop that an abbreviation swallowed at the end of a sentence."""
    return "." if match[0].endswith(".") and match.end() == len(match.string) else ""


def _half_of_day(match: Match) -> str:
    """The voice reads "p m" as letters, but "a m" as an article and a letter."""
    half = {"a": " a.m.", "p": " p m" + _dot(match)}
    return half.get(match["half"] or "", "")


def _time(match: Match) -> str:
    hour, minute, half = match["hour"], match["minute"], _half_of_day(match)
    seconds = f" and {_count(str(int(match['second'])), 'second', 'seconds')}" if match["second"] else ""
    words = _say(str(int(hour)))
    if minute != "00":
        words += f" oh {_say(minute[1])}" if minute[0] == "0" else f" {_say(minute)}"
    elif not half:
        words = "midnight" if int(hour) == 0 else f"{words} hundred" if int(hour) > 12 else f"{words} o'clock"
    return words + seconds + half


def _date(match: Match) -> str:
    return _spoken_date(_month(match), match["day"], match["year"])


def _day_first(match: Match) -> str:
    return f"the {ordinal(match['day'], LANGUAGE)} of {_spoken_date(_month(match), None, match['year'])}"


def _month(match: Match) -> str:
    return next(name for name in _MONTHS if name.startswith(match["month"][:3]))


def _numbered_date(match: Match) -> str:
    """ISO, or month/day/year as the voice's country writes it; day first where only that can be."""
    month, day = int(match["m"]), int(match["d"])
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return digits(re.sub(r"\D", "", match[0]), LANGUAGE)
    return _spoken_date(_MONTHS[month - 1], str(day), match["year"])


def _spoken_date(month: str, day: str | None, number: str | None) -> str:
    words = f"{month} {ordinal(day, LANGUAGE)}" if day else month
    return f"{words}{',' if day else ''} {year(number, LANGUAGE)}" if number else words


def _money(match: Match) -> str:
    one, many, cent, cents = _COINS[match["coin"]]
    if match["scale"]:
        return f"{_say(match['number'])} {match['scale']} {many}"
    whole, _, fraction = match["number"].partition(".")
    if len(fraction) > 2:
        return f"{_say(match['number'])} {many}"
    small = str(int(fraction.ljust(2, "0")))
    parts = [_count(whole, one, many)] if whole != "0" or small == "0" else []
    parts += [_count(small, cent, cents)] if small != "0" else []
    return " and ".join(parts)


def _fraction(match: Match) -> str:
    top, bottom = int(match["top"]), int(match["bottom"])
    whole = f"{_say(match['whole'])} and " if match["whole"] else ""
    if not 0 < top < bottom or bottom < 2:
        return f"{whole}{_say(match['top'])} over {_say(match['bottom'])}"
    part = {2: "half", 4: "quarter"}.get(bottom) or ordinal(str(bottom), LANGUAGE)
    if whole and (top, bottom) == (1, 2):
        return f"{whole}a half"
    return f"{whole}{_say(str(top))} {part}{'s' if top > 1 else ''}"


def _decade(match: Match) -> str:
    century, decade = match["century"], match["decade"]
    words = year(century + decade, LANGUAGE) if century else _say(decade)
    return words[:-1] + "ies" if words.endswith("y") else words + "s"


def _telephone(match: Match) -> str:
    return ", ".join(digits(group, LANGUAGE) for group in match[0].split("-"))


def _dotted(match: Match) -> str:
    parts = match[0].split(".")
    return (" dot " if len(parts) == 4 else " point ").join(_say(part) for part in parts)


def _address(match: Match) -> str:
    return match["host"].replace(".", " dot ")


_TABLE: tuple[tuple[str, str | Callable[[Match], str]], ...] = (
    (r"\bhttps?://(?:www\.)?(?P<host>[^\s/?#:]+)[^\s]*?(?=[.,;:!?)]{0,3}(?:\s|$))", _address),
    (r"(?<=\w)@(?=\w)", " at "),
    # dates
    (r"(?<![\w-])(?P<year>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?![\w-])", _numbered_date),
    (r"(?<![\w/])(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<year>\d{4})(?![\w/])", _numbered_date),
    (rf"\b{_MONTH} {_DAY}(?!\w|[.,:/]\d)(?:,? (?P<year>{_YEAR})\b)?", _date),
    (rf"\b(?P<day>)(?P<month>{_FULL_MONTH}) (?P<year>{_YEAR})\b", _date),
    (rf"(?P<the>\bthe )?{_BEFORE}{_DAY} (?:of )?{_MONTH}(?:,? (?P<year>{_YEAR})\b)?", _day_first),
    # times of day
    (rf"(?<=\d) ?[-–] ?(?=\d{{1,2}}(?::\d\d\b|{_MERIDIEM}))", " to "),
    (rf"{_CLOCK}(?![\d:])(?:{_MERIDIEM})?", _time),
    (rf"(?<![\d:.,])(?P<hour>1[0-2]|0?[1-9]){_MERIDIEM}", lambda m: _say(str(int(m["hour"]))) + _half_of_day(m)),
    (r"(?<![\d:])(\d{1,4}):(\d{1,4})(?![\d:])", r"\1 to \2"),
    # years
    (rf"(?:{_BEFORE}(?P<century>{_CENTURY})|(?<=\bthe )|(?<='))(?P<decade>[2-9]0|(?<=\d\d)[01]0)'?s\b", _decade),
    (rf"{_BEFORE}({_YEAR})[-–]({_YEAR})(?![\w-])", lambda m: f"{year(m[1], LANGUAGE)} to {year(m[2], LANGUAGE)}"),
    (
        rf"\b({_BEFORE_YEAR}) ({_YEAR})(?!\w|[.,:/]\d|[ -]?(?:%|°)|[ ](?:{_UNIT})\b|[ ][a-z]+s\b)",
        lambda m: f"{m[1]} {year(m[2], LANGUAGE)}",
    ),
    (
        rf"(?:(?<=\()|^)({_YEAR})(?=\)|,? (?:was|is|will|saw|had|has|marked|AD|BC|CE)\b)",
        lambda m: year(m[1], LANGUAGE),
    ),
    # telephone numbers and versions, before they look like ranges and decimals
    (r"(?<![\w-])(?:\d{3}-)?\d{3}-\d{4}(?![\w-])", _telephone),
    (r"(?<![\w.,])\d{1,9}(?:\.\d{1,9}){2,9}(?!\w|\.\d)", _dotted),
    # money, fractions, ordinals
    (rf"(?P<coin>[$€£¥]) ?(?P<number>{_NUMBER}){_SCALE}", _money),
    (rf"{_BEFORE}(?P<number>{_NUMBER}){_SCALE} ?(?P<coin>[$€£¥])", _money),
    (r"\b24/7\b", "twenty four seven"),
    (r"(?<![\w/.,])(?:(?P<whole>\d{1,9}) )?(?P<top>\d{1,2})/(?P<bottom>\d{1,3})(?![\w/])", _fraction),
    (rf"{_BEFORE}(\d{{1,15}})(?:st|nd|rd|th)\b", lambda m: ordinal(m[1], LANGUAGE)),
    # calculations and comparisons
    (r"(?<=[\d)]) ?[x×*] ?(?=[\d(√])", " times "),
    (r"(?<=\d)[x×]\b", " times"),
    (r"(?<=[\d)%]) ?÷ ?(?=[\d(])|(?<=[\d)]) / (?=[\d(])", " divided by "),
    (r"(?<=[\d)%]) ?\+ ?(?=[\d(-])", " plus "),
    (r"(?<=[\d)%]) [-–] (?=[\d(])", " minus "),
    (rf"{_BEFORE}({_NUMBER}) ?[-–] ?(?={_NUMBER}{_AFTER}(?!-)|{_NUMBER} ?(?:{_UNIT}))", r"\1 to "),
    (r" ?= ?", " equals "),
    (r" < ", " is less than "),
    (r" > ", " is more than "),
    (r" ?≤ ?", " is at most "),
    (r" ?≥ ?", " is at least "),
    (r" ?≠ ?", " is not "),
    (r"≈ ?|~(?=\d)", "about "),
    (r" ?± ?", " plus or minus "),
    (r"√ ?", "the square root of "),
    (r"π", "pi"),
    # units
    (r"\b(\d{1,3}) ?h ?(\d{1,2}) ?m\b", r"\1 h \2 min"),
    (r"(?<=\d)([CF])\b", r"°\1"),
    (
        rf"{_BEFORE}(?P<sign>-?)(?P<number>{_NUMBER})[ -]?(?P<unit>{_UNIT})(?![\w^]|/[a-z]|'\w)",
        lambda m: ("minus " if m["sign"] else "") + _count(m["number"], *_UNITS[m["unit"]]),
    ),
    (r"\^2(?!\d)", " squared"),
    (r"\^3(?!\d)", " cubed"),
    (r"\^(?=-?\d)", " to the power of "),
    # abbreviations
    (r"\b(Dr|Mr|Mrs|Ms|Prof|St|Mt)\.? (?=[A-Z])", lambda m: f"{_ABBREVIATIONS[m[1]]} "),
    (r"\b([Nn]o)\. ?(?=\d)", "number "),
    (r"\b(Jr|Sr|e\.g|i\.e|vs|etc|approx)\.", lambda m: _ABBREVIATIONS[m[1]] + _dot(m)),
    (r"\b((?:[A-Z]\.){2,9})", lambda m: m[1].replace(".", " ").strip() + _dot(m)),
    (r" ?& ?", " and "),
    (r"#(?=\d)", "number "),
    # what is left
    (rf"(?<![\w.,)])-(?={_NUMBER}{_AFTER})", "minus "),
    (rf"{_BEFORE}{_NUMBER}{_AFTER}", lambda m: _say(m[0])),
)

RULES: tuple[Rule, ...] = tuple((re.compile(pattern), replacement) for pattern, replacement in _TABLE)
