"""Which detector listens for which wake word, by the models that there are of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from appliance.ears.in_series import InSeries, SideBySide
from appliance.ears.microwake import MicroWake
from appliance.ears.wakehubert import WakeHubert
from appliance.ports import WakeDetector

MICRO, HUBERT = "microwakeword", "wakehubert"
"""Keys of a wake word's files in the manifest."""
PERHAPS, LIKELY = 0.1, 0.7
"""Probabilities from which the cheap and the careful detector believe a word that both listen for.

"alexa" by people, of 110: 3 missed in quiet, 3 in a kitchen at 10 dB, 5 among four voices at 10 dB, five false ones in
101 minutes. openWakeWord's: 4, 6, 36, and one (`python -m bench.human`, 2 EPYC cores, 2026-11-28). At 0.8 the careful
one lets two false ones through, misses 8 among voices, and is too late for a question in one breath with it.
"""
FAR = 16.0
"""Gain of the careful one behind the cheap one: a voice across the room, 30 dB below full scale. By itself it would
take noise for the word then."""
ALONE = 0.95
"""Of the cheap one by itself: as its published configuration has it."""


def detector(models: Mapping[str, Mapping[str, Path]], features: Path) -> WakeDetector:
    """`models`: word -> key -> file.  features: those of WakeHuBERT. Raises ModelMissing, ModelDamaged."""
    by_hubert = {word: files[HUBERT] for word, files in models.items() if MICRO not in files}
    found = [_by_micro(word, files, features) for word, files in models.items() if MICRO in files]
    return SideBySide([*found, *([WakeHubert(by_hubert, features)] if by_hubert else [])])


def _by_micro(word: str, files: Mapping[str, Path], features: Path) -> WakeDetector:
    """By the cheap one, and by the careful one behind it where there is one."""
    if HUBERT not in files:
        return MicroWake(word, files[MICRO], ALONE)
    second = WakeHubert({word: files[HUBERT]}, features, {word: LIKELY}, FAR)
    return InSeries(MicroWake(word, files[MICRO], PERHAPS), second.scores)
