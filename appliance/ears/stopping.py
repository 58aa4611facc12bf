""" "Stop", heard without writing anything down: a classifier of ours on WakeHuBERT's features.

Learnt by `python -m models.training.make_stop`; how well it hears: `python -m bench.stop`. It costs two hundredths of a
core while the box is busy, and nothing while it is not.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from appliance.audio import FRAME_S, Samples
from appliance.ears import onnx
from appliance.ears.wakehubert import GAIN_MOST, levelled
from appliance.errors import ModelDamaged, explained
from appliance.ports import WakeDetector

WINDOW = 16_000
"""Samples of one score: the word lasts 0.3 to 0.7 s."""
ROWS = 36
"""Rows of features, 20 ms each, that are judged: the last of a window."""
LEARNT = Path(__file__).with_name("stop.npz")
SUSPECTED = 0.95
"""Score from which it may have been the word, so that the box speaks more softly and hears what follows better."""
SURE, PATIENCE = 0.98, 3
"""Score from which it was, and the frames in a row that it takes. In 4.5 minutes of the box's own voice nothing else
was, in 14 of people two pieces (`python -m bench.stop`); at 0.9 for two frames it stops itself three times in those."""
REST_S = 1.0
"""After the word none is heard for so long: it stays in the window."""

Floats = NDArray[np.float32]


class StopHubert:
    """A `WakeDetector` for this one word. Scores each frame."""

    def __init__(self, features: Path, learnt: Path = LEARNT) -> None:
        """`features`: WakeHuBERT's. Raises ModelMissing, ModelDamaged."""
        self._features = onnx.session(features)
        remedy = "install the appliance again"
        with explained(lambda error: ModelDamaged(f"{learnt} is not usable ({error})", remedy=remedy)):
            held = np.load(learnt)
            self._layers = [held[f"{kind}{layer}"].astype(np.float32) for layer in range(3) for kind in "wb"]
        self.reset()

    def reset(self) -> None:
        self._window: Samples = np.zeros(WINDOW, dtype=np.int16)

    def score(self, frame: Samples) -> tuple[str, float]:
        self._window = np.concatenate((self._window[len(frame) :], frame))
        return "stop", float(scores(rows(self._features, self._window)[None], self._layers)[0])


def rows(features: onnxruntime.InferenceSession, window: Samples) -> Floats:
    """Of `window`, shape (16 000,): shape (36, 128)."""
    (found,) = features.run(None, {"waveform": levelled(window, GAIN_MOST)[None]})
    return np.asarray(found[0, -ROWS:], np.float32)


def scores(rows: Floats, layers: list[Floats]) -> Floats:
    """How likely the word ends in each of `rows`, shape (n, 36, 128): shape (n,).

    layers: weights and biases: of each row alone, of all of them together, of the answer.
    """
    w0, b0, w1, b1, w2, b2 = layers
    each = np.maximum(rows @ w0 + b0, 0).reshape(len(rows), -1)
    logits = np.maximum(each @ w1 + b1, 0) @ w2 + b2
    found: Floats = 1 / (1 + np.exp(-np.clip(logits[:, 0], -30, 30)))
    return found


class Stopping:
    """Decides on what the detector scores."""

    def __init__(self, detector: WakeDetector) -> None:
        self._detector = detector
        self.reset()

    def reset(self) -> None:
        """Another sound begins."""
        self._detector.reset()
        self._sure = 0
        self._rests_s = 0.0

    def hear(self, frame: Samples) -> bool | None:
        """Whether it is sure that "stop" has just been said; None where nothing sounds like it."""
        _, score = self._detector.score(frame)
        self._rests_s = max(0.0, self._rests_s - FRAME_S)
        self._sure = self._sure + 1 if score >= SURE and not self._rests_s else 0
        if self._sure >= PATIENCE:
            self._sure, self._rests_s = 0, REST_S
            return True
        return False if score >= SUSPECTED and not self._rests_s else None
