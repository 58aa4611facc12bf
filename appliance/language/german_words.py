"""What a time, a date, a sum of money or a Roman number in written German is in words, by the match of its pattern.

The patterns are in german.py, numbers themselves in numbers.py.
"""

from __future__ import annotations

from babel import Locale

from appliance.language.as_written import Match, dot, roman_number, spelt_out
from appliance.language.numbers import cardinal, ordinal, year
from appliance.language.words import language_data

LANGUAGE = "de"
MONTHS: list[str] = [name for _, name in sorted(Locale(LANGUAGE).months["format"]["wide"].items())]
_DATA = language_data(LANGUAGE)
assert _DATA is not None, "German is there"
WRITTEN = _DATA["written"]
UNITS: dict[str, list[str]] = WRITTEN["units"]
COINS: dict[str, list[str]] = WRITTEN["coins"]
SCALES: dict[str, list[str]] = WRITTEN["scales"]
ABBREVIATIONS: dict[str, str] = WRITTEN["abbreviations"]
SHORT_MONTHS: dict[str, int] = WRITTEN["months"]
_PARTS = {"3": "drittel", "4": "viertel"}


def say(number: str) -> str:
    """ "1.250" or "4,5" in words."""
    return cardinal(number.replace(".", "").replace(",", "."), LANGUAGE)


def signed(match: Match) -> str:
    return "minus " if match["sign"] else ""


def count(number: str, forms: list[str]) -> str:
    """ "1" and a unit is "ein Meter", "eine Minute"."""
    one, many = forms[0], forms[-1]
    return one if number == "1" else f"{say(number)} {many}"


def unit(match: Match) -> str:
    return signed(match) + count(match["number"], UNITS[match["unit"]]) + dot(match)


def money(match: Match) -> str:
    """ "12,99 €": zwölf Euro neunundneunzig."""
    one, many, cent = COINS[match["coin"]]
    if scale := match["scale"]:
        return f"{count(match['number'], SCALES[scale])} {many}"
    whole, _, fraction = match["number"].partition(",")
    small = str(int(fraction.ljust(2, "0"))) if fraction else "0"
    if len(fraction) > 2:
        return f"{say(match['number'])} {many}"
    if whole == "0" and small != "0":
        return f"{say(small)} {cent}"
    return count(whole, [one, many]) + (f" {say(small)}" if small != "0" else "")


def scaled(match: Match) -> str:
    """ "2,5 Mio. Einwohner"."""
    one, many = SCALES[match["scale"]]
    return (one if match["number"] == "1" else f"{say(match['number'])} {many}") + dot(match)


def clock_time(match: Match) -> str:
    hour = "ein" if int(match["hour"]) == 1 else say(str(int(match["hour"])))
    minute = int(match["minute"])
    return f"{hour} Uhr" + (f" {say(str(minute))}" if minute else "")


def score(match: Match) -> str:
    return f"{say(match['one'])} zu {say(match['other'])}"


def declined(number: str, lead: str) -> str:
    """An ordinal behind "am" or "der", or by itself: am dritten, der dritte, dritter."""
    word = ordinal(number, LANGUAGE)
    if lead.casefold() in WRITTEN["declined"]:
        return f"{word}n"
    return word if lead else f"{word}r"


def nth(match: Match) -> str:
    return f"{match['lead']} {declined(match['number'], match['lead'])}"


def date(match: Match) -> str:
    """ "am 3. Oktober 2026", "24.12.2026", "2026-01-03"."""
    lead = (match["lead"] or "").strip()
    month = match["month"]
    place = int(month) if month.isdigit() else SHORT_MONTHS.get(month) or MONTHS.index(month) + 1
    if not (1 <= place <= len(MONTHS) and 1 <= int(match["day"]) <= 31):
        return match[0]
    told = f"{declined(str(int(match['day'])), lead)} {MONTHS[place - 1]}"
    told = f"{told} {year(match['year'], LANGUAGE)}" if match["year"] else told
    return f"{lead} {told}" if lead else told


def spoken_year(match: Match) -> str:
    return year(match[0], LANGUAGE)


def decade(match: Match) -> str:
    return f"{year(match[1], LANGUAGE)}er"


def fraction(match: Match) -> str:
    """ "1/2 TL", "1 1/2 Stunden", "3/4 Liter"."""
    top, bottom, known = match["top"], match["bottom"], match["unit"]
    if known and (top, bottom) == ("1", "2") and not match["whole"] and known in WRITTEN["halves"]:
        return str(WRITTEN["halves"][known])
    name = f" {UNITS[known][-1]}" if known else ""
    if (top, bottom) == ("1", "2"):
        whole = match["whole"]
        return f"{'ein' if whole == '1' else say(whole)}einhalb{name}" if whole else f"ein halb{name}"
    part = _PARTS.get(bottom) or f"{cardinal(bottom, LANGUAGE)}{'tel' if int(bottom) < 20 else 'stel'}"
    whole = f"{say(match['whole'])} " if match["whole"] else ""
    return f"{whole}{'ein' if top == '1' else say(top)} {part}{name}"


def crowned(match: Match) -> str:
    """Ludwig der Vierzehnte; von Ludwig dem Vierzehnten."""
    word = ordinal(roman_number(match["roman"]), LANGUAGE).capitalize()
    lead = match["lead"] or ""
    article = f"dem {word}n" if lead.strip().casefold() in WRITTEN["dative"] else f"der {word}"
    return f"{lead}{match['who']} {article}{dot(match)}"


def counted(match: Match) -> str:
    return f"{match['what']} {say(roman_number(match['roman']))}"


def by_digits(match: Match) -> str:
    return spelt_out(match, LANGUAGE)


def address(match: Match) -> str:
    return match["host"].replace(".", " Punkt ")


def dotted(match: Match) -> str:
    return " Punkt ".join(cardinal(part, LANGUAGE) for part in match[0].split("."))
