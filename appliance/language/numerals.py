"""Numbers in words, by unicode-rbnf: CLDR's own spelling rules, for some 80 languages, and hassil needs it anyway.

num2words knows fewer languages, has no rule for years such as 1905 in most of them, and would be one more package.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from unicode_rbnf import FormatPurpose, RbnfEngine

LONGEST_NUMBER = 15
"""Digits. Longer ones are serial or telephone numbers, and rbnf has no rule past 10**18."""


@lru_cache
def _engine(language: str) -> RbnfEngine:
    return RbnfEngine.for_language(language)


def _words(number: str, purpose: FormatPurpose, language: str) -> str:
    text = _engine(language).format_number(Decimal(number), purpose).text
    return text.replace("\N{SOFT HYPHEN}", "").replace("-", " ")


def cardinal(number: str, language: str) -> str:
    """ "391", "1,000" or "3.14" in words; digit by digit when it has a leading zero or is too long to be a count."""
    whole, _, fraction = number.replace(",", "").partition(".")
    if len(whole) > LONGEST_NUMBER or (len(whole) > 1 and whole[0] == "0"):
        whole_words = digits(whole, language)
    else:
        whole_words = _words(whole, FormatPurpose.CARDINAL, language)
    if not fraction:
        return whole_words
    point = _words("0.5", FormatPurpose.CARDINAL, language).split()[1]
    return f"{whole_words} {point} {digits(fraction, language)}"


def ordinal(number: str, language: str) -> str:
    """ "21" -> twenty first."""
    return _words(number, FormatPurpose.ORDINAL, language)


def year(number: str, language: str) -> str:
    """ "1905" -> nineteen oh five."""
    return _words(number, FormatPurpose.YEAR, language)


def digits(number: str, language: str) -> str:
    """ "007" -> zero zero seven."""
    return " ".join(_words(digit, FormatPurpose.CARDINAL, language) for digit in number)
