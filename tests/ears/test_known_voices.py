"""The real encoder on synthetic voices (tests/recordings: Piper and espeak-ng), and prints on a real disk."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from appliance.audio import Samples, read_wav, silence
from appliance.ears.known_voices import KnownVoices
from appliance.ears.voice_print import DVector
from appliance.errors import BadArgument, StoreUnusable
from appliance.memory.voice_prints import VoicePrints
from appliance.ports.speaker import Whose
from appliance.settings import Speaker

RECORDINGS = Path(__file__).parents[1] / "recordings"
JOE = ("multiply", "tokyo", "timer_five_seconds")
LIKENESS = Speaker().likeness


def recording(name: str) -> Samples:
    return read_wav(RECORDINGS / f"{name}.wav")


@pytest.fixture(scope="module")
def encoder(model: Callable[..., Path]) -> DVector:
    return DVector(model("d-vector"))


@pytest.fixture
def prints(tmp_path: Path) -> VoicePrints:
    return VoicePrints(tmp_path / "voices", "d-vector")


@pytest.fixture
def voices(encoder: DVector, prints: VoicePrints) -> KnownVoices:
    return KnownVoices(encoder, prints, LIKENESS, "en")


def test_a_learnt_voice_is_known_and_no_other(voices: KnownVoices) -> None:
    voices.learn("Joe", [recording(name) for name in JOE])
    assert voices.who(recording("timer_unfinished")).name == "Joe"
    assert [voices.who(recording(other)).name for other in ("harvest", "snooze")] == ["", ""]


def test_of_two_the_likelier_is_taken(voices: KnownVoices) -> None:
    voices.learn("Joe", [recording(name) for name in JOE])
    other = recording("harvest")
    voices.learn("Robot", [other[:28_000], other[8_000:36_000], other[16_000:]])
    assert voices.who(other).name == "Robot"
    assert voices.who(recording("hey_jarvis_tokyo")).name == "Joe"


def test_nobody_is_known_before_anybody_was_learnt(voices: KnownVoices) -> None:
    assert voices.who(recording("multiply")) == Whose()


def test_of_too_little_nothing_is_told(voices: KnownVoices, encoder: DVector) -> None:
    voices.learn("Joe", [recording(name) for name in JOE])
    assert voices.who(recording("multiply")[:8_000]) == Whose()
    assert encoder.of(silence(0)) is None


@pytest.mark.parametrize(
    ("phrases", "says"),
    [
        ([recording(name) for name in JOE[:2]], "three sentences"),
        ([recording("multiply"), recording("tokyo"), recording("harvest")], "one voice"),
        ([recording("multiply") // 200, recording("tokyo"), recording("timer_unfinished")], "hardly heard"),
        ([np.clip(recording("multiply") * 60.0, -32_768, 32_767).astype(np.int16)] * 3, "too loud"),
        ([recording("multiply")[:6_000]] * 3, "too short"),
    ],
    ids=["few", "two voices", "faint", "loud", "short"],
)
def test_what_is_no_good_is_not_learnt_and_says_why(
    phrases: list[Samples], says: str, voices: KnownVoices, prints: VoicePrints
) -> None:
    with pytest.raises(BadArgument, match=says):
        voices.learn("Joe", phrases)
    assert prints.all() == {}


def test_a_print_is_a_file_for_nobody_elses_eyes(prints: VoicePrints, tmp_path: Path) -> None:
    print_ = np.full(256, 1 / 16, dtype=np.float32)
    prints.keep("Ana/../María", print_)
    (file,) = (tmp_path / "voices").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    (name, kept), *others = prints.all().items()
    assert (name, others) == ("Ana/../María", [])
    assert np.allclose(kept, print_, atol=1e-6)
    assert prints.forget("ana/../maría")
    assert not prints.forget("Ana/../María")
    assert list((tmp_path / "voices").iterdir()) == []


def test_a_print_that_another_encoder_made_or_that_broke_counts_not(prints: VoicePrints, tmp_path: Path) -> None:
    VoicePrints(tmp_path / "voices", "older").keep("Ana", np.ones(256, dtype=np.float32))
    prints.keep("Ben", np.ones(256, dtype=np.float32))
    (tmp_path / "voices" / "cut.voice").write_text('{"name": "Cut", "pri')
    assert [*prints.all()] == ["Ben"]


def test_a_folder_that_cannot_be_used_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "voices").touch()
    with pytest.raises(StoreUnusable, match="voice prints"):
        VoicePrints(tmp_path / "voices", "d-vector").keep("Ana", np.ones(256, dtype=np.float32))
