"""Numbers and lengths of time wherever they stand in a line, and the line with them in digits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from appliance.language.durations import Durations, Length, durations, lengths_in
from appliance.language.numbers import IN_DIGITS, Numbers, joined, numbers, ordinals, plain
from appliance.language.words import FRACTION_SIGNS, WORD, language_data

_MONTH = 31
"""Days of the longest one."""


class Quantities:
    """What `Numbers` and `Durations` read, found in text."""

    def __init__(self, numbers_read: Numbers, lengths: Durations, days: Mapping[str, str]) -> None:
        """days: days of a month in two words, with what stands behind them -> in digits."""
        self._numbers, self._lengths = numbers_read, lengths
        self.number, self.amount, self.length = numbers_read.number, numbers_read.amount, lengths.length
        self._units = lengths.units
        self._days = days
        self._first = next((word for word, value in numbers_read.ones.items() if value == 1), "")

    def in_digits(self, text: str) -> str:
        """`text` with the numbers in it as digits, which small models read better; "one" alone is mostly no number.

        Parts of hours and minutes are reckoned: a small model takes "three quarters of an hour" for 15 minutes.
        """
        text = text.translate(FRACTION_SIGNS)
        tokens = list(WORD.finditer(text))
        words, parts, at, done = [token[0].casefold() for token in tokens], list[str](), 0, 0
        while at < len(tokens):
            if day := self._days.get(" ".join(words[at : at + 3])):  # "twenty second" alone is a length
                parts += [text[done : tokens[at].start()], day]
                done, at = tokens[at + 1].end(), at + 2
                continue
            if broken := self._broken_length(words, tokens, text, at):
                after, length = broken
                parts += [text[done : tokens[at].start()], str(length)]
                done, at = tokens[after - 1].end(), after
                continue
            end = self._number_ends(words, tokens, text, at)
            if end and not (end == at + 1 and (self._lone(words, at) or IN_DIGITS.fullmatch(words[at]))):
                value = self.number(words[at:end])
                parts += [text[done : tokens[at].start()], str(plain(value or Fraction(0)))]
                done, at = tokens[end - 1].end(), end
            else:
                at += 1
        return "".join(parts) + text[done:]

    def _lone(self, words: list[str], at: int) -> bool:
        """Whether it is "one" that is no digit of a code: "four seven two one", "one two three"."""
        before, behind = words[max(0, at - 1) : at], words[at + 1 : at + 3]
        coded = self._are_digits(before) or (len(behind) == 2 and self._are_digits(behind))
        return words[at] == self._first and not coded

    def _are_digits(self, words: list[str]) -> bool:
        return bool(words) and all(self._numbers.ones.get(word, 10) < 10 for word in words)

    def _number_ends(self, words: list[str], tokens: list[re.Match[str]], text: str, at: int) -> int | None:
        """Where the longest number that begins with word `at` ends."""
        word = self._numbers.in_digits(words[at])
        if not (word in self._numbers.known - self._numbers.parts.keys() or IN_DIGITS.fullmatch(word)):
            return None
        for end in joined(tokens, text, at):
            if self._numbers.groups.isdisjoint(words[at:end]) and self.number(words[at:end]) is not None:
                return end
        return None

    def _broken_length(
        self, words: list[str], tokens: list[re.Match[str]], text: str, at: int
    ) -> tuple[int, Length] | None:
        """The longest length with a half, 1/2 or .5 in it that begins with word `at`, and where it ends."""
        for end in joined(tokens, text, at):
            run = words[at:end]
            if any(word in self._numbers.parts or "/" in word or word[0] == "." for word in run):
                length = self.length(run)
                if length and length.parts:
                    return end, length
        return None

    def lengths_in(self, text: str) -> list[Length]:
        """All the lengths of time that `text` names."""
        return lengths_in(text, self._lengths)

    def with_unit(self, before: str, text: str) -> str:
        """`text` with the unit said before it, where it begins with a bare number and goes on with a word from there.

        "Nine minutes for the barley" and "four for the sprouts": four minutes for the sprouts.
        """
        said, tokens = WORD.findall(before.casefold()), list(WORD.finditer(text))
        words = [token[0].casefold() for token in tokens]
        end = self._number_ends(words, tokens, text, 0) if tokens else None
        units = [at for at, word in enumerate(said) if word in self._units and self.counts(said[at - 1]) and at]
        if not end or not units or end == len(words) or words[end] not in said[units[-1] + 1 :]:
            return text
        return f"{text[: tokens[end - 1].end()]} {said[units[-1]]}{text[tokens[end - 1].end() :]}"

    def goes_on(self, left: str, right: str) -> bool:
        """Whether a quantity that ends `left` may go on in `right`."""
        before, behind = WORD.findall(left.casefold()), WORD.findall(right.casefold())
        return bool(before and behind) and self.counts(before[-1]) and self.counts(behind[0])

    def counts(self, word: str) -> bool:
        """Whether `word` names a number, a part or a unit."""
        return word in self._units or self._numbers.names(word)

    def may_hold(self, word: str) -> bool:
        """Whether a quantity may have `word` in it."""
        return word in self._numbers.between or self.counts(word)


@cache
def quantities(language: str) -> Quantities | None:
    """None for a language whose words are not written down."""
    numbers_read, lengths = numbers(language), durations(language)
    return Quantities(numbers_read, lengths, _days(language)) if numbers_read and lengths else None


def _days(language: str) -> dict[str, str]:
    """ "twenty first of" -> 21st, for each day of a month in two words."""
    data = language_data(language)
    assert data is not None, "numbers were found"
    two = {said: place for said, place in ordinals(language).items() if " " in said and place <= _MONTH}
    return {f"{said} {of}": f"{place}{said[-2:]}" for said, place in two.items() for of in data["numbers"]["of"]}
