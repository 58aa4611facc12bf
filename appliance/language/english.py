"""How numbers, times, dates, money, units and abbreviations are said in English: one table, applied from top to bottom.

The voice would read most plain numbers well by itself; years, times, money and units it would not.
Every pattern is linear in the length of the text. A rule may leave digits for a later rule to say.
"""

from __future__ import annotations

from appliance.language.as_written import HOST, LINK, MAIL_DOT, ROMAN, Rule, Table, dot, rules
from appliance.language.english_words import (
    ABBREVIATIONS,
    BY_DIGITS,
    COINS,
    COUNTED,
    CROWNED,
    LANGUAGE,
    MONTHS,
    PER,
    SCALES,
    STREETS,
    TITLES,
    UNITS,
    WEEKDAYS,
    address,
    by_digits,
    clock_time,
    count,
    date,
    day_first,
    decade,
    dotted,
    feet,
    fraction,
    half_of_day,
    money,
    numbered_date,
    roman,
    say,
    telephone,
)
from appliance.language.numbers import ordinal, year
from appliance.language.words import alternatives

_FULL_MONTH = "|".join(MONTHS)
_SHORT_MONTH = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_MONTH = rf"(?P<month>{_FULL_MONTH}|(?:{_SHORT_MONTH})\b\.?)"
_WEEKDAY = alternatives(WEEKDAYS)
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_CENTURY = r"(?:1[1-9]|10(?=[1-9])|20)"
_YEAR = rf"{_CENTURY}\d\d"
_BEFORE_YEAR = (
    r"(?i:in|since|until|till|during|before|after|from|by|around|between|year|circa|born|died|founded|"
    r"spring|summer|autumn|winter)(?: of)?"
)
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_BEFORE = r"(?<![\w.,])"
_AFTER = r"(?!\w|[.,]\d)"
_MERIDIEM = r" ?(?P<half>[apAP])(?:\.[mM]\.|[mM]\b\.?)"
_CLOCK = r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
_SCALE = rf"(?:(?: ?(?P<scale>thousand|million|billion|trillion)|(?P<short>{alternatives(SCALES)}))\b)?"

_UNIT = alternatives(UNITS)
_COIN = alternatives(COINS)
_IS = " is| was| ends in| ending in| number"
_ENDS = r"(?=$|[.,;:!?)]|'s\b| (?:and|of|was|is|had|ruled|reigned|died|married|the|in|became|wrote|to)\b)"


_TABLE: Table = (
    (LINK, address),
    (MAIL_DOT, " dot "),
    (rf"(?<=\w)@(?P<host>{HOST})\b", lambda m: f" at {address(m)}"),
    (rf"(?<![\w@./-])(?P<host>{HOST})(?:/[\w./?=&%#-]{{0,200}}[\w/])?(?![\w@])", address),
    (r"(?<=\w)@(?=\w)", " at "),
    # numbers that are names
    (rf"(?i:\b(?P<crowned>{alternatives(CROWNED)})) (?!I(?![IVX]|{_ENDS})){ROMAN}(?!\w)", roman),
    (rf"(?P<crowned>)(?i:\b(?P<before>{alternatives(COUNTED)})) {ROMAN}(?!\w)", roman),
    (rf"(?P<crowned>)\b(?P<before>[A-Z][a-z]{{1,30}}) (?=[IVX]{{2}}){ROMAN}(?!\w)", roman),
    (rf"(?P<before>\b(?i:{alternatives(BY_DIGITS)})(?:{_IS})?:? )(?P<number>\d(?:[ -]?\d){{2,22}})\b", by_digits),
    (
        r"(?P<before>\b(?i:call|ring|phone|dial) )(?P<number>\d{3})(?=$|[.,;:!?]|\s(?:for|if|and|or|in|now|at once)\b)",
        by_digits,
    ),
    (r"\bv(?=\d+(?:\.\d+)+)", "version "),
    (r"(?P<before>)(?<![\w+])(?P<number>\+\d{1,3}(?:[ -]?\(?\d{1,5}\)?){2,6})(?!\w)", by_digits),
    (r"(?P<before>)(?<![\w.,-])(?P<number>\(?0\d{1,4}\)?(?:[ -]\d{2,8}){1,4})(?![\w:-]|[.,]\d)", by_digits),
    (r"(?P<before>)(?<![\w.,-])(?P<number>\(\d{3}\) ?\d{3}-\d{4}|1-\d{3}-\d{3}-\d{4})(?!\w)", by_digits),
    (r"\b([A-Z])(\d{1,3})\b(?!\.\d)", r"\1 \2"),
    (r"(?<=[A-Za-z]{3})-(?=\d{1,3}\b)", " "),
    (rf"\b({_WEEKDAY})\.?[-–]({_WEEKDAY})\b\.?", lambda m: f"{WEEKDAYS[m[1]]} to {WEEKDAYS[m[2]]}"),
    (rf"\b({_WEEKDAY})\.?(?=,? (?:\d|(?:{_FULL_MONTH}|{_SHORT_MONTH})\b))", lambda m: WEEKDAYS[m[1]]),
    (rf"(?<=\b[Oo]n )({_WEEKDAY})\b\.?", lambda m: WEEKDAYS[m[1]]),
    (r"@ ?(?=\d)", "at "),
    (r"\b(?i:pp)\. ?(?=\d)", "pages "),
    (r"\b(?i:p)\. ?(?=\d)", "page "),
    (r"§ ?(?=\d)", "section "),
    (r"\bw/o\b", "without"),
    (r"\bw/(?= |\w{3})", "with "),
    # dates
    (r"(?<![\w-])(?P<year>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?![\w-])", numbered_date),
    (r"(?<![\w.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<year>(?:19|20)\d\d)(?![\w])", numbered_date),
    (r"(?<![\w/])(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<year>\d{4})(?![\w/])", numbered_date),
    (rf"\b{_MONTH} {_DAY}(?!\w|[.,:/]\d)(?:,? (?P<year>{_YEAR})\b)?", date),
    (rf"\b(?P<day>)(?P<month>{_FULL_MONTH}) (?P<year>{_YEAR})\b", date),
    (rf"(?P<the>\bthe )?{_BEFORE}{_DAY} (?:of )?{_MONTH}(?:,? (?P<year>{_YEAR})\b)?", day_first),
    # times of day
    (rf"(?<=\d) ?[-–] ?(?=\d{{1,2}}(?::\d\d\b|{_MERIDIEM}))", " to "),
    (r"(?<=[apAP][mM]) ?[-–] ?(?=\d)", " to "),
    (rf"{_CLOCK}(?![\d:])(?:{_MERIDIEM})?", clock_time),
    (rf"(?<![\d:.,])(?P<hour>1[0-2]|0?[1-9]){_MERIDIEM}", lambda m: say(str(int(m["hour"]))) + half_of_day(m)),
    (r"(?<![\d:])(\d{1,4}):(\d{1,4})(?![\d:])", r"\1 to \2"),
    # years
    (rf"(?:{_BEFORE}(?P<century>{_CENTURY})|(?<=\bthe )|(?<!\w)')(?P<decade>[2-9]0|(?<=\d\d)[01]0)'?s\b", decade),
    (
        rf"\bbetween ({_YEAR}) and ({_YEAR})\b",
        lambda m: f"between {year(m[1], LANGUAGE)} and {year(m[2], LANGUAGE)}",
    ),
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
    (rf"(?P<coin>{_COIN}) ?(?P<number>{_NUMBER}){_SCALE}", money),
    (rf"{_BEFORE}(?P<number>{_NUMBER}){_SCALE} ?(?P<coin>{_COIN})(?!\w)", money),
    (r"\b24/7\b", "twenty four seven"),
    (
        rf"(?<![\w/.,])(?:(?P<whole>\d{{1,9}}) )?(?P<top>\d{{1,2}})/(?P<bottom>\d{{1,3}})"
        rf"(?: (?P<unit>{_UNIT})\b)?(?![\w/])",
        fraction,
    ),
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
    (r"\b(?P<feet>\d)'(?:(?P<inches>\d{1,2})(?:\"|''))?(?!\w)", feet),
    (r"\b(?P<feet>\d{1,2}) ?ft\.? (?P<inches>\d{1,2}) ?in\b\.?", feet),
    (rf"(?<=[A-Za-z]) ?/ ?({alternatives(PER)})\b", lambda m: f" per {PER[m[1]]}"),
    (r"\b(\d{1,3}) ?h ?(\d{1,2})(?: ?m| ?min)?\b(?!:)", r"\1 h \2 min"),
    (r"(?<=\d)([CF])\b", r"°\1"),
    (
        rf"{_BEFORE}(?P<sign>-?)(?P<number>{_NUMBER})[ -]?(?P<unit>{_UNIT})(?![\w^]|/[a-z]|'\w)",
        lambda m: ("minus " if m["sign"] else "") + count(m["number"], *UNITS[m["unit"]]),
    ),
    (r"\^2(?!\d)", " squared"),
    (r"\^3(?!\d)", " cubed"),
    (r"\^(?=-?\d)", " to the power of "),
    (r"\band/or\b", "and or"),
    (r"(?<=[a-z]{2})/(?=[a-z]{2})", " or "),
    # abbreviations
    (
        rf"(?<=\d )((?:[A-Z]\w{{1,30}} ){{1,3}})({alternatives(STREETS)})\b\.?",
        lambda m: f"{m[1]}{STREETS[m[2]]}{dot(m)}",
    ),
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

RULES: tuple[Rule, ...] = rules(_TABLE)
