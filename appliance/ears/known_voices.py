"""Whose voice it is, of those that the box has learnt; and how one is learnt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from appliance.audio import Samples, level_of
from appliance.ears.voice_print import mean
from appliance.errors import BadArgument
from appliance.ports.speaker import Print, Prints, VoiceEncoder, Whose
from appliance.wording import said

PHRASES = 3
"""Of which a voice is learnt: a judgement."""
ALIKE_LEAST = 0.55
"""Cosine of two phrases of one voice. Of two halves of one recording 48 of 50 have more in common, of two voices one
pair in thirty a phrase and a print (`python -m bench.speaker`, 2026-11-28)."""
FAINT_DBFS, CLIPPED_MOST = -45.0, 0.01
"""RMS below which a phrase is too faint, and share of samples at the end of the scale from which it is too loud. The
speech of people in 120 recordings has -32 to -18 dBFS (docs/measured.md, Who speaks); the rest is a judgement."""


class KnownVoices:
    """A `SpeakerId`."""

    def __init__(self, encoder: VoiceEncoder, prints: Prints, likeness: float, language: str) -> None:
        """likeness: cosine of a voice and a print from which it is that of the print."""
        self._encoder, self._prints, self._likeness, self._language = encoder, prints, likeness, language

    def who(self, utterance: Samples) -> Whose:
        known = self._prints.all()  # read anew: one may have been learnt, or forgotten, by a command
        heard = self._encoder.of(utterance) if known else None
        if heard is None:
            return Whose()
        scores = {name: float(heard @ learnt) for name, learnt in known.items()}
        best = max(scores, key=scores.__getitem__)
        return Whose(best if scores[best] >= self._likeness else "", scores[best])

    def learn(self, name: str, phrases: Sequence[Samples]) -> None:
        heard = [self._checked(phrase) for phrase in phrases]
        if len(heard) < PHRASES:
            raise BadArgument(self._said("voice_too_few"), remedy=f"give {PHRASES} phrases of one voice")
        alike = min(float(one @ other) for one in heard for other in heard)
        if alike < ALIKE_LEAST:
            raise BadArgument(self._said("voice_differs"), remedy="say the phrases again, in a quiet room")
        self._prints.keep(name, mean(np.stack(heard)))

    def check(self, phrase: Samples) -> None:
        self._checked(phrase)

    def _checked(self, phrase: Samples) -> Print:
        """Its print. Raises BadArgument."""
        level = level_of(phrase) if len(phrase) else None
        if level is None or level.dbfs < FAINT_DBFS:
            raise BadArgument(self._said("voice_faint"), remedy="speak up, or go nearer to the microphone")
        if level.clipped > CLIPPED_MOST:
            raise BadArgument(self._said("voice_loud"), remedy="speak more softly, or turn the microphone down")
        found = self._encoder.of(phrase)
        if found is None:
            raise BadArgument(self._said("voice_short"), remedy="say a whole sentence")
        return found

    def _said(self, key: str) -> str:
        return said(key, self._language)
