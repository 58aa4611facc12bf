"""Speech to text by whisper.cpp (github.com/ggml-org/whisper.cpp), in this process."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from ctypes import POINTER, c_float
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples, Stale, Utterance
from appliance.errors import Cancelled, ModelDamaged, ModelMissing, TurnFailed
from appliance.ports import SoundOf, Transcript
from appliance.stt import whisper_c
from appliance.stt.biasing import Bias, Vocabulary
from appliance.stt.certainty import Certainty
from appliance.stt.tidy import tidy, without_call

_MAGIC = b"lmgg"
"""The first bytes of every ggml file; on others whisper.cpp ends the process."""
_SHORTEST_S = 1.1
"""whisper.cpp hears nothing in less than a second."""
_STEPS_PER_S = 50
"""Steps of audio context a second: 1500 for the 30 s that whisper was trained on."""
_CONTEXT_FULL = 1_500
_CONTEXT_SPARE = 128
"""Steps beyond the utterance; fewer and the decoder loops (docs/design/facts.md)."""
_CONTEXT_BLOCK = 256
"""whisper.cpp's decoder looks at the encoder's steps in blocks of so many; what it finds behind the last step is of the
utterance before. Of 20 orders of 8 s, 4 were heard otherwise behind another utterance; the time is the same."""
_CONTEXT_MIN = 512
"""Below this the decoder loops on short commands. Word errors of 414, 66 synthetic commands in three voices, tiny.en
and base: full context 33 and 33, at least 512 steps 34 and 30, at least 384 49 and 62; a third of the time at 512."""
_FLOATS = POINTER(c_float)
_TOKENS_PER_S = 8
"""Fast speech is 5 words, about 7 tokens, a second: more is a loop."""


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

        Raises ModelMissing, ModelDamaged, PartMissing.
        """
        _check(path)
        self._wake_words, self._sound_of = wake_words, sound_of
        self._language, self._threads = language.encode(), threads
        self._whisper = whisper_c.library()
        self._context = self._whisper.whisper_init_from_file(str(path).encode())
        if not self._context:
            raise ModelDamaged(f"whisper.cpp cannot load {path.name}", remedy="run: appliance models verify")
        weakref.finalize(self, self._whisper.whisper_free, self._context)
        self._size = self._whisper.whisper_n_vocab(self._context)
        text_of = partial(self._whisper.whisper_token_to_str, self._context)
        vocabulary = Vocabulary([text_of(token) for token in range(self._whisper.whisper_token_eot(self._context))])
        self._bias_of = lru_cache(1)(partial(Bias, vocabulary))

    def transcribe(
        self, utterance: Utterance, stale: Stale, expected: str = "", names: tuple[str, ...] = ()
    ) -> Transcript:
        """`stale` is looked at before the encoder, after it, and at every token. The others: see ports.Transcriber.

        Of 12 snoozes by four synthetic voices base heard 3, and 11 when told to expect it; behind the wake word 6, then
        12. Nothing else than before was heard in 16 other sentences, noise and silence. tiny.en gains nothing, and of
        two sentences to expect it hears the second in plain noise: one is enough (2-core EPYC, 2026-11-28).
        """
        if stale():
            raise Cancelled
        sound = _padded(utterance.samples)
        certainty = Certainty()
        params = self._params(certainty, self._bias_of(names) if names else None, stale, len(sound))
        params.initial_prompt = self._expecting(utterance, expected)
        failed = self._whisper.whisper_full(self._context, params, sound.ctypes.data_as(_FLOATS), len(sound))
        if stale():
            raise Cancelled
        if failed:
            raise TurnFailed(f"whisper.cpp failed (status {failed})", remedy="say it again")
        text = self._text()
        if utterance.called:
            text = without_call(text, self._wake_words, self._sound_of)
        return Transcript(tidy(text, certainty.of(self._tokens()), self._wake_words))

    def _expecting(self, utterance: Utterance, expected: str) -> bytes | None:
        """As it would be written: one that begins with the wake word is recognised by one that does."""
        if not expected:
            return None
        called = self._wake_words[:1] if utterance.called else ()
        return ", ".join([*called, expected]).encode()

    def _text(self) -> str:
        """Of all segments: there are several where there were more than 30 s."""
        texts = [self._whisper.whisper_full_get_segment_text(self._context, segment) for segment in self._segments()]
        return " ".join(b"".join(texts).decode(errors="ignore").split())

    def _tokens(self) -> list[int]:
        return [
            self._whisper.whisper_full_get_token_id(self._context, segment, place)
            for segment in self._segments()
            for place in range(self._whisper.whisper_full_n_tokens(self._context, segment))
        ]

    def _segments(self) -> range:
        return range(self._whisper.whisper_full_n_segments(self._context))

    def _params(self, certainty: Certainty, bias: Bias | None, stale: Stale, samples: int) -> whisper_c.Params:
        """What holds the callbacks has to live as long as the call."""
        params: whisper_c.Params = self._whisper.whisper_full_default_params(whisper_c.GREEDY)
        params.n_threads, params.language = self._threads, self._language
        params.single_segment = params.no_context = params.no_timestamps = params.suppress_nst = True
        params.print_progress = params.print_timestamps = False
        params.temperature_inc = 0.0  # no second try at a higher temperature: noise would be decoded six times
        params.best_of = 1
        params.audio_ctx = audio_context(samples)
        params.max_tokens = 10 + _TOKENS_PER_S * samples // RATE_HZ
        params.abort_callback = whisper_c.AbortCallback(lambda _: stale())
        weigh = partial(self._weigh, certainty, bias)
        params.logits_filter_callback = whisper_c.LogitsFilter(lambda _context, _state, *given: weigh(*given))
        return params

    def _weigh(
        self, certainty: Certainty, bias: Bias | None, tokens: Any, place: int, values: Any, _data: None
    ) -> None:
        """tokens: the first `place` are those so far.  values: of each token of the vocabulary, to be the next."""
        logits = np.ctypeslib.as_array(values, shape=(self._size,))
        certainty.hear(place, logits)
        if bias:
            bias.favour([token.id for token in tokens[:place]], logits)


def audio_context(samples: int) -> int:
    """How much the encoder looks at: its time grows with it, and 30 s of context for 3 s of speech is wasted."""
    steps = -(-samples * _STEPS_PER_S // RATE_HZ) + _CONTEXT_SPARE
    blocks = -(-steps // _CONTEXT_BLOCK)
    return min(max(blocks * _CONTEXT_BLOCK, _CONTEXT_MIN), _CONTEXT_FULL)


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
