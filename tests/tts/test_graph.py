"""A voice cut in two says the same as the whole one; what is no voice is told apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from appliance.tts.graph import parted

QUIET = np.array([0, 1, 0], np.float32)
"""noise_scale, length_scale, noise_w: without chance, so that two runs can be compared."""


@pytest.fixture(scope="module")
def voice(model: Callable[..., Path]) -> bytes:
    return model("piper-en-us-joe", "onnx").read_bytes()


def test_two_parts_say_what_the_whole_says(voice: bytes) -> None:
    given = {"input": np.arange(1, 41)[None], "input_lengths": np.array([40]), "scales": QUIET}
    (whole,) = onnxruntime.InferenceSession(voice).run(None, given)
    text, sound = (onnxruntime.InferenceSession(part) for part in parted(voice))
    (frames,) = text.run(None, given)
    ((name,), (taken,)) = ([each.name for each in text.get_outputs()], [each.name for each in sound.get_inputs()])
    assert name == taken
    (said,) = sound.run(None, {name: frames})
    assert np.abs(said - whole).max() < 1e-5


def test_neither_part_holds_what_only_the_other_needs(voice: bytes) -> None:
    text, sound = parted(voice)
    assert len(text) + len(sound) < 1.01 * len(voice)
    assert b"dec.conv_pre.weight" not in text
    assert b"enc_p.emb.weight" not in sound


def test_other_networks_are_told_apart(model: Callable[..., Path]) -> None:
    with pytest.raises(ValueError, match=r"no voice of Piper's"):
        parted(model("silero-vad").read_bytes())


@pytest.mark.parametrize("size", [0, 1, 100, 1_000_000])
def test_file_that_was_cut_off_is_told_apart(voice: bytes, size: int) -> None:
    with pytest.raises(ValueError, match=r"no (whole|voice)"):
        parted(voice[:size])
