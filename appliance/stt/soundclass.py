"""How words sound, coarsely: what a recogniser may take for each other is written the same.

espeak-ng, which ships in the piper package, knows the pronunciation; its phonemes are then grouped into classes, after
A. Dolgopolsky (1964), whose classes hold the sounds that turn into one another most readily. All vowels are one class.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache

from piper.phonemize_espeak import EspeakPhonemizer

log = logging.getLogger(__name__)

_VOICES = {"en": "en-us"}
"""The voice of the appliance is American."""
_CLASSES = {
    "P": "pbfvɸβ",
    "T": "tdθðɾʔ",
    "S": "szʃʒçɕʑ",
    "K": "kɡgxɣ",
    "M": "m",
    "N": "nŋɲ",
    "L": "lɫɭ",
    "R": "ɹrʁ",
    "W": "w",
    "J": "j",
    "H": "h",
    "V": "aeiouyæøœɐɑɒɔəɚɛɜɝɪʊʌʏᵻɨʉɤɯ",
}
_CLASS_OF = {ord(sound): name for name, sounds in _CLASSES.items() for sound in sounds}
_UNREADABLE = re.compile(r"[^\w' -]")
"""Signs would be spelt out; espeak-ng refuses some."""
_MARKS = re.compile(r"[^A-Z]")
"""Length and stress."""
_DROPPED = re.compile(r"R(?!V)|(.)(?=\1)")
"""An r that no vowel follows, which half of the speakers do not speak; and all but one of the same in a row."""


WORDS_KEPT = 4_096
"""The words of the sentence files, those that were misheard lately, and how utterances with a wake word began."""


class SoundClasses:
    """A `SoundOf`. One word or a few; the answer of each is kept."""

    def __init__(self, language: str = "en") -> None:
        """`language`: of two or three letters. In one that espeak-ng does not speak no two words sound alike."""
        self._voice, self._phonemizer = _VOICES.get(language, language), EspeakPhonemizer()
        self._sound_of = lru_cache(WORDS_KEPT)(self._classes if self._is_spoken() else str.casefold)

    def __call__(self, text: str) -> str:
        return self._sound_of(text)

    def _is_spoken(self) -> bool:
        try:
            self._phonemizer.phonemize(self._voice, "")
        except RuntimeError as error:
            log.warning("nothing is known to sound alike: %s", error)
            return False
        return True

    def _classes(self, text: str) -> str:
        sentences = self._phonemizer.phonemize(self._voice, _UNREADABLE.sub(" ", text.casefold()))
        classes = "".join("".join(phonemes) for phonemes in sentences).translate(_CLASS_OF)
        return _DROPPED.sub("", _MARKS.sub("", classes))
