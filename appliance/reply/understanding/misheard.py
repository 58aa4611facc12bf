"""A word that the recogniser took for another of the same sound, where only the other makes sense."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from appliance.ports import SOUNDS_MIN, SoundOf

READINGS = 8
"""Each costs a match of all sentences, 1 to 3 ms on a desktop core. A judgement: the model takes seconds."""


class Misheard:
    """Constructing it is free: what the vocabulary sounds like is found out when asked to, or with the first line."""

    def __init__(self, vocabulary: Collection[str], sound_of: SoundOf) -> None:
        """`vocabulary`: in lower case."""
        self._vocabulary, self._sound_of = frozenset(vocabulary), sound_of
        self._by_sound: dict[str, list[str]] = {}

    def readings(self, words: Sequence[str]) -> Iterator[str]:
        """The line with one word of it, which is not in the vocabulary, replaced by one in it; READINGS at most."""
        left = READINGS
        for at, word in enumerate(words):
            plain = word.casefold().rstrip(",")
            for meant in () if plain in self._vocabulary else self._alike(plain):
                if not left:
                    return
                left -= 1
                yield " ".join([*words[:at], meant, *words[at + 1 :]])

    def warm_up(self) -> None:
        """Find out now what the vocabulary sounds like."""
        self._sounds()

    def _alike(self, word: str) -> Sequence[str]:
        sound = self._sound_of(word)
        return self._sounds().get(sound, ()) if len(sound) >= SOUNDS_MIN else ()

    def _sounds(self) -> dict[str, list[str]]:
        """Sound -> the words of the vocabulary that have it."""
        if not self._by_sound:
            for word in sorted(self._vocabulary):
                self._by_sound.setdefault(self._sound_of(word), []).append(word)
        return self._by_sound
