"""The real voice speaks, at the speed asked for, and says what is wrong with its model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from appliance.errors import ModelDamaged, ModelMissing
from appliance.voice.piper import Piper

ModelPath = Callable[..., Path]


@pytest.fixture(scope="module")
def files(model: ModelPath) -> tuple[Path, Path]:
    return model("piper-en-us-joe", "onnx"), model("piper-en-us-joe", "json")


@pytest.fixture(scope="module")
def piper(files: tuple[Path, Path]) -> Piper:
    return Piper(*files, threads=2)


def test_speaks_a_clause_of_two_sentences_in_one_speech(piper: Piper) -> None:
    speech = piper.synthesize("It is three thirty p m. The kettle is on.")
    assert speech.samples.dtype == np.int16
    assert 2 < speech.seconds < 5
    assert np.abs(speech.samples).max() > 10_000


def test_clause_without_a_sound_is_empty_speech(piper: Piper) -> None:
    assert len(piper.synthesize("?").samples) == 0


def test_twice_as_fast_takes_about_half_as_long(files: tuple[Path, Path], piper: Piper) -> None:
    text = "The quick brown fox jumps over the lazy dog."
    fast = Piper(*files, threads=2, speed=2.0).synthesize(text)
    # 0.61 to 0.65 of 40 times: each phoneme is rounded up to a whole frame, and its length is partly chance
    assert 0.4 < fast.seconds / piper.synthesize(text).seconds < 0.75


def test_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"voice\.onnx"):
        Piper(tmp_path / "voice.onnx", tmp_path / "voice.json")


def test_damaged_model_is_named(tmp_path: Path, files: tuple[Path, Path]) -> None:
    broken = tmp_path / "voice.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(ModelDamaged, match=r"voice\.onnx"):
        Piper(broken, files[1])
