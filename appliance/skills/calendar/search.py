"""Which events are looked for: by words of their titles, as they were said or as they were heard."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from appliance.ports import SOUNDS_MIN, SoundOf
from appliance.skills.calendar.files import Wanted
from appliance.skills.calendar.words import CalendarWords

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_BEGIN_CHARS = 4
"""Words of so many letters match where one begins with the other: dentist and dentists."""


def words_of(text: str) -> list[str]:
    """In lower case, without accents and without what makes them someone's: Mia's is mia."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    return [_POSSESSIVE.sub("", word) for word in _WORD.findall(bare)]


def meaning_of(text: str, words: CalendarWords) -> list[str]:
    """The words of it that an event can be found by."""
    noise, noise_beside = ({*words_of(" ".join(each))} for each in (words.noise, words.noise_beside))
    meant = [word for word in words_of(text) if word not in noise]
    return [word for word in meant if word not in noise_beside] or meant


def ways(meant: Sequence[str], sound_of: SoundOf) -> list[Wanted]:
    """Tests of a title, the strictest first: each word is in it; each is, or sounds like one that is."""
    sounds = {word: sound_of(word) for word in meant}

    def is_written(title: str) -> bool:
        held = words_of(title)
        return all(any(_alike(word, each) for each in held) for word in meant)

    def is_heard(title: str) -> bool:
        held = words_of(title)
        heard = {sound_of(each) for each in held}
        return all(
            any(_alike(word, each) for each in held) or (len(sounds[word]) >= SOUNDS_MIN and sounds[word] in heard)
            for word in meant
        )

    return [is_written, is_heard]


def _alike(one: str, other: str) -> bool:
    shorter = min(one, other, key=len)
    return one == other or (len(shorter) >= _BEGIN_CHARS and one.startswith(shorter) and other.startswith(shorter))
