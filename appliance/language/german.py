"""How numbers, times, dates, money, units and abbreviations are said in German: one table, applied from top to bottom.

As english.py: every pattern is linear in the length of the text, and a rule may leave digits for a later one.
"""

from __future__ import annotations

from appliance.language.as_written import HOST, LINK, MAIL_DOT, ROMAN, Rule, Table, dot, rules
from appliance.language.german_words import (
    ABBREVIATIONS,
    COINS,
    MONTHS,
    SCALES,
    SHORT_MONTHS,
    UNITS,
    WRITTEN,
    address,
    by_digits,
    clock_time,
    counted,
    crowned,
    date,
    decade,
    dotted,
    fraction,
    money,
    nth,
    say,
    scaled,
    score,
    spoken_year,
    unit,
)
from appliance.language.words import alternatives

_NUMBER = r"(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?"
_BEFORE, _AFTER = r"(?<![\w.,])", r"(?!\w|[.,]\d)"
_MONTH = rf"(?P<month>{alternatives(MONTHS)}|(?:{alternatives(SHORT_MONTHS)})(?=\.))\.?"
_LEAD = rf"(?:\b(?P<lead>(?i:{alternatives([*WRITTEN['declined'], 'der', 'die', 'das'])})) )?"
_CLOCK = r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)"
_TOLD = r"(?<=\bum )|(?<=\bab )|(?<=\bbis )|(?<=\bgegen )|(?<=\bvon )|(?<=\bist )|(?<=\bnach )|(?<=\bvor )"
_SCALE = rf"(?: (?P<scale>{alternatives(SCALES)}))?"
_COIN, _UNIT = alternatives(COINS), alternatives(UNITS)

_TABLE: Table = (
    (LINK, address),
    (MAIL_DOT, " Punkt "),
    (rf"(?<=\w)@(?P<host>{HOST})\b", lambda m: f" at {address(m)}"),
    (rf"(?<![\w@./-])(?:www\.)?(?P<host>{HOST})(?:/[\w./?=&%#-]{{0,200}}[\w/])?(?![\w@])", address),
    (r"\^2\b", "²"),
    (r"\^3\b", "³"),
    # numbers that are names
    (rf"(?P<lead>\b\w{{2,5}} )?\b(?P<who>[A-ZÄÖÜ][a-zäöüß]{{2,30}}) {ROMAN}\.(?=\s|$)", crowned),
    (rf"\b(?P<what>{alternatives(WRITTEN['counted'])}) {ROMAN}(?!\w)", counted),
    (
        rf"(?P<before>\b(?:{alternatives(WRITTEN['by_digits'])})(?: ist)?:? )(?P<number>\d(?:[ -]?\d){{2,22}})\b",
        by_digits,
    ),
    (r"(?P<before>)(?<![\w+])(?P<number>\+\d{1,3}(?:[ /-]?\(?\d{1,9}\)?){1,6})(?!\w)", by_digits),
    (r"(?P<before>)(?<![\w.,-])(?P<number>\(?0\d{1,5}\)?(?:[ /-]\d{2,9}){1,4})(?![\w:-]|[.,]\d)", by_digits),
    # dates and times
    (rf"{_LEAD}(?<![\d.])(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}})?(?![\d.])", date),
    (r"(?P<lead>)(?<![\w-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])", date),
    (rf"{_LEAD}(?<![\d.])(?P<day>\d{{1,2}})\. {_MONTH}(?: (?P<year>\d{{4}})\b)?", date),
    (rf"(?<![\d:.,]){_CLOCK}(?: Uhr\b|(?= ?[-–] ?\d{{1,2}}:\d\d Uhr))", clock_time),
    (rf"(?:{_TOLD}){_CLOCK}(?![\d:])", clock_time),
    (r"(?<![\d:.,])(?P<one>\d{1,3}):(?P<other>\d{1,3})(?![\d:])", score),
    (rf"(?<=\d) ?[-–] ?(?={_NUMBER}(?!\w|-))", " bis "),
    (r"(?<=Uhr) ?[-–] ?(?=\d)", " bis "),
    (r"\b(\d{2}|\d{4})er\b(?= )", decade),
    (r"(?<=[Vv]ersion )\d{1,4}(?:\.\d{1,4})+(?![\d.]*\d)", dotted),
    (r"\bv(?=\d+\.\d+)", "Version "),
    (r"(?<![\w.,])(?!\d{1,3}(?:\.\d{3})+(?![\d.]))\d{1,9}(?:\.\d{1,9}){2,9}(?!\w|\.\d)", dotted),
    (r"(?<!\d )(?<![\w.,])(\d{1,3})((?: \d{3})+)(?![\w.,]| \d)", lambda m: m[0].replace(" ", "")),
    # money, fractions, units, ordinals
    (rf"(?P<coin>{_COIN}) ?(?P<number>{_NUMBER}){_SCALE}(?!\w)", money),
    (rf"{_BEFORE}(?P<number>{_NUMBER}){_SCALE} ?(?P<coin>{_COIN})(?!\w)", money),
    (
        rf"(?<![\w.,/])(?:(?P<whole>\d{{1,3}}) )?(?P<top>\d{{1,2}})/(?P<bottom>[2-9]|1\d)(?![\w/])"
        rf"(?: (?P<unit>{_UNIT})(?:n\b|(?!\w)))?",
        fraction,
    ),
    (
        rf"(?<![\w.,])(?P<sign>[-−](?=\d))?(?<!\d[-−])(?P<number>{_NUMBER}) ?(?P<unit>{_UNIT})(?![\w²³/])",
        unit,
    ),
    (rf"{_BEFORE}(?P<number>{_NUMBER}) (?P<scale>{alternatives(SCALES)})(?!\w)", scaled),
    (
        rf"\b(?P<lead>(?i:{alternatives([*WRITTEN['declined'], 'der', 'die', 'das'])})) (?P<number>\d{{1,3}})\.(?= \w)",
        nth,
    ),
    # short forms
    (rf"(?<!\w)({alternatives(ABBREVIATIONS)})(?!\w)", lambda m: ABBREVIATIONS[m[1]] + dot(m)),
    (r" ?& ?", " und "),
    (r"§ ?(?=\d)", "Paragraf "),
    (r"#(?=\d)", "Nummer "),
    (r"\bund/oder\b", "und oder"),
    (r"(?<=[a-zäöü]{2})/(?=[a-zäöü]{2})", " oder "),
    # what is left
    (r"(?<![\w.,])1 (?=[A-ZÄÖÜ][a-zäöüß])", "ein "),
    (r"(?<![\w.,])1[1-9]\d\d(?!\w|[.,]\d)", spoken_year),
    (rf"(?<![\w.,)])[-−](?={_NUMBER}{_AFTER})", "minus "),
    (rf"{_BEFORE}{_NUMBER}{_AFTER}", lambda m: say(m[0])),
)


RULES: tuple[Rule, ...] = rules(_TABLE)
