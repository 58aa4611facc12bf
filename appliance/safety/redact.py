"""Secrets out of the text, before it reaches a log, the disk or a prompt that outlives the turn.

One ordered table does it: a pattern finds candidates, a check says which parts of each are secret, and those give way
to a placeholder such as `[card number]`. Every pattern takes linear time: repeats are possessive or bounded, and a
candidate starts only where a word does. Nothing here catches an error: whoever calls must treat one as "not redacted".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import log2
from typing import Any

from phonenumbers import SUPPORTED_REGIONS

from appliance.errors import BadSettings, WrongUse
from appliance.safety.secret_numbers import CARD, IBAN, PHONE, Span, cards, ibans, phones


def redact(text: str, region: str = "US") -> str:
    """`text` with a placeholder for every secret; twice is the same as once.

    region: two capital letters, the country whose telephone numbers need no country code; BadSettings on another.
    Raises WrongUse for a text that is made so that each placeholder lays bare another secret.
    """
    for _ in range(_PASSES):
        cleaned = _pass(text, region)
        if cleaned == text:
            return text
        text = cleaned
    raise WrongUse("the text holds secrets within secrets", remedy="say it in other words")


_PASSES = 8
"""A secret right before another may hide it from the first pass, and the last one finds nothing: three are common."""


def redact_value(value: Any, region: str = "US") -> Any:
    """A JSON value or a tool's arguments, redacted through and through, keys too (equal ones become one).

    What a key calls a password is one, whatever it looks like. Anything but dict, list, tuple and str, a number as
    well, stays as it is or, where its text holds a secret, becomes that text, redacted. Raises as `redact` does.
    """
    match value:
        case str():
            return redact(value, region)
        case dict():
            return {redact_value(key, region): _entry(key, part, region) for key, part in value.items()}
        case list() | tuple():
            return type(value)([redact_value(part, region) for part in value])
    shown = f"={value}"  # a number is an amount: it may be a card's, but is nobody's telephone
    return value if redact(shown, region) == shown else redact(str(value), region)


def _entry(key: Any, part: Any, region: str) -> Any:
    named = isinstance(key, str) and _SECRET_KEY.search(key)
    return "[password]" if named and isinstance(part, str | int | float) else redact_value(part, region)


def _pass(text: str, region: str) -> str:
    for rule in _table(region):
        text = rule.replace(text)
    return text


def _whole(candidate: re.Match[str]) -> Iterator[Span]:
    """The group named `secret` where the pattern has one, else all of it."""
    yield candidate.span("secret" if "secret" in candidate.re.groupindex else 0)


@dataclass(frozen=True)
class Rule:
    kind: str
    pattern: re.Pattern[str]
    check: Callable[[re.Match[str]], Iterator[Span]] = _whole
    """The secret parts of a candidate, from left to right."""

    def replace(self, text: str) -> str:
        kept, done = [], 0
        for candidate in self.pattern.finditer(text):
            for start, end in self.check(candidate):
                if start >= done:  # candidates may overlap, what is replaced may not
                    kept += [text[done:start], f"[{self.kind}]"]
                    done = end
        return "".join([*kept, text[done:]])


# --- keys ---

_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,9}-----.*?(?:-----END [A-Z0-9 ]{0,60}-----|\Z)", re.DOTALL
)
_JWT = re.compile(r"(?<![\w.-])eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+){1,3}", re.ASCII)
_PREFIXED = re.compile(
    r"""(?<![\w.-])(?=[\w.-]*\d)(?:(?:AKIA|ASIA)[A-Z0-9]{16}\b|
        (?:[spr]k-|[spr]k_(?:live|test)_|whsec_|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|ya29\.|hf_|npm_|pypi-|SG\.
          |dop_v1_|shpat_|dckr_pat_|tskey-|sq0[a-z]{3}-|AIza|ATATT)[\w.-]{16,}+)""",
    re.ASCII | re.VERBOSE,
)
"""How the keys of widely used services begin, as those services document it."""
_HEADER = re.compile(
    r"""(?:\bbearer\s++(?=\S*\d)|\bauthorization["']?\s*+[:=]\s*+["']?(?:\w++\s++)?)(?P<secret>[\w.~+/=-]{12,}+)""",
    re.ASCII | re.IGNORECASE,
)
_TOKEN = re.compile(r"(?<![\w+/=-])[\w+/=-]{20,}+", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LONGEST_WORD = 8
"""Characters: a token in which hyphens, underscores and slashes leave nothing longer is a name or a path."""
_RANDOM_BITS = 3.0
"""Entropy per character. Random hexadecimal of 32 characters has 3.6 on average, ten letters in turn have 3.3."""
_RANDOM_CHANGES = 0.22
"""Share of neighbours of different kind (upper, lower, digit), save a capital before a small letter. On average 0.30 in
random base 32, 0.44 in base 62, 0.47 in hexadecimal; 0.20 in SuchAnIdentifierOf10Words."""


def _random(candidate: re.Match[str]) -> Iterator[Span]:
    words = re.split(r"[-_+/=]", candidate[0])
    plain = "".join(words)
    kinds = "".join("A" if sign.isupper() else "a" if sign.islower() else "0" for sign in plain)
    changes = sum(one != other and one + other != "Aa" for one, other in pairwise(kinds))
    mixed = "0" in kinds and changes >= max(1, _RANDOM_CHANGES * len(plain))
    named = max(map(len, words)) <= _LONGEST_WORD or _UUID.fullmatch(candidate[0])
    if mixed and not named and _entropy(plain) >= _RANDOM_BITS:
        yield candidate.span()


def _entropy(text: str) -> float:
    """Shannon's, in bits per character."""
    return -sum(count / len(text) * log2(count / len(text)) for count in Counter(text).values())


# --- what the user calls a secret ---

_PASSWORDS = r"""pass[ ]?(?:word|code|phrase)s?|(?:security|access|entry|door|gate|alarm|lock)[ ]code|cvv|cvc
    |(?:three|four|3|4|digits|numbers?|code)(?:[ ](?:digits|numbers))?[ ]on[ ]the[ ](?:back|front|reverse)
    |passwort|kennwort|geheimzahl|(?:zugangs|tür|alarm|sicherheits)code
    |mot[ ]de[ ]passe|code[ ](?:pin|secret|confidentiel|d['’]accès)
    |contrase[ñn]a|mi[ ]clave|clave[ ](?:secreta|de[ ]acceso)|c[óo]digo[ ](?:pin|secreto|de[ ]acceso)
    |pin[ -]?(?:code|number|nummer)|pin(?=(?:[ ](?:is|ist|est|es))?[ :=]+\d{3})
    |(?:my|our|your|his|her|their|the|new|\w['’]s|bank|card|sim|phone|meine?|unsere?|die|mon|le|mi|el)[ ]pin"""
_KEYS = r"api[ _-]?(?:key|token|schlüssel)|(?:access|secret|private)[ _-]?key|access[ _-]?token|clé[ ]api|clave[ ]api"
_SECRET_KEY = re.compile(r"pass(?:word|code|phrase|wd)$|(?:^|[_-])pin(?:[_-]?code)?$|api[_-]?key$", re.IGNORECASE)


def _told(kind: str, nouns: str) -> Rule:
    """One of `nouns`, up to six words ("for the bank"), "is" in English, German, French or Spanish, then the secret.

    It ends at its closing quote, else with the clause. A stop or comma between dictated digits does not end a clause,
    a conjunction only one of digits: a passphrase may hold one.
    """
    pattern = rf"""(?<![\w\[])(?:{nouns})\b["']?(?:(?:\s++[^\W\d][\w'’-]*+){{0,6}}?
            (?:,?\s++(?:is|was|equals|ist|war|lautet|est|c['’]est|es|era)\s++(?!not\b|nicht\b)
              |\s++(?:are|were|sind|sont|son)\s++(?=\d)
              |\s*+[:=]\s*+|\s++(?:to|auf|à|a)\s++(?=\S*\d))
            |['’]s\s++|\s++(?=\d{{3}}))
        ["“„«]?(?P<secret>\[{kind}\]|(?<=["“„«])[^"”“»\n]++(?=["”“»])
          |\d[\d\s.,-]*?(?=,?\s++(?:and|but|so|then|please|und|aber|dann|bitte|et|mais|puis|y|pero|luego)\b)
          |(?:[^\s.,;!?]|[.,;!?](?!\s|$)|[.,]\s++(?=\d)|[^\S\n]++(?=\S))++)"""
    return Rule(kind, re.compile(pattern, re.IGNORECASE | re.VERBOSE))


# --- e-mail addresses ---

_MAIL = re.compile(r"(?<!\w)[\w.%+-][\w.%+'-]{0,63}+@[\w-]++(?:\.[\w-]++)++")
_DOT, _POINT = r"(?:\.|\s(?:dot|punkt)\s)", r"(?:\.|\s(?:dot|punkt|point|punto)\s)"
_LETTERS = r"(?:\w(?:\s\w\b){1,20}|[\w.+-]++)"
_SPOKEN_MAIL = re.compile(
    rf"""(?<![\w.+-])
        (?!(?:am|and|are|available|be|bought|buy|check|find|found|her|here|him|is|it|live|look|looked|looking|looks|me|one
          |online|or|order|ordered|out|page|read|see|shop|shopping|site|sold|store|that|them|there|this|up|us|was|watch
          |work)\sat\s)  # before "at example dot com" these speak of a web site
        {_LETTERS}(?:\s(?:dot|punkt|point|punto|underscore|unterstrich|dash|hyphen|minus|tiret|gui[oó]n)\s{_LETTERS}){{0,9}}
        \s(?:(?:at|ät)\s[\w-]++(?:{_DOT}[\w-]++){{0,3}}{_DOT}
          |(?:at[ ]sign|klammeraffe|arobase|arroba|@)\s[\w-]++(?:{_POINT}[\w-]++){{0,3}}{_POINT})[^\W\d_]{{2,24}}\b""",
    re.IGNORECASE | re.VERBOSE,
)


# --- the table ---


KINDS = ("key", "password", "e-mail address", "bank account", "card number", "phone number")
"""What may stand in brackets in the place of a secret."""


@cache
def _table(region: str) -> tuple[Rule, ...]:
    """In this order: what holds others comes first, what could be part of anything comes last."""
    if region not in SUPPORTED_REGIONS:
        raise BadSettings(f"no country has the code {region!r}", remedy='give two capital letters, such as "US"')
    return (
        Rule("key", _PEM),
        _told("password", _PASSWORDS),
        _told("key", _KEYS),
        Rule("key", _JWT),
        Rule("key", _PREFIXED),
        Rule("key", _HEADER),
        Rule("e-mail address", _MAIL),
        Rule("e-mail address", _SPOKEN_MAIL),
        Rule("bank account", IBAN, ibans),
        Rule("card number", CARD, cards),
        Rule("phone number", PHONE, partial(phones, region=region)),
        Rule("key", _TOKEN, _random),
    )
