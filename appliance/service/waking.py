"""The sound of what rings: the chime, or what was asked for in its place, as long as that is really heard."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from enum import Enum, auto

from appliance.ports import Voice, WakeSounds

log = logging.getLogger(__name__)

START_S = 5.0
"""How long what was asked for may take to sound: a station connects in 1 to 3 s. Then the chime wakes."""


class Music(Enum):
    """What sounds in place of the chime."""

    NONE = auto()
    AWAITED = auto()
    SOUNDS = auto()


class Waking:
    """Used by one thread."""

    def __init__(self, voice: Voice, sounds: WakeSounds | None) -> None:
        """sounds: what can play in place of the chime; None where nothing can."""
        self._voice, self._sounds = voice, sounds
        self._music, self._late_s = Music.NONE, 0.0
        self._heard = 0
        self._untold: Sequence[str] = ()

    @property
    def heard(self) -> int:
        """A number that is higher after each sound that was heard; see ports.Voice.chimes."""
        return self._voice.chimes + self._heard

    def ring(self, sentences: Sequence[str], what: str = "") -> None:
        """Until silenced. `sentences` are said once.  what: to be played in place of the chime, where nothing rings."""
        if what and self._sounds and self._music is Music.NONE:
            self._sounds.start(what)
            self._music, self._late_s, self._untold = Music.AWAITED, time.monotonic() + START_S, sentences
        elif sentences or self._music is Music.NONE:
            self._voice.ring(sentences)

    def look(self) -> None:
        """To be called at least each second: the chime follows where nothing is heard any more, or not in time."""
        if self._music is Music.NONE or self._sounds is None:
            return
        if not self._sounds.sounding:
            if self._music is Music.SOUNDS or time.monotonic() >= self._late_s:
                log.warning("what was to wake somebody is not heard: the chime rings")
                self._end_music()
                self._voice.ring(self._untold)
        elif self._music is Music.AWAITED:
            self._music, untold, self._untold = Music.SOUNDS, self._untold, ()
            self._heard += 1
            self._tell(untold)

    def silence(self) -> None:
        self._voice.silence()
        self._end_music()

    def _tell(self, sentences: Sequence[str]) -> None:
        mouth = self._voice.begin(lambda: self._music is not Music.SOUNDS, lambda at_s: None)
        for sentence in sentences:
            mouth.say(f"{sentence}\n")

    def _end_music(self) -> None:
        if self._music is not Music.NONE and self._sounds:
            self._sounds.stop()
        self._music = Music.NONE
