"""The real models on synthetic speech: tests/recordings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.audio import Samples, Utterance, never, read_wav, silence
from appliance.errors import Cancelled, ModelDamaged, ModelMissing
from appliance.stt.whisper import WhisperCpp, audio_context

ModelPath = Callable[..., Path]
RECORDINGS = Path(__file__).parents[1] / "recordings"
EXPECTED = "Snooze."


def said(name: str) -> Samples:
    """A recording as the ears cut it: 300 ms before, 200 ms after, in a room with faint noise."""
    sound = np.concatenate([silence(0.3), read_wav(RECORDINGS / f"{name}.wav"), silence(0.2)])
    return sound + noise(len(sound), 20)


def noise(samples: int, level: float) -> Samples:
    return np.random.default_rng(1).normal(0, level, samples).astype(np.int16)


@pytest.fixture(scope="module", params=["whisper-tiny.en", "whisper-base"])
def whisper(request: pytest.FixtureRequest, model: ModelPath) -> WhisperCpp:
    return WhisperCpp(model(request.param), threads=1, wake_words=["hey jarvis"])


def hear(whisper: WhisperCpp, sound: Samples) -> str:
    return whisper.transcribe(Utterance(sound), never).text


def test_questions_are_understood(whisper: WhisperCpp) -> None:
    assert hear(whisper, said("tokyo")) == "What time is it in Tokyo?"
    assert hear(whisper, said("multiply")) in ("What is 17 times 23?", "What is seventeen times twenty-three?")


def test_wake_word_in_the_utterance_is_not_part_of_the_question(whisper: WhisperCpp) -> None:
    assert hear(whisper, said("hey_jarvis_tokyo")) == "What time is it in Tokyo?"


@pytest.mark.parametrize(("name", "word"), [("yes", "yes"), ("stop", "stop")])
def test_one_word_is_heard_once(whisper: WhisperCpp, name: str, word: str) -> None:
    assert hear(whisper, said(name)).strip(".!").lower() == word


def test_what_is_expected_is_heard(model: ModelPath) -> None:
    whisper, sound = WhisperCpp(model("whisper-base"), threads=1), Utterance(said("snooze"))
    assert "snooze" not in whisper.transcribe(sound, never).text.lower()
    assert whisper.transcribe(sound, never, EXPECTED).text in ("Snooze for five minutes.", "Snooze for 5 minutes.")


def test_nothing_else_is_taken_for_what_is_expected(whisper: WhisperCpp) -> None:
    heard = [whisper.transcribe(Utterance(said(name)), never, EXPECTED).text for name in ("tokyo", "yes", "stop")]
    assert heard == [hear(whisper, said(name)) for name in ("tokyo", "yes", "stop")]


@pytest.mark.parametrize("expected", ["", EXPECTED])
def test_what_is_not_speech_is_no_words(whisper: WhisperCpp, expected: str) -> None:
    click = silence(1.2)
    click[8_000:8_040] = 20_000
    hum = (3_000 * np.sin(2 * np.pi * 120 * np.arange(24_000) / 16_000)).astype(np.int16)
    for sound in (silence(0.5), noise(24_000, 30), noise(24_000, 1_500), hum, click):
        assert whisper.transcribe(Utterance(sound), never, expected).text == ""


def test_the_wake_word_that_is_known_to_be_there_is_taken_off(whisper: WhisperCpp) -> None:
    assert (
        whisper.transcribe(Utterance(said("hey_jarvis_tokyo"), called=True), never).text == "What time is it in Tokyo?"
    )


def test_more_than_half_a_minute_is_one_transcript(whisper: WhisperCpp) -> None:
    question = np.concatenate([said("tokyo"), noise(round(16_000 * 4.5), 20)])
    assert hear(whisper, np.tile(question, 6)).lower().count("tokyo") >= 1


def test_stale_work_is_cancelled_and_the_next_is_as_good(whisper: WhisperCpp) -> None:
    asked: list[bool] = []

    def stale_while_it_runs() -> bool:
        asked.append(True)
        return len(asked) > 1

    with pytest.raises(Cancelled):
        whisper.transcribe(Utterance(said("tokyo")), stale_while_it_runs)
    with pytest.raises(Cancelled):
        whisper.transcribe(Utterance(said("tokyo")), lambda: True)
    assert hear(whisper, said("tokyo")) == "What time is it in Tokyo?"


@pytest.mark.parametrize(("seconds", "steps"), [(0.5, 512), (3.6, 512), (8, 768), (10, 768), (40, 1_500)])
def test_audio_context_follows_the_utterance(seconds: float, steps: int) -> None:
    assert audio_context(round(seconds * 16_000)) == steps


@given(st.integers(0, 30 * 16_000))
def test_nothing_of_the_utterance_before_stands_where_the_decoder_looks(samples: int) -> None:
    """It looks at blocks of 256 steps, and what was never written is nothing."""
    steps = audio_context(samples)
    assert steps % 256 == 0 or steps == 1_500
    assert steps >= min(samples * 50 // 16_000 + 128, 1_500)


def test_missing_and_broken_models_are_told(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        WhisperCpp(tmp_path / "nothing.bin")
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"not a model")
    with pytest.raises(ModelDamaged):
        WhisperCpp(broken)
