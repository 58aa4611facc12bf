"""The better voice says what it is given, ends as soon as nobody wants it, and says what is wrong with its model."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from appliance.audio import Samples, Utterance, joined, never, resample, silence
from appliance.errors import ModelDamaged, ModelMissing
from appliance.stt.whisper import WhisperCpp
from appliance.tts.kokoro import RATE_HZ, STYLE, STYLES, Kokoro
from appliance.tts.kokoro_phonemes import AMERICAN, BRITISH
from appliance.tts.loudness import LEVEL

ModelPath = Callable[..., Path]
VOICES = {"heart": AMERICAN, "michael": AMERICAN, "emma": BRITISH}
SENTENCES = (
    "The capital of Portugal is Lisbon.",
    "Your next appointment is on Thursday at the dentist.",
    "Somebody has put the good cups on the table by the window.",
)


@pytest.fixture(scope="module", params=VOICES)
def kokoro(request: pytest.FixtureRequest, model: ModelPath) -> Kokoro:
    return Kokoro(model("kokoro/network"), model(f"kokoro/{request.param}"), VOICES[request.param], threads=2)


@pytest.fixture(scope="module")
def heart(model: ModelPath) -> Kokoro:
    return Kokoro(model("kokoro/network"), model("kokoro/heart"), AMERICAN, threads=2)


def heard(sound: Samples, whisper: WhisperCpp) -> list[str]:
    text = whisper.transcribe(Utterance(np.concatenate((silence(0.3), sound, silence(0.3)))), never).text
    return re.findall(r"[a-z']+", text.lower())


def test_what_it_says_is_understood_word_for_word(kokoro: Kokoro, model: ModelPath) -> None:
    whisper = WhisperCpp(model("whisper-base"))
    for sentence in SENTENCES:
        speech = joined(kokoro.synthesize(sentence))
        assert speech.rate_hz == RATE_HZ
        assert heard(resample(speech.samples, RATE_HZ, 16_000), whisper) == re.findall(r"[a-z']+", sentence.lower())
        level = float(np.sqrt(np.mean((speech.samples / 32_768) ** 2)))
        assert 0.7 * LEVEL < level < 1.4 * LEVEL
        assert np.abs(speech.samples.astype(np.int32)).max() < 32_767, "nothing is cut at the end of the scale"


def test_a_clause_without_a_sound_is_empty(heart: Kokoro) -> None:
    assert list(heart.synthesize("?")) == []
    assert list(heart.synthesize("")) == []


def test_a_long_clause_comes_in_pieces(heart: Kokoro) -> None:
    pieces = [piece.seconds for piece in heart.synthesize("One hundred and twenty-one thousand, " * 8)]
    assert len(pieces) > 1
    assert max(pieces) < 15


def test_what_nobody_wants_any_more_is_not_made(heart: Kokoro) -> None:
    whole_s = _took_s(lambda: list(heart.synthesize(SENTENCES[2])))
    stop = threading.Event()
    stopped = list[float]()

    def give_up() -> None:
        stopped.append(time.monotonic())
        stop.set()

    timer = threading.Timer(whole_s / 10, give_up)
    timer.start()
    assert list(heart.synthesize(" ".join(SENTENCES), stop.is_set)) == []
    assert time.monotonic() - stopped[0] < whole_s, "it goes on to the end of the clause"
    assert joined(heart.synthesize("Go on.")).seconds > 0.3, "and it speaks again"


def test_it_knows_how_long_a_clause_will_take(heart: Kokoro) -> None:
    list(heart.synthesize(SENTENCES[0]))
    assert 0 < heart.begins_in_s("Yes.") < heart.begins_in_s(SENTENCES[2])
    for _ in range(8):
        list(heart.synthesize("Yes."))
    assert heart.effort is not None
    assert heart.effort > 0


def test_twice_as_fast_takes_about_half_as_long(heart: Kokoro, model: ModelPath) -> None:
    quick = Kokoro(model("kokoro/network"), model("kokoro/heart"), AMERICAN, threads=2, speed=2.0)
    ratio = joined(quick.synthesize(SENTENCES[2])).seconds / joined(heart.synthesize(SENTENCES[2])).seconds
    assert 0.4 < ratio < 0.75


def test_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"network\.onnx"):
        Kokoro(tmp_path / "network.onnx", tmp_path / "style.bin", AMERICAN)


@pytest.mark.parametrize("style", [b"short", bytes(4 * STYLES * STYLE)])
def test_damaged_model_is_named(style: bytes, tmp_path: Path) -> None:
    (tmp_path / "style.bin").write_bytes(style)
    (tmp_path / "network.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelDamaged, match=r"network\.onnx"):
        Kokoro(tmp_path / "network.onnx", tmp_path / "style.bin", AMERICAN)


def _took_s(work: Callable[[], object]) -> float:
    began_s = time.monotonic()
    work()
    return time.monotonic() - began_s
