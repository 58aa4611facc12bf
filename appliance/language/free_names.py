"""What a name that people choose freely may look like, in any language: no length, and no two things."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.units import format_unit
from unicode_rbnf import RbnfEngine

MOST_WORDS = 3
MOST_CHARS_UNSPACED = 8
"""Of a name in a language that is written without spaces."""
_UNITS = ("hour", "minute", "second", "day", "week")
_FORMS = (1, 2, 3, 5, 1.5)
"""Numbers that between them need every plural form of the languages in CLDR."""
_SAME_NUMBERS = {"nb": ("no",)}
"""Language -> others whose number words are its own."""
_LETTERS = re.compile(r"[^\W\d_]+")


class FreeNames:
    def __init__(self, language: str, filler: frozenset[str] = frozenset(), spaced: bool = True) -> None:
        """`language`: a code of CLDR; of one that CLDR does not know only digits are barred.

        filler: words of sentences around a name, such as "the"; a name may begin with them and does not keep them, and
        cannot end with one.  spaced: whether the language puts spaces between words.
        """
        self._spaced, self._filler = spaced, filler
        self._barred = _units(language) | (_numbers(counting_in(language)) | _and(language) if spaced else set())

    def cleaned(self, said: str, barred: Collection[str] = ()) -> str | None:
        """The name in `said`: "pasta", "blue room"; None for "5 minute", "an hour" or "tea and tell me".

        barred: words that no name has.
        """
        name = said.strip(" -")
        if not name or any(letter.isdigit() for letter in name):
            return None
        if not self._spaced:
            fits = len(name) <= MOST_CHARS_UNSPACED and not any(word in name for word in self._barred)
            return name if fits else None
        words = name.split()
        while len(words) > 1 and words[0].casefold() in self._filler:
            del words[0]
        plain = {part for word in words for part in word.casefold().split("-")}
        if words[-1].casefold() in self._filler or len(words) > MOST_WORDS or plain & {*self._barred, *barred}:
            return None
        return " ".join(words)


def counting_in(language: str) -> str:
    """The code under which the numbers of `language` are known in words; itself where they are not."""
    candidates = [language, language.partition("-")[0], *_SAME_NUMBERS.get(language, ())]
    return next((each for each in candidates if _numbers(each)), language)


def _locale(language: str) -> Locale | None:
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


def _units(language: str) -> set[str]:
    """The names of the units of time, in every form."""
    if not (locale := _locale(language)):
        return set()
    said = [format_unit(number, f"duration-{unit}", "long", locale=locale) for unit in _UNITS for number in _FORMS]
    return {word.casefold() for each in said for word in _LETTERS.findall(each) if len(word) > 1}


def _and(language: str) -> set[str]:
    """The word between two things, where it is a word of its own."""
    if not (locale := _locale(language)):
        return set()
    return {word.casefold() for word in locale.list_patterns["standard"]["2"].split() if word.isalpha()}


@cache
def _numbers(language: str) -> frozenset[str]:
    """Two to a hundred in words; "one" is left out, for in many languages it is the article as well."""
    try:
        engine = RbnfEngine.for_language(language)
        said = [engine.format_number(number).text_by_ruleset.values() for number in range(2, 101)]
    except ValueError:  # it has no rules for the language
        return frozenset()
    return frozenset(text.casefold().replace("\u00ad", "") for texts in said for text in texts)
