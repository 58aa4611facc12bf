"""Numbers and lengths of time as they are spoken: "a hundred and five", "three quarters of an hour"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

_DIGITS = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")
"""As many as anybody says, and a float can hold."""
_RUN_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|[0-9]+(?:\.[0-9]+)?")
NUMBER_WORDS = 9
"""As many as "two hundred and twenty five thousand three hundred and six" has, give or take."""
_HOUR_S, _MINUTE_S, _SECOND_S = 3_600, 60, 1
THOUSANDS = re.compile(r"(?<=\d)(?<!\b0),(?=\d{3}(?!\d))")
"""The comma of 10,000; any other stands for a decimal point, as in German, where 1.250 is seldom said with its sign."""
_BELOW = {_HOUR_S: _MINUTE_S, _MINUTE_S: _SECOND_S}
"""The unit that a bare number after another one is in: "an hour twenty", "two minutes thirty"."""


@dataclass(frozen=True)
class Length:
    """In the units it was said in, except that a part of a unit is in the next one: 1.5 hours are 1 hour 30 minutes."""

    hours: float = 0
    minutes: float = 0
    seconds: float = 0

    @property
    def parts(self) -> dict[str, float]:
        """Unit -> number, where there is any."""
        return {unit: number for unit, number in vars(self).items() if number}

    def __str__(self) -> str:
        """10 minutes, 1 hour 30 minutes: what the timer tools read, whatever language it was said in."""
        return " ".join(f"{number:g} {unit if number != 1 else unit[:-1]}" for unit, number in self.parts.items())


class Quantities:
    """Reads whole runs of words: each method takes all of `words` as one quantity, or gives None."""

    def __init__(self, numbers: dict[str, Any], units: dict[str, int]) -> None:
        """`numbers`: the section of that name in sentences/*.yaml. `units`: word -> seconds."""
        self._ones = {word: Fraction(str(value)) for word, value in numbers["ones"].items()}
        self._tens = {word: Fraction(value) for word, value in numbers["tens"].items()}
        self._scales: dict[str, int] = dict(sorted(numbers["scales"].items(), key=lambda each: -each[1]))
        self._parts = {word: Fraction(str(value)) for word, value in numbers["parts"].items()}
        self._articles, self._and, self._of, self._point, self._minus = (
            frozenset(numbers[name]) for name in ("articles", "and", "of", "point", "minus")
        )
        self._units = units
        self._first = next((word for word, value in self._ones.items() if value == 1), "")
        self._known = {*self._ones, *self._tens, *self._scales, *self._parts}
        atoms = "|".join(sorted({*self._known, *numbers["inside"]}, key=len, reverse=True))
        self._atom, self._atoms = re.compile(atoms), re.compile(f"(?:{atoms})+")
        self._between = self._articles | self._and | self._of | self._point | self._minus

    def in_digits(self, text: str) -> str:
        """`text` with the numbers in it as digits, which small models read better; "one" alone is mostly no number.

        Parts of hours and minutes are reckoned: a small model takes "three quarters of an hour" for 15 minutes.
        """
        tokens = list(_RUN_WORD.finditer(text))
        words, parts, at, done = [token[0].casefold() for token in tokens], list[str](), 0, 0
        while at < len(tokens):
            if broken := self._broken_length(words, self._joined(tokens, text, at), at):
                after, length = broken
                parts += [text[done : tokens[at].start()], str(length)]
                done, at = tokens[after - 1].end(), after
                continue
            end = self._number_ends(words, tokens, text, at)
            if end and not (end == at + 1 and (self._lone(words, at) or _DIGITS.fullmatch(words[at]))):
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
        return bool(words) and all(self._ones.get(word, 10) < 10 for word in words)

    def _number_ends(self, words: list[str], tokens: list[re.Match[str]], text: str, at: int) -> int | None:
        """Where the longest number that begins with word `at` ends."""
        if not (words[at] in self._known - self._parts.keys() or _DIGITS.fullmatch(self._in_digits(words[at]))):
            return None
        ends = reversed(self._joined(tokens, text, at))
        return next((end for end in ends if self.number(words[at:end]) is not None), None)

    def _broken_length(self, words: list[str], ends: list[int], at: int) -> tuple[int, Length] | None:
        """The longest length with a half, a third or a quarter in it that begins with word `at`, and where it ends."""
        for end in reversed(ends):
            run = words[at:end]
            if self._parts.keys() & set(run) and (length := self.length(run)) and length.parts:
                return end, length
        return None

    @staticmethod
    def _joined(tokens: list[re.Match[str]], text: str, at: int) -> list[int]:
        """Where runs of words from `at` on may end: those with nothing but a blank or a hyphen between them."""
        ends = [at + 1]
        while len(ends) < NUMBER_WORDS and ends[-1] < len(tokens):
            if text[tokens[ends[-1] - 1].end() : tokens[ends[-1]].start()] not in (" ", "-"):
                break
            ends.append(ends[-1] + 1)
        return ends

    def held_in(self, text: str) -> bool:
        """Whether `text` names any number, part or unit; the 4 of "gate b4" is a name's."""
        return any(
            self.counts(token[0].casefold())
            for token in _RUN_WORD.finditer(text)
            if not text[: token.start()][-1:].isalpha()
        )

    def only_length(self, text: str) -> Length | None:
        """The one length of time that `text` names; None where it names none or several."""
        tokens = list(_RUN_WORD.finditer(text))
        words, found, at = [token[0].casefold() for token in tokens], list[Length](), 0
        while at < len(tokens):
            ends = reversed(self._joined(tokens, text, at))
            taken = next(((end, each) for end in ends if (each := self.length(words[at:end])) and each.parts), None)
            at, found = (taken[0], [*found, taken[1]]) if taken else (at + 1, found)
        return found[0] if len(found) == 1 else None

    def goes_on(self, left: str, right: str) -> bool:
        """Whether a quantity that ends `left` may go on in `right`."""
        before, behind = _RUN_WORD.findall(left.casefold()), _RUN_WORD.findall(right.casefold())
        return bool(before and behind) and self.counts(before[-1]) and self.counts(behind[0])

    def lengthens(self, left: str, right: str) -> bool:
        """Whether the length that ends `left` goes on in `right` with another unit: an hour | 20 minutes."""
        before, behind = _RUN_WORD.findall(left.casefold())[-1:], _RUN_WORD.findall(right.casefold())[:2]
        units = [*before, *behind[1:]]
        return len(units) == len({*units} & self._units.keys()) == 2 and self.counts(behind[0])

    def counts(self, word: str) -> bool:
        """Whether `word` names a number, a part or a unit."""
        return word in self._units or bool(_DIGITS.fullmatch(word) or self._atoms.fullmatch(word))

    def may_hold(self, word: str) -> bool:
        """Whether a quantity may have `word` in it."""
        return word in self._between or self.counts(word)

    def number(self, words: Sequence[str]) -> Fraction | None:
        """ "25", "twenty five", "twelve hundred", "one point five", "two and a half"; no sign."""
        words = [self._in_digits(word) for word in words]
        for at, word in enumerate(words):
            if word in self._point:
                return self._decimal(words[:at], words[at + 1 :])
        for at, word in enumerate(words):
            part = self._part(words[at + 1 :]) if word in self._and else None
            if part is not None:
                whole = self._whole(words[:at])
                return None if whole is None else whole + part
        return self._whole(words)

    def amount(self, words: Sequence[str]) -> Fraction | None:
        """What stands before a unit: also "a", "half a", "three quarters of an", "a couple of", "minus 40"."""
        if len(words) > 1 and words[0] in self._minus:
            value = self.number(words[1:])
            return None if value is None else -value
        if len(words) == 1 and words[0] in self._articles:
            return Fraction(1)
        value = self.number(words)
        if value is not None:
            return value
        kept = words[:-1] if words and words[-1] in self._articles else words
        return self._part(kept[:-1] if kept and kept[-1] in self._of else kept)

    def length(self, words: Sequence[str]) -> Length | None:
        """ "90 seconds", "an hour and twenty minutes", "an hour and a half", "one hour twenty"."""
        spread = dict.fromkeys((_HOUR_S, _MINUTE_S, _SECOND_S), Fraction(0))
        waiting: list[str] = []
        last = 0
        for word in words:
            unit = self._units.get(word)
            if unit is None:
                waiting.append(word)
                continue
            value = self._before(unit, waiting, last)
            if value is None:
                return None
            _spread(value * unit, unit, spread)
            waiting, last = [], unit
        if not last or (waiting and not self._after(last, waiting, spread)):
            return None
        return Length(*(plain(number) for number in spread.values()))

    def _before(self, unit: int, words: Sequence[str], last: int) -> Fraction | None:
        """How many of `unit` are said before it; `last`: the unit before that. "A second" is a moment, not a length."""
        if last and words and words[0] in self._and:
            words = words[1:]
        value = self.amount(words)
        moment = unit == _SECOND_S and len(words) == 1 and words[0] in self._articles
        return None if value is None or value < 0 or moment or (last and unit >= last) else value

    def _after(self, unit: int, words: Sequence[str], spread: dict[int, Fraction]) -> bool:
        """Add what follows the last unit: "and a half" of it, or a bare number of the next smaller one."""
        joined = words[0] in self._and
        rest = words[1:] if joined else words
        part = self._part(rest) if joined else None
        if part is not None:
            _spread(part * unit, unit, spread)
            return True
        number = self.number(rest)
        if unit not in _BELOW or number is None or number.denominator != 1 or not 0 < number < 60:
            return False
        spread[_BELOW[unit]] += number
        return True

    def _part(self, words: Sequence[str]) -> Fraction | None:
        """ "half", "a quarter", "three quarters"."""
        if not 1 <= len(words) <= 2 or words[-1] not in self._parts:
            return None
        count = Fraction(1) if len(words) == 1 or words[0] in self._articles else self._single(words[0])
        return None if count is None else count * self._parts[words[-1]]

    def _decimal(self, whole: Sequence[str], decimals: Sequence[str]) -> Fraction | None:
        """Digit by digit, or as one number: "three point one four", "three point fourteen"."""
        before = self._whole(whole) if whole else Fraction(0)
        one = self._whole(decimals)
        digits = [self._single(word) for word in decimals] if one is None else [one]
        said = [str(digit) for digit in digits if digit is not None and (one is not None or digit <= 9)]
        text = f"{before}.{''.join(said)}"
        return Fraction(text) if len(said) == len(digits) and _DIGITS.fullmatch(text) else None

    def _whole(self, words: Sequence[str]) -> Fraction | None:
        """Words up to the largest scale, times it, plus what follows: (two) thousand (and five)."""
        for scale in self._scales:
            if scale in words:
                return self._scaled(words, list(words).index(scale))
        if len(words) == 2 and words[0] in self._tens and 1 <= self._ones.get(words[1], 0) <= 9:
            return self._tens[words[0]] + self._ones[words[1]]
        return self._single(words[0]) if len(words) == 1 else None

    def _scaled(self, words: Sequence[str], at: int) -> Fraction | None:
        scale, head, tail = self._scales[words[at]], words[:at], words[at + 1 :]
        if len(tail) > 1 and tail[0] in self._and:
            tail = tail[1:]
        count = Fraction(1) if not head or (len(head) == 1 and head[0] in self._articles) else self._whole(head)
        rest = self._whole(tail) if tail else Fraction(0)
        return None if count is None or rest is None or rest >= scale else count * scale + rest

    def _single(self, word: str) -> Fraction | None:
        if _DIGITS.fullmatch(word):
            return Fraction(word)
        return self._tens.get(word, self._ones.get(word))

    def _in_digits(self, word: str) -> str:
        """Several number words written as one, in digits: "twentyfive", "fünfundzwanzig", "zweieinhalb"."""
        if word in self._known or not self._atoms.fullmatch(word):
            return word
        atoms = self._atom.findall(word)
        part = self._part(atoms[-2:]) if len(atoms) > 2 else None
        value = self._whole(self._turned(atoms if part is None else atoms[:-2]))
        return word if value is None else str(plain(value + (part or 0)))

    def _turned(self, atoms: list[str]) -> list[str]:
        """The tens before the ones: in some languages it is "fünf und zwanzig"."""
        for at in range(len(atoms) - 2):
            one, joint, ten = atoms[at : at + 3]
            if one in self._ones and joint in self._and and ten in self._tens:
                return [*atoms[:at], ten, one, *self._turned(atoms[at + 3 :])]
        return atoms


def decimal(number: str) -> str:
    """A number in digits as a calculator reads it: 1,500 is 1500, and 2,5 is 2.5."""
    return THOUSANDS.sub("", number).replace(",", ".")


def plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _spread(seconds: Fraction, unit: int, spread: dict[int, Fraction]) -> None:
    """Whole `unit`s to that unit, the rest to the smaller ones."""
    for each in (size for size in spread if size <= unit):
        whole = seconds if each == _SECOND_S else Fraction(seconds // each)
        spread[each] += whole
        seconds -= whole * each
