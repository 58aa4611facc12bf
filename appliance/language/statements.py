"""What a sentence tells that is so: not what it asks, wonders about, or tells of the box, nor what is over tomorrow.

The words are in data/<language>.yaml; of a language without them nothing is taken for a statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import dropwhile, takewhile

from appliance.language.subjects import subject
from appliance.language.words import alternatives, language_data, tidy

ALIKE_LEAST = 3
"""Words with which two statements begin alike: of "the dog is called" and "the dog is afraid" two do."""
INFLECTED = 4
"""Letters of a word that may end otherwise: I live, the user lives."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_USER = re.compile(r"^the user(?!\w|')")
_NEVER = re.compile(r"(?!)")


def states(sentence: str, language: str) -> bool:
    """Whether a sentence tells something that may still be so in a year."""
    text = tidy(sentence)
    if not text or text.endswith("?") or _at_start(language).match(text):
        return False
    return not any(_words(kind, language).search(text) for kind in ("doubt", "passing"))


def denies(text: str, language: str) -> bool:
    """Whether it says that something is not so."""
    return _words("denies", language).search(tidy(text)) is not None


def stands(text: str, language: str) -> bool:
    """Whether it says how something is wanted from now on."""
    return _words("standing", language).search(tidy(text)) is not None


def of_you(sentence: str, language: str) -> bool:
    """Whether it is about whom it is said to: "you are funny", "your voice is nice"."""
    text = tidy(sentence)
    return any(_words("you", language).match(part) is not None for part in (text, tidy(subject(text))) if part)


def refers(sentence: str, language: str) -> bool:
    """Whether a word in it may stand for what was spoken of before: it, she, that."""
    return _words("refers", language).search(tidy(sentence)) is not None


def of_speaker(sentence: str, language: str) -> bool:
    """Whether it tells of whoever says it: "I practise", "our shed"."""
    return _words("speaker", language).search(tidy(sentence)) is not None


def same_but_for_the_end(one: str, other: str, language: str) -> bool:
    """Whether two say the same of one thing up to what it is, so that only one of them can be true now.

    "The bins are collected on Monday", or on Thursday. Of "a dog" and "a cat" somebody may have both.
    """
    both = zip(_told(one, language), _told(other, language), strict=False)
    begun = [first for first, _ in takewhile(lambda pair: _same_word(*pair), both)]
    articles = (language_data(language) or {}).get("numbers", {}).get("articles", ())
    linked = any(word in _of(language).get("links", ()) for word in begun[1:])
    return linked and len(begun) >= ALIKE_LEAST and begun[-1] not in articles


def _same_word(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    return one == other or (short >= INFLECTED and one[:short] == other[:short])


def _told(text: str, language: str) -> list[str]:
    """Its words, without whose it is."""
    whose = {*_of(language).get("owns", ()), "the", "user's"}
    return [*dropwhile(whose.__contains__, _WORD.findall(_USER.sub("i", tidy(text))))]


def owned(text: str, language: str) -> Sequence[str]:
    """What is named as somebody's: the sister of "my sister lives in York"."""
    return _owned(language).findall(tidy(text))


@cache
def _at_start(language: str) -> re.Pattern[str]:
    found = _of(language).get("asks", ())
    return re.compile(rf"(?:{alternatives(found)})(?!\w)") if found else re.compile("")


@cache
def _words(kind: str, language: str) -> re.Pattern[str]:
    found = _of(language).get(kind, ())
    return re.compile(rf"(?<!\w)(?:{alternatives(found)})(?!\w)") if found else _NEVER


@cache
def _owned(language: str) -> re.Pattern[str]:
    found = _of(language).get("owns", ())
    return re.compile(rf"(?<!\w)(?:{alternatives(found)})\s+([^\W\d_]{{3,}})") if found else _NEVER


def _of(language: str) -> dict[str, Sequence[str]]:
    known = (language_data(language) or {}).get("statements", {})
    return {kind: [word.casefold() for word in words] for kind, words in known.items()}
