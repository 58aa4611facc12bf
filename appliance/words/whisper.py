"""Speech to text by whisper.cpp (github.com/ggml-org/whisper.cpp), in this process."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples, Stale, Utterance
from appliance.errors import Cancelled, ModelDamaged, ModelMissing
from appliance.ports import SoundOf, Transcript
from appliance.words.tidy import tidy, without_call
from appliance.words.unneeded import unneeded

with unneeded("requests"):  # to download models, which is never asked for; its import opens an internet socket
    from pywhispercpp.model import Model

_MAGIC = b"lmgg"
"""The first bytes of every ggml file; on others whisper.cpp ends the process."""
_SHORTEST_S = 1.1
"""whisper.cpp hears nothing in less than a second."""
_STEPS_PER_S = 50
"""Steps of audio context a second: 1500 for the 30 s that whisper was trained on."""
_CONTEXT_FULL = 1_500
_CONTEXT_SPARE = 128
"""Steps beyond the utterance; fewer and the decoder loops (performance.md 3.8)."""
_CONTEXT_MIN = 512
"""Below this the decoder loops on short commands. Word errors of 414, 66 synthetic commands in three voices, tiny.en
and base: full context 33 and 33, at least 512 steps 34 and 30, at least 384 49 and 62; a third of the time at 512."""
_TOKENS_PER_S = 8
"""Fast speech is 5 words, about 7 tokens, a second: more is a loop."""

# the library tells each call at INFO
logging.getLogger("pywhispercpp").setLevel(logging.WARNING)


class WhisperCpp:
    """A `Transcriber`."""

    def __init__(
        self,
        path: Path,
        language: str = "en",
        threads: int = 2,
        wake_words: Sequence[str] = (),
        sound_of: SoundOf = str.casefold,
    ) -> None:
        """`wake_words`: as they are spoken; taken off the start of an utterance. English-only models ignore `language`.

        Raises ModelMissing, ModelDamaged.
        """
        _check(path)
        self._wake_words, self._sound_of = wake_words, sound_of
        self._model = Model(
            str(path),
            redirect_whispercpp_logs_to=None,
            n_threads=threads,
            language=language,
            single_segment=True,
            no_context=True,
            no_timestamps=True,
            temperature_inc=0.0,  # no second try at a higher temperature: noise would be decoded six times
            suppress_nst=True,
            greedy={"best_of": 1},
            print_progress=False,
            print_realtime=False,
            print_timestamps=False,
        )

    def transcribe(self, utterance: Utterance, stale: Stale) -> Transcript:
        """`stale` is looked at before the encoder, after it, and at every token."""
        if stale():
            raise Cancelled
        sound = _padded(utterance.samples)
        segments = self._model.transcribe(
            sound,
            abort_callback=stale,
            extract_probability=True,
            audio_ctx=audio_context(len(sound)),
            max_tokens=10 + _TOKENS_PER_S * len(sound) // RATE_HZ,
        )
        if stale():
            raise Cancelled
        if not segments:
            return Transcript("")
        text = " ".join(segment.text.strip() for segment in segments)  # several in more than 30 s
        if utterance.called:
            text = without_call(text, self._wake_words, self._sound_of)
        return Transcript(tidy(text, mean(segment.probability for segment in segments), self._wake_words))


def audio_context(samples: int) -> int:
    """How much the encoder looks at: its time grows with it, and 30 s of context for 3 s of speech is wasted."""
    steps = -(-samples * _STEPS_PER_S // RATE_HZ) + _CONTEXT_SPARE
    return min(max(steps, _CONTEXT_MIN), _CONTEXT_FULL)


def _padded(samples: Samples) -> NDArray[np.float32]:
    missing = max(0, round(_SHORTEST_S * RATE_HZ) - len(samples))
    return np.pad(samples.astype(np.float32) / 32_768, (0, missing))


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError:
        raise ModelMissing(f"there is no model at {path}", remedy="run: appliance models fetch") from None
    if magic != _MAGIC:
        raise ModelDamaged(f"{path} is not a whisper model in ggml", remedy="run: appliance models verify")
