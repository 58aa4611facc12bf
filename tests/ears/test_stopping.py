""" "Stop" over what the box plays: what is decided on scores, and the real detector on recorded speech."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from appliance.audio import FRAME, FRAME_S, RATE_HZ, Samples, read_wav, silence
from appliance.ears.stopping import REST_S, StopHubert, Stopping
from appliance.errors import ModelDamaged
from appliance.simulated import ScriptedWake
from appliance.tts.ring import chime

RECORDINGS = Path(__file__).parents[1] / "recordings"
MAYBE, YES = 0.96, 0.99


def decided(*scores: float) -> list[bool | None]:
    stopping = Stopping(ScriptedWake(scores))
    return [stopping.hear(silence(FRAME_S)) for _ in scores]


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ((0.1, 0.4), [None, None]),
        ((MAYBE, MAYBE, MAYBE), [False, False, False]),
        ((YES, YES, 0.1, YES), [False, False, None, False]),
        ((YES, MAYBE, YES), [False, False, False]),
        ((YES, YES, YES), [False, False, True]),
    ],
)
def test_it_is_sure_of_what_is_likely_in_three_frames(scores: tuple[float, ...], told: list[bool | None]) -> None:
    assert decided(*scores) == told


def test_one_word_is_heard_once() -> None:
    resting = round(REST_S / FRAME_S)
    assert decided(*[YES] * resting).count(True) == 1
    assert decided(*[YES] * (resting + 8)).count(True) == 2


def heard(stopping: Stopping, sound: Samples) -> list[float]:
    """Seconds at which it was sure."""
    stopping.reset()
    frames = sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME)
    return [number * FRAME_S for number, frame in enumerate(frames, 1) if stopping.hear(frame)]


@pytest.fixture(scope="module")
def stopping(request: pytest.FixtureRequest) -> Stopping:
    model: Callable[..., Path] = request.getfixturevalue("model")
    return Stopping(StopHubert(model("wake/features")))


@pytest.mark.parametrize("below_db", [40, 6])
def test_the_word_is_heard_over_a_chime_within_300_ms(stopping: Stopping, below_db: int) -> None:
    word = read_wav(RECORDINGS / "stop.wav")
    ring = np.resize(np.concatenate([chime().samples, silence(0.5)]), 2 * RATE_HZ + len(word)).astype(np.float64)
    loud = np.sqrt(np.mean(word.astype(np.float64) ** 2) / np.mean(ring**2)) / 10 ** (below_db / 20)
    sound = np.concatenate([silence(1), word, silence(1)]) + ring[: 2 * RATE_HZ + len(word)] * loud
    (at_s,) = heard(stopping, np.clip(sound, -32_768, 32_767).astype(np.int16))
    assert 1.0 < at_s < 1.0 + len(word) / RATE_HZ + 0.3


@pytest.mark.parametrize("name", ["multiply", "tokyo", "timer_five_seconds", "harvest", "yes", "snooze"])
def test_nothing_else_is_the_word(stopping: Stopping, name: str) -> None:
    assert heard(stopping, np.concatenate([silence(1), read_wav(RECORDINGS / f"{name}.wav"), silence(1)])) == []


def test_what_was_learnt_is_damaged(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    model: Callable[..., Path] = request.getfixturevalue("model")
    (broken := tmp_path / "stop.npz").write_bytes(b"PK")
    with pytest.raises(ModelDamaged, match="install the appliance again"):
        StopHubert(model("wake/features"), broken)
