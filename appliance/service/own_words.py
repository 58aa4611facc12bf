"""The box's own words: what the microphone hears of them is nobody's line.

By the text alone, so it works with every sound card, and with a speaker in another room.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from appliance.audio import Stale
from appliance.ports import Cue, Mouth, Voice

FEWEST = 2
"""Words of a transcript that may be the box's own: one alone is as likely an answer."""
FEWEST_ASKED = 5
"""The same after a question, which holds its answers: "the kitchen or the bedroom?" """
SHARE = 0.7
"""Of its words, those that the box said, in that order: and a number is written in another way than it is heard."""
_WORD = re.compile(r"[^\W_]+")


class OwnWords:
    """A `Voice` that remembers what it was last given to say. Its other half may be asked by any thread."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._said, self._rung = "", ""

    def begin(self, stale: Stale, started: Callable[[float], None]) -> Mouth:
        self._said = ""
        return _Heeded(self._voice.begin(stale, started), self._note)

    def ring(self, sentences: Sequence[str]) -> None:
        self._rung = " ".join(sentences) or self._rung
        self._voice.ring(sentences)

    @property
    def chimes(self) -> int:
        return self._voice.chimes

    def silence(self) -> None:
        self._voice.silence()

    def cue(self, cue: Cue) -> None:
        self._voice.cue(cue)

    def are(self, text: str) -> bool:
        """Whether `text`, heard without a wake word, is what the box said itself."""
        return any(_is_of(text, said) for said in (self._said, self._rung))

    def hold(self, word: str) -> bool:
        """Whether it said `word`, or one that begins so, in what it said last."""
        return any(each.startswith(word) for said in (self._said, self._rung) for each in _words(said))

    def _note(self, text: str) -> None:
        self._said += text


class _Heeded:
    """A `Mouth` whose words are noted."""

    def __init__(self, mouth: Mouth, note: Callable[[str], None]) -> None:
        self._mouth, self._note = mouth, note

    def say(self, text: str) -> None:
        self._note(text)
        self._mouth.say(text)

    def finish(self) -> str:
        return self._mouth.finish()


def _is_of(text: str, said: str) -> bool:
    heard, own = _words(text), _words(said)
    if len(heard) < (FEWEST_ASKED if said.rstrip().endswith("?") else FEWEST):
        return False
    blocks = SequenceMatcher(None, own, heard, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= SHARE * len(heard)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
