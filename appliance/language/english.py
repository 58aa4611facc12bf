"""How numbers, times, dates, money, units and abbreviations are said in English: one table, applied from top to bottom.

The voice would read most plain numbers well by itself; years, times, money and units it would not.
Every pattern is linear in the length of the text. A rule may leave digits for a later rule to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from appliance.language.english_words import (
    ABBREVIATIONS,
    LANGUAGE,
    MONTHS,
    TITLES,
    UNITS,
    Match,
    address,
    clock_time,
    count,
    date,
    day_first,
    decade,
    dot,
    dotted,
    fraction,
    half_of_day,
    money,
    numbered_date,
    say,
    telephone,
)
from appliance.language.numbers import ordinal, year
from appliance.language.words import alternatives

Rule = tuple[re.Pattern[str], str | Callable[[Match], str]]

_FULL_MONTH = "|".join(MONTHS)
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

_UNIT = alternatives(UNITS)


_TABLE: tuple[tuple[str, str | Callable[[Match], str]], ...] = (
    (r"\bhttps?://(?:www\.)?(?P<host>[^\s/?#:]+)[^\s]*?(?=[.,;:!?)]{0,3}(?:\s|$))", address),
    (r"(?<=\w)@(?=\w)", " at "),
    # dates
    (r"(?<![\w-])(?P<year>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?![\w-])", numbered_date),
    (r"(?<![\w/])(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<year>\d{4})(?![\w/])", numbered_date),
    (rf"\b{_MONTH} {_DAY}(?!\w|[.,:/]\d)(?:,? (?P<year>{_YEAR})\b)?", date),
    (rf"\b(?P<day>)(?P<month>{_FULL_MONTH}) (?P<year>{_YEAR})\b", date),
    (rf"(?P<the>\bthe )?{_BEFORE}{_DAY} (?:of )?{_MONTH}(?:,? (?P<year>{_YEAR})\b)?", day_first),
    # times of day
    (rf"(?<=\d) ?[-–] ?(?=\d{{1,2}}(?::\d\d\b|{_MERIDIEM}))", " to "),
    (rf"{_CLOCK}(?![\d:])(?:{_MERIDIEM})?", clock_time),
    (rf"(?<![\d:.,])(?P<hour>1[0-2]|0?[1-9]){_MERIDIEM}", lambda m: say(str(int(m["hour"]))) + half_of_day(m)),
    (r"(?<![\d:])(\d{1,4}):(\d{1,4})(?![\d:])", r"\1 to \2"),
    # years
    (rf"(?:{_BEFORE}(?P<century>{_CENTURY})|(?<=\bthe )|(?<='))(?P<decade>[2-9]0|(?<=\d\d)[01]0)'?s\b", decade),
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
    (r"(?<![\w-])(?:\d{3}-)?\d{3}-\d{4}(?![\w-])", telephone),
    (r"(?<![\w.,])\d{1,9}(?:\.\d{1,9}){2,9}(?!\w|\.\d)", dotted),
    # money, fractions, ordinals
    (rf"(?P<coin>[$€£¥]) ?(?P<number>{_NUMBER}){_SCALE}", money),
    (rf"{_BEFORE}(?P<number>{_NUMBER}){_SCALE} ?(?P<coin>[$€£¥])", money),
    (r"\b24/7\b", "twenty four seven"),
    (r"(?<![\w/.,])(?:(?P<whole>\d{1,9}) )?(?P<top>\d{1,2})/(?P<bottom>\d{1,3})(?![\w/])", fraction),
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
        lambda m: ("minus " if m["sign"] else "") + count(m["number"], *UNITS[m["unit"]]),
    ),
    (r"\^2(?!\d)", " squared"),
    (r"\^3(?!\d)", " cubed"),
    (r"\^(?=-?\d)", " to the power of "),
    # abbreviations
    (rf"\b({alternatives(TITLES)})\.? (?=[A-Z])", lambda m: f"{TITLES[m[1]]} "),
    (r"\b([Nn]o)\. ?(?=\d)", "number "),
    (rf"\b({alternatives(ABBREVIATIONS)})\.", lambda m: ABBREVIATIONS[m[1]] + dot(m)),
    (r"\b((?:[A-Z]\.){2,9})", lambda m: m[1].replace(".", " ").strip() + dot(m)),
    (r" ?& ?", " and "),
    (r"#(?=\d)", "number "),
    # what is left
    (rf"(?<![\w.,)])-(?={_NUMBER}{_AFTER})", "minus "),
    (rf"{_BEFORE}{_NUMBER}{_AFTER}", lambda m: say(m[0])),
)

RULES: tuple[Rule, ...] = tuple((re.compile(pattern), replacement) for pattern, replacement in _TABLE)
