"""Numbers, read from words and put into words: "a hundred and five", "two and a half", "half a dozen", "the 21st".

The words for 0 to 90 and the ordinals are those of unicode-rbnf: CLDR's spelling rules, for some 80 languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from babel.numbers import get_decimal_symbol
from unicode_rbnf import FormatPurpose, RbnfEngine

from appliance.language.words import THOUSANDS, WORD, language_data, tidy

LONGEST_NUMBER = 15
"""Digits. Longer ones are serial or telephone numbers, and rbnf has no rule past 10**18."""
NUMBER_WORDS = 9
"""As many as "two hundred and twenty five thousand three hundred and six" has, give or take."""
IN_DIGITS = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?|\.[0-9]{1,18}|[0-9]{1,3}/[1-9][0-9]{0,2}")
"""As many as anybody says, and a float can hold."""
_POINT = re.compile(r"\.(?=\d)")
_LAST_ORDINAL = 100
_MOST_IN_PARTS = 2
"""From so much on nobody counts in parts, and "twenty fifth" is no four."""


class Numbers:
    """Reads whole runs of words, in lower case: each method takes all of `words` as one number, or gives None."""

    def __init__(self, data: Mapping[str, Any], language: str) -> None:
        """data: the section `numbers` of a language's file."""
        named = {_numbering(number, language): Fraction(number) for number in (*range(20), *range(20, 100, 10))}
        named |= {word.casefold(): value for word, value in named.items()}  # dreissig
        named |= {word: Fraction(str(value)) for word, value in data["also"].items()}
        self.ones = {word: value for word, value in named.items() if value < 20}
        self.tens = {word: value for word, value in named.items() if value >= 20}
        self.scales: dict[str, int] = dict(sorted((data["scales"] | data["groups"]).items(), key=lambda each: -each[1]))
        self.groups = frozenset(data["groups"])
        self.parts = {word: Fraction(str(value)) for word, value in data["parts"].items()}
        self._fractions = {word: Fraction(value) for word, value in data["fractions"].items()}
        self.articles, self.ands, self._of, self._point, self._minus = (
            frozenset(data[name]) for name in ("articles", "and", "of", "point", "minus")
        )
        self.between = self.articles | self.ands | self._of | self._point | self._minus
        self.known = {*self.ones, *self.tens, *data["scales"], *self.parts}
        atoms = "|".join(sorted({*self.known, *data["inside"]}, key=len, reverse=True))
        self._atom, self._atoms = re.compile(atoms), re.compile(f"(?:{atoms})+")

    def names(self, word: str) -> bool:
        """Whether `word` names a number or a part: "twenty", "fünfundzwanzig", "half", "2.5"."""
        return bool(IN_DIGITS.fullmatch(word) or self._atoms.fullmatch(word))

    def number(self, words: Sequence[str]) -> Fraction | None:
        """ "25", "twenty five", "twelve hundred", "one point five", "two and a half", "half a million"; no sign."""
        words = [self.in_digits(word) for word in words]
        for reading in (self._whole, self._part_of_scale, self._pointed, self._mixed):
            if (value := reading(words)) is not None:
                return value
        return None

    def amount(self, words: Sequence[str]) -> Fraction | None:
        """What stands before a unit: also "a", "half a", "three quarters of an", "a couple of", "minus 40"."""
        if len(words) > 1 and words[0] in self._minus:
            value = self.amount(words[1:])
            return None if value is None else -value
        if len(words) == 1 and words[0] in self.articles:
            return Fraction(1)
        value = self.number(words)
        return self.part(self._before_of(words)) if value is None else value

    def part(self, words: Sequence[str]) -> Fraction | None:
        """ "half", "a quarter", "three quarters", "two fifths", "1/2"."""
        if not 1 <= len(words) <= 2:
            return None
        size = self.parts.get(words[-1])
        if size is None and len(words) == 2:
            size = self._fractions.get(words[-1])
        if size is None:
            written = len(words) == 1 and "/" in words[0] and IN_DIGITS.fullmatch(words[0])
            return Fraction(words[0]) if written else None
        count = Fraction(1) if len(words) == 1 or words[0] in self.articles else self._single(words[0])
        value = None if count is None else count * size
        return None if value is None or (size < 1 and value >= _MOST_IN_PARTS) else value

    def in_digits(self, word: str) -> str:
        """Several number words written as one, in digits: "twentyfive", "fünfundzwanzig", "zweieinhalb"."""
        if word in self.known or not self._atoms.fullmatch(word):
            return word
        atoms = self._atom.findall(word)
        part = self.part(atoms[-2:]) if len(atoms) > 2 else None
        value = self._whole(self._turned(atoms if part is None else atoms[:-2]))
        return word if value is None else str(plain(value + (part or 0)))

    def _before_of(self, words: Sequence[str]) -> Sequence[str]:
        """Without the "of", "a" or "of a" at the end."""
        kept = words[:-1] if words and words[-1] in self.articles else words
        return kept[:-1] if kept and kept[-1] in self._of else kept

    def _part_of_scale(self, words: Sequence[str]) -> Fraction | None:
        """Half a million, two and a half thousand, 2.5 million."""
        if len(words) < 2 or words[-1] not in self.scales:
            return None
        counts = self._before_of(words[:-1])
        values = (reading(counts) for reading in (self.part, self._pointed, self._mixed))
        count = next((value for value in values if value is not None), None)
        return None if count is None else count * self.scales[words[-1]]

    def _pointed(self, words: Sequence[str]) -> Fraction | None:
        at = next((at for at, word in enumerate(words) if word in self._point), None)
        return None if at is None else self._decimal(words[:at], words[at + 1 :])

    def _mixed(self, words: Sequence[str]) -> Fraction | None:
        """Two and a half, 2 1/2."""
        if len(words) > 1 and "/" in words[-1] and words[-2] not in self.ands:
            whole, part = self._whole(words[:-1]), self.part(words[-1:])
            return None if whole is None or part is None or whole.denominator > 1 or part >= 1 else whole + part
        for at, word in enumerate(words):
            part = self.part(words[at + 1 :]) if word in self.ands else None
            if part is not None:
                whole = self._whole(words[:at])
                return None if whole is None else whole + part
        return None

    def _decimal(self, whole: Sequence[str], decimals: Sequence[str]) -> Fraction | None:
        """Digit by digit, or as one number: "three point one four", "three point fourteen"."""
        before = self._whole(whole) if whole else Fraction(0)
        one = self._whole(decimals)
        digits = [self._single(word) for word in decimals] if one is None else [one]
        said = [str(digit) for digit in digits if digit is not None and (one is not None or digit <= 9)]
        text = f"{before}.{''.join(said)}"
        return Fraction(text) if len(said) == len(digits) and IN_DIGITS.fullmatch(text) else None

    def _whole(self, words: Sequence[str]) -> Fraction | None:
        """Words up to the largest scale, times it, plus what follows: (two) thousand (and five)."""
        for scale in self.scales:
            if scale in words:
                return self._scaled(words, list(words).index(scale))
        if len(words) == 2 and words[0] in self.tens and 1 <= self.ones.get(words[1], 0) <= 9:
            return self.tens[words[0]] + self.ones[words[1]]
        return self._single(words[0]) if len(words) == 1 else None

    def _scaled(self, words: Sequence[str], at: int) -> Fraction | None:
        scale, head, tail = self.scales[words[at]], words[:at], words[at + 1 :]
        if len(tail) > 1 and tail[0] in self.ands:
            tail = tail[1:]
        count = Fraction(1) if not head or (len(head) == 1 and head[0] in self.articles) else self._whole(head)
        rest = self._whole(tail) if tail else Fraction(0)
        return None if count is None or rest is None or rest >= scale else count * scale + rest

    def _single(self, word: str) -> Fraction | None:
        if IN_DIGITS.fullmatch(word):
            return Fraction(word)
        return self.tens.get(word, self.ones.get(word))

    def _turned(self, atoms: list[str]) -> list[str]:
        """The tens before the ones: in some languages it is "fünf und zwanzig"."""
        for at in range(len(atoms) - 2):
            one, joint, ten = atoms[at : at + 3]
            if one in self.ones and joint in self.ands and ten in self.tens:
                return [*atoms[:at], ten, one, *self._turned(atoms[at + 3 :])]
        return atoms


@cache
def numbers(language: str) -> Numbers | None:
    data = language_data(language)
    return Numbers(data["numbers"], language) if data else None


def parse_number(text: str, language: str = "en") -> Fraction | None:
    """The number that all of `text` is: "minus forty", "one and a half", "1/2", "a dozen", "1,500"; else None."""
    reader, words = numbers(language), WORD.findall(tidy(text).replace(" -", " minus ").removeprefix("-"))
    if not reader or not words:
        return None
    value = reader.amount(words)
    return -value if value is not None and text.strip().startswith(("-", "−")) else value


def parse_ordinal(text: str, language: str = "en") -> int | None:
    """The place that all of `text` names: "21st", "twenty first", "the third" is none; at most the hundredth."""
    data, plain_text = language_data(language), tidy(text).replace("-", " ")
    if data and (found := re.fullmatch(rf"(\d{{1,3}})(?:{data['numbers']['ordinal']})", plain_text)):
        return int(found[1])
    return ordinals(language).get(plain_text) if data else None


@cache
def ordinals(language: str) -> Mapping[str, int]:
    """In every gender and case."""
    engine = _engine(language)
    found = {}
    for number in range(1, _LAST_ORDINAL + 1):
        for text in engine.format_number(number, FormatPurpose.ORDINAL).text_by_ruleset.values():
            found[_spaced(text).casefold()] = number
    return found


def joined(tokens: Sequence[re.Match[str]], text: str, at: int, most: int = NUMBER_WORDS) -> Iterator[int]:
    """Where runs of words from `at` on may end, the longest first: with only a blank or a hyphen between them."""
    end = at + 1
    while end < len(tokens) and end - at < most and text[tokens[end - 1].end() : tokens[end].start()] in (" ", "-"):
        end += 1
    return iter(range(end, at, -1))


def plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def decimal(number: str) -> str:
    """A number in digits as a calculator reads it: 1,500 is 1500, and 2,5 is 2.5."""
    return THOUSANDS.sub("", number).replace(",", ".")


def written_number(text: str, language: str = "en") -> str:
    """Numbers in digits with the language's own sign for the point: 2.5, and 2,5 in German."""
    return _POINT.sub(get_decimal_symbol(language), text)


def spoken_number(value: int | float | Decimal, language: str = "en") -> str:
    """ "-2.5" -> minus two point five."""
    number = f"{Decimal(str(value)):f}"
    words = cardinal(number.removeprefix("-"), language)
    return _words("-1", FormatPurpose.CARDINAL, language).split()[0] + f" {words}" if number[0] == "-" else words


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


@cache
def _engine(language: str) -> RbnfEngine:
    return RbnfEngine.for_language(language)


def _words(number: str, purpose: FormatPurpose, language: str) -> str:
    return _spaced(_engine(language).format_number(Decimal(number), purpose).text)


def _numbering(number: int, language: str) -> str:
    return _spaced(_engine(language).format_number(number).text_by_ruleset["spellout-numbering"])


def _spaced(text: str) -> str:
    return text.replace("\N{SOFT HYPHEN}", "").replace("-", " ")
