"""The real voice speaks, at the speed asked for, and says what is wrong with its model."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from piper import PiperVoice

from appliance.audio import joined
from appliance.errors import ModelDamaged, ModelMissing
from appliance.tts.loudness import LEVEL
from appliance.tts.piper import FIRST_FRAMES, SLOW_FRAMES, Piper

ModelPath = Callable[..., Path]


@pytest.fixture(scope="module")
def files(model: ModelPath) -> tuple[Path, Path]:
    return model("piper-en-us-joe", "onnx"), model("piper-en-us-joe", "json")


@pytest.fixture(scope="module")
def piper(files: tuple[Path, Path]) -> Piper:
    return Piper(*files, threads=2)


def test_speaks_a_clause_of_two_sentences_in_one_speech(piper: Piper) -> None:
    speech = joined(piper.synthesize("It is three thirty p m. The kettle is on."))
    assert speech.samples.dtype == np.int16
    assert 2 < speech.seconds < 5
    assert np.abs(speech.samples).max() > 10_000


def test_first_piece_comes_long_before_the_last(piper: Piper) -> None:
    pieces = piper.synthesize("The kettle is on, and somebody has put the good cups on the table by the window.")
    began_s = time.monotonic()
    first = next(pieces)
    first_s = time.monotonic() - began_s
    rest = joined(pieces)
    whole_s = time.monotonic() - began_s
    assert first.seconds < rest.seconds
    assert first_s < 0.7 * whole_s  # 75 of 250 ms on 2 EPYC cores


def test_pieces_have_no_seam(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PiperVoice, "phonemes_to_ids", lambda self, phonemes: list(range(1, 60)))
    sounds = list[NDArray[np.int16]]()
    for first in (FIRST_FRAMES, 1_000):
        piper = Piper(*files)
        piper._scales, piper._gain = (0, 1, 0), 2.0  # without chance, and as loud
        monkeypatch.setattr(piper, "_first", lambda first=first: first)
        sounds.append(joined(piper.synthesize("x")).samples)
    one, other = (samples.astype(np.int32) for samples in sounds)
    assert np.abs(one - other).max() <= 1


def test_every_clause_is_about_as_loud(piper: Piper) -> None:
    said = [joined(piper.synthesize(text)).samples / 32_768 for text in ("Good morning!", "It is a quarter to nine.")]
    levels = [float(np.sqrt(np.mean(samples**2))) for samples in said]
    assert all(0.7 * LEVEL < level < 1.4 * LEVEL for level in levels), levels


def test_slow_board_makes_as_much_as_can_be(piper: Piper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piper, "_effort", 0.3)
    assert piper._first() == SLOW_FRAMES
    pieces = [piece.seconds for piece in piper.synthesize("It is " + "four hundred and " * 40 + "one.")]
    assert len(pieces) > 1
    assert max(pieces) < 9, "one that takes 30 s to make would count as hung"
    monkeypatch.setattr(piper, "_effort", 0.1)
    assert FIRST_FRAMES <= piper._first() < 100


def test_clause_without_a_sound_is_empty_speech(piper: Piper) -> None:
    assert list(piper.synthesize("?")) == []


def test_twice_as_fast_takes_about_half_as_long(files: tuple[Path, Path], piper: Piper) -> None:
    text = "The quick brown fox jumps over the lazy dog."
    fast = joined(Piper(*files, threads=2, speed=2.0).synthesize(text))
    # 0.61 to 0.65 of 40 times: each phoneme is rounded up to a whole frame, and its length is partly chance
    assert 0.4 < fast.seconds / joined(piper.synthesize(text)).seconds < 0.75


def test_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"voice\.onnx"):
        Piper(tmp_path / "voice.onnx", tmp_path / "voice.json")


def test_damaged_model_is_named(tmp_path: Path, files: tuple[Path, Path]) -> None:
    broken = tmp_path / "voice.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(ModelDamaged, match=r"voice\.onnx"):
        Piper(broken, files[1])
