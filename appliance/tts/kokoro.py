"""A better voice for boards that can: Kokoro-82M in int8 (StyleTTS 2 on onnxruntime), with the phonemes of espeak-ng.

Unlike Piper's its sound cannot be cut: each layer is set by the mean of the whole clause (AdaIN). So a clause is made
in one go, which is ended once nobody wants it any more, and `begins_in_s` tells how long that will take.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from appliance.audio import Speech, Stale, never
from appliance.errors import ModelDamaged, ModelMissing, TurnFailed, explained
from appliance.tts import kokoro_phonemes
from appliance.tts.espeak import shared
from appliance.tts.loudness import SAMPLE, Sound, gain_of, levelled

RATE_HZ = 24_000
STYLES, STYLE = 510, 256
"""A voice has a style of so many numbers for each count of phonemes."""
REMEDY = "run: appliance models fetch"
LOOK_S = 0.05
"""Between two looks at whether a clause is still wanted."""
QUIET = 0.01
"""Of full scale: what is softer at both ends of a clause is taken for silence."""
BEFORE_S, AFTER_S = 0.03, 0.2
"""Left of that silence: the model gives some 0.3 s and 0.5 s of it."""
KNOWN = 8
"""Pieces by which it is known how fast the board is: its best of so many, for all else that runs slows it."""


class Kokoro:
    """Implements ports.Synthesizer; a piece is a clause, or as much of a long one as takes 10 s to say."""

    def __init__(self, network: Path, style: Path, accent: str, threads: int = 2, speed: float = 1.0) -> None:
        """accent: of kokoro_phonemes.  speed: 2 is twice as fast.  Raises ModelMissing, ModelDamaged."""
        missing = [str(path) for path in (network, style) if not path.is_file()]
        if missing:
            raise ModelMissing(f"the voice {' and '.join(missing)} is not there", remedy=REMEDY)
        self._espeak, self._accent, self._speed = shared(), accent, speed
        self._pool = ThreadPoolExecutor(1, "kokoro")  # its thread starts with the first clause
        self._took: deque[tuple[float, float]] = deque(maxlen=KNOWN)
        with explained(lambda error: ModelDamaged(f"the voice {network} cannot be loaded ({error})", remedy=REMEDY)):
            self._styles = np.fromfile(style, np.float32).reshape(STYLES, 1, STYLE)
            self._session = _session(network, threads)
            self._gain = gain_of(self._raw(SAMPLE))

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        """See Synthesizer. Raises TurnFailed."""
        remedy = "say something else; look at free memory"
        with explained(lambda error: TurnFailed(f"the voice failed ({error})", remedy=remedy)):
            for sound in self._raw(clause, stale):
                yield Speech(levelled(sound, self._gain), RATE_HZ)

    def begins_in_s(self, clause: str) -> float:
        """How long the first piece would take, if each phoneme took as long as those of the last one did."""
        numbers = self._numbers(clause)
        return len(numbers[0]) * self._took[-1][0] if numbers else 0

    @property
    def effort(self) -> float | None:
        """Seconds of making for a second of sound, at its best; None as long as that is not known."""
        return min(effort for _, effort in self._took) if len(self._took) == KNOWN else None

    def _raw(self, clause: str, stale: Stale = never) -> Iterator[Sound]:
        for numbers in self._numbers(clause):
            began_s = time.monotonic()
            sound = self._run(numbers, stale)
            if sound is None:
                return
            took_s = time.monotonic() - began_s
            self._took.append((took_s / len(numbers), took_s / max(len(sound) / RATE_HZ, LOOK_S)))
            yield _trimmed(sound)

    def _numbers(self, clause: str) -> list[list[int]]:
        phonemes = self._espeak.phonemes(clause, self._accent)
        return kokoro_phonemes.pieces(kokoro_phonemes.misaki(phonemes, self._accent))

    def _run(self, numbers: list[int], stale: Stale) -> Sound | None:
        """None once it is stale."""
        feed = {
            "tokens": np.array([[0, *numbers, 0]], np.int64),
            "style": self._styles[min(len(numbers), STYLES) - 1],
            "speed": np.array([self._speed], np.float32),
        }
        options = onnxruntime.RunOptions()
        made: Future[list[NDArray[np.float32]]] = self._pool.submit(self._session.run, None, feed, options)
        while not wait([made], LOOK_S).done:
            if stale():
                options.terminate = True
                wait([made])
                return None
        return made.result()[0].ravel()


def _trimmed(sound: Sound) -> Sound:
    loud = np.flatnonzero(np.abs(sound) > QUIET)
    if not len(loud):
        return sound[:0]
    return sound[max(0, loud[0] - round(BEFORE_S * RATE_HZ)) : loud[-1] + round(AFTER_S * RATE_HZ)]


def _session(network: Path, threads: int) -> onnxruntime.InferenceSession:
    """With its arena, unlike Piper's: without it a clause of 5 s takes 1.1 GB at its peak and not 0.36, and a long one
    twice the time, for its buffers go back to the system and are asked for again (2 EPYC cores, 2026-11-28)."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(network), options, providers=["CPUExecutionProvider"])
