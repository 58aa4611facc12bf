"""Many people's voices, for what has to be learnt from many: Kokoro-82M (Apache-2.0), on onnxruntime.

A voice is a table of styles, one for each length of a text, so that two of them can be mixed.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from piper.phonemize_espeak import EspeakPhonemizer

from appliance.audio import RATE_HZ, Samples, resample

KOKORO_HZ = 24_000
STYLES = (510, 1, 256)
"""Shape of a voice."""
WRITTEN = {
    "eɪ": "A", "aɪ": "I", "oʊ": "O", "əʊ": "Q", "aʊ": "W", "ɔɪ": "Y", "tʃ": "ʧ", "dʒ": "ʤ", "ɜːɹ": "ɜɹ", "ɐ": "ə",
    "r": "ɹ",
}  # fmt: skip
"""Sounds as espeak-ng writes them -> as the model was taught them (hexgrad/misaki, EspeakFallback)."""


class Kokoro:
    def __init__(self, folder: Path) -> None:
        """`folder`: `model.onnx`, `vocab.json` and `voices/*.bin`."""
        self._model = folder / "model.onnx"
        self._letters: dict[str, int] = json.loads((folder / "vocab.json").read_text())["vocab"]
        self._voices = {
            path.stem: np.fromfile(path, np.float32).reshape(STYLES) for path in folder.glob("voices/*.bin")
        }
        self._phonemes = EspeakPhonemizer()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        onnxruntime.set_seed(0)
        self._session = onnxruntime.InferenceSession(self._model, options, providers=["CPUExecutionProvider"])

    @property
    def voices(self) -> list[str]:
        return sorted(self._voices)

    def say(self, text: str, voice: str, speed: float = 1.0, other: str = "", share: float = 0.0) -> Samples:
        """other: a second voice, of which `share` (0 to 1) is mixed in."""
        found = "".join("".join(each) for each in self._phonemes.phonemize("en-us", text))
        return self.say_sounds(found, voice, speed, other, share)

    def say_sounds(self, sounds: str, voice: str, speed: float = 1.0, other: str = "", share: float = 0.0) -> Samples:
        """sounds: as espeak-ng writes them."""
        for theirs, its in WRITTEN.items():
            sounds = sounds.replace(theirs, its)
        letters = [self._letters[each] for each in sounds if each in self._letters][: STYLES[0] - 1]
        style = self._style(voice, len(letters)) * np.float32(1 - share)
        if other:
            style = style + self._style(other, len(letters)) * np.float32(share)
        feed = {"tokens": np.array([[0, *letters, 0]]), "style": style, "speed": np.array([speed], np.float32)}
        sound = np.ravel(self._session.run(None, feed)[0])
        return resample((np.clip(sound, -1, 1) * 32_767).astype(np.int16), KOKORO_HZ, RATE_HZ)

    def _style(self, voice: str, length: int) -> NDArray[np.float32]:
        style: NDArray[np.float32] = self._voices[voice][length]
        return style
