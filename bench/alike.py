"""Are two short texts the same but for case, articles, whose it is, figures and endings, as "my tea" and "the tea"?"""

from __future__ import annotations

import difflib
import re
from functools import cache

from appliance.language.numbers import parse_number, plain
from appliance.reply.understanding.fastlane import FastLane

FILLER = {
    "en": "the a an that to of for in on my your our his her me i you we is am are m re s it and some please user"
    " appointment",
    "de": "der die das den dem des ein eine einen einem einer dass zu zur zum für an am auf im in mein meine meinen"
    " meinem meiner dein deine deinen deinem deiner ich du wir mir mich dir dich und bitte termin",
}
"""Words that may be there or not."""
PLURALS = ("en", "es", "n", "s", "e")
SHORTEST = 4
"""Letters of a word that may stand within another one: "kommt" in "wiederkommt"."""
_ALIKE = 0.8
"""difflib ratio of two forms of one word: "abholen", "abzuholen" are at 0.88, "milk", "mink" at 0.75."""
MOST_ADDED = 0.4
"""Share of the words that may be there besides; a judgement. "ring mum in half an hour" is not "ring mum"."""


def names(wanted: str, given: str, language: str) -> bool:
    """Whether every word that is wanted is there; others may be as well: "the pasta timer" names pasta."""
    found = words(given, language)
    return all(any(_same(word, other) for other in found) for word in words(wanted, language))


def says(wanted: str, given: str, language: str) -> bool:
    """Likewise, and not much else is there."""
    there, found = words(wanted, language), words(given, language)
    added = [word for word in found if not any(_same(word, other) for other in there)]
    return names(wanted, given, language) and len(added) <= MOST_ADDED * len(found)


def words(text: str, language: str) -> list[str]:
    """Those that count, with numbers in figures; all of them where each is filler."""
    each = re.findall(r"\w+", in_figures(text, language).casefold())
    return [_figure(word, language) for word in each if word not in FILLER[language].split()] or each


def _figure(word: str, language: str) -> str:
    number = parse_number(word, language)
    return word if number is None else str(plain(number))


def in_figures(text: str, language: str) -> str:
    """Also what is spelt figure by figure: "four five one" is 451."""
    digits = _reader(language).in_digits(text.replace("’", "'"))
    return re.sub(r"(?<=\b\d) (?=\d\b)", "", digits)


@cache
def _reader(language: str) -> FastLane:
    return FastLane(language)


def _same(one: str, other: str) -> bool:
    if one == other or _stem(one) == _stem(other):
        return True
    if one.isdigit() or other.isdigit():
        return False
    short, long = sorted((one, other), key=len)
    within = len(short) >= SHORTEST and short in long
    return within or (len(short) >= SHORTEST and difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE)


def _stem(word: str) -> str:
    ending = next((each for each in PLURALS if word.endswith(each) and len(word) - len(each) >= 3), "")
    return word.removesuffix(ending)
