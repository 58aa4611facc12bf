"""A box whose language model is missing: it says so, rings the timers it has, and does all that needs no model."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from room import Room, opened
from room_box import AUDIBLE, Box, loudness, said, spoken

from appliance.audio import Samples
from appliance.settings import Settings

ModelPath = Callable[..., Path]
ANSWER_S = 60
WITHOUT_CARE = '[skills]\noff = ["care"]\n'
"""The recorded question is misheard as one about a child, which would be answered without a language model."""

room = pytest.fixture(scope="module")(opened)


@pytest.fixture(scope="module")
def models(model: ModelPath, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that are here, but for the language models."""
    for name in ("whisper-base", "wake/hey_jarvis", "smart-turn-v3.2", "silero-vad"):
        model(name)
    without = tmp_path_factory.mktemp("store") / "models"
    return copytree(
        Settings().models, without, copy_function=os.symlink, ignore=ignore_patterns("tmp", "lock", "*.gguf")
    )


@pytest.fixture(scope="module")
def started(room: Room, models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Box, Samples]]:
    """The box, and what it said as it started."""
    with room.recording() as heard:
        box = Box(room, tmp_path_factory.mktemp("state"), models, WITHOUT_CARE)
        try:
            box.wait_until_ready()
            yield box, heard()
            assert box.end() == 0
        finally:
            box.process.kill()


def test_it_says_what_it_lacks(started: tuple[Box, Samples], model: ModelPath) -> None:
    box, news = started
    assert "language model is missing" in spoken(news, model("whisper-base")).lower()
    assert any("qwen2.5-coder-1.5b is not here; run: appliance models fetch" in line for line in box.log)


def test_what_needs_one_is_apologised_for(room: Room, started: tuple[Box, Samples], model: ModelPath) -> None:
    box, _ = started
    with room.recording() as heard:
        room.speak(said("hey_jarvis", "harvest"))
        record = box.record(within_s=ANSWER_S)
        time.sleep(4)
        answer = heard()
    assert record is not None, "".join(box.log)
    assert record["outcome"] == "error", record
    assert "part of me is missing" in spoken(answer, model("whisper-base")).lower()


def test_what_needs_no_model_works_and_a_timer_rings(room: Room, started: tuple[Box, Samples]) -> None:
    box, _ = started
    room.speak(said("hey_jarvis", "timer_five_seconds"))
    record = box.record(within_s=ANSWER_S)
    assert record is not None, "".join(box.log)
    assert (record["lane"], record["steps"][0]["tool"]) == ("fast", "set_timer"), record
    time.sleep(6)
    assert loudness(room.record(3)) > AUDIBLE
