"""espeak-ng: how words are pronounced, and a voice for a language that has no other. It sounds like a machine.

Its library and its data of some 130 languages ship in the piper package. Loaded here it is a copy of its own, for its
state is one for each copy: the language that was set last, for one thread at a time.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from piper import espeakbridge
from piper.phonemize_espeak import ESPEAK_DATA_DIR

from appliance.audio import Speech, Stale, never
from appliance.errors import PartMissing, TurnFailed
from appliance.tts.loudness import SAMPLE, gain_of, levelled

TIE = "^"
"""Stands between the letters of one sound, such as those of a diphthong."""
WORDS_A_MINUTE = 160
"""espeak-ng's own 175 is faster than most people speak; a judgement."""

_SYNCHRONOUS, _UTF8, _RATE, _BY_CHARACTER = 2, 1, 1, 1
_IPA_TIED = 0x02 | 0x80 | ord(TIE) << 8
_KIND = 0x7000
_MARKS = {0x0000: ".", 0x1000: ",", 0x2000: "?", 0x3000: "!"}
"""Of the tone in which a clause ends -> the sign that stands for it (espeak-ng, translate.h)."""
_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


class Espeak:
    """One copy of the library. Any thread; one at a time is served."""

    def __init__(self) -> None:
        """Raises PartMissing."""
        self._lock = Lock()
        self._pieces: list[NDArray[np.int16]] = []
        self._library = _copy_of(Path(espeakbridge.__file__))
        self.rate_hz = int(self._library.espeak_Initialize(_SYNCHRONOUS, 0, str(ESPEAK_DATA_DIR).encode(), 0))
        if self.rate_hz <= 0:
            raise PartMissing("espeak-ng cannot be used", remedy="install the appliance again: make setup")
        self._callback = _Callback(self._take)  # kept here, or the library would call what is gone
        self._library.espeak_SetSynthCallback(self._callback)

    def speaks(self, voice: str) -> bool:
        """`voice`: a language, such as de; en is British."""
        with self._lock:
            return self._set(voice)

    def phonemes(self, text: str, voice: str) -> str:
        """In the international alphabet, the letters of one sound tied, each clause ended by its mark and a blank.

        Raises PartMissing where `voice` is no language of it."""
        found = []
        with self._lock:
            self._choose(voice)
            encoded = text.encode() + b"\0"
            rest, end = ctypes.c_char_p(encoded), ctypes.c_int()
            while rest.value:
                letters = self._library.espeak_TextToPhonemesWithTerminator(
                    ctypes.byref(rest), _UTF8, _IPA_TIED, ctypes.byref(end)
                )
                found.append((letters or b"").decode() + _MARKS.get(end.value & _KIND, ","))
        return " ".join(found)

    def sound(self, text: str, voice: str, speed: float) -> NDArray[np.int16]:
        """At `rate_hz`. Raises PartMissing, TurnFailed."""
        encoded = text.encode() + b"\0"
        with self._lock:
            self._choose(voice)
            self._pieces = []
            self._library.espeak_SetParameter(_RATE, round(WORDS_A_MINUTE * speed), 0)
            failed = self._library.espeak_Synth(encoded, len(encoded), 0, _BY_CHARACTER, 0, _UTF8, None, None)
            pieces, self._pieces = self._pieces, []
        if failed:
            raise TurnFailed(f"espeak-ng failed ({failed})", remedy="say something else; look at free memory")
        return np.concatenate(pieces) if pieces else np.zeros(0, np.int16)

    def _choose(self, voice: str) -> None:
        """Without a language the library would end the process."""
        if not self._set(voice):
            raise PartMissing(f"espeak-ng does not speak {voice!r}", remedy="set words.language to en or de")

    def _set(self, voice: str) -> bool:
        return bool(self._library.espeak_SetVoiceByName(voice.encode()) == 0)

    def _take(self, samples: ctypes.Array[ctypes.c_short], count: int, events: object) -> int:
        """Called by the library with each piece; 0 is: go on."""
        if samples and count:
            self._pieces.append(np.ctypeslib.as_array(samples, (count,)).copy())
        return 0


@cache
def shared() -> Espeak:
    """The one of this process. Raises PartMissing."""
    return Espeak()


class EspeakVoice:
    """Implements ports.Synthesizer: a clause in a piece, for it takes milliseconds."""

    def __init__(self, language: str, speed: float = 1.0) -> None:
        """Raises PartMissing where espeak-ng does not speak `language` either."""
        self._espeak, self._language, self._speed = shared(), language, speed
        self._gain = gain_of([self._sound(SAMPLE)])

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        sound = self._sound(clause)
        if sound.any():
            yield Speech(levelled(sound, self._gain), self._espeak.rate_hz)

    def _sound(self, clause: str) -> NDArray[np.float32]:
        return self._espeak.sound(clause, self._language, self._speed).astype(np.float32) / np.float32(32_768)


def _copy_of(library: Path) -> ctypes.CDLL:
    """Loaded from a file of another name, or the one that Python has loaded would be given."""
    with open(os.memfd_create("espeak-ng"), "wb") as file:
        file.write(library.read_bytes())
        file.flush()
        loaded = ctypes.CDLL(f"/proc/self/fd/{file.fileno()}")
    loaded.espeak_TextToPhonemesWithTerminator.restype = ctypes.c_char_p
    return loaded
