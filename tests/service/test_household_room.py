"""An evening in a room, by voice: an alarm rings, is snoozed and rings again; music goes down while the box listens."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from room import Room, opened
from room_box import AUDIBLE, Box, loudness, said

from appliance.audio import Samples, silence
from appliance.settings import Settings
from bench.music_player import Mpd
from bench.music_player import opened as player_opened
from bench.speakers import PIPER_MODEL, Speakers

ModelPath = Callable[..., Path]
ANSWER_S = 120
"""Longest wait, on a machine that does other things as well."""
FOLLOW_UP_S = 5
"""In which the box still listens after an answer."""
DUCKED_DB, BACK_DB = 12.0, 1.0
"""By how much music goes down at least, and how near it comes back to where it was."""

room = pytest.fixture(scope="module")(opened)


@pytest.fixture(scope="module")
def mpd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mpd]:
    yield from player_opened(tmp_path_factory.mktemp("mpd"))


class Evening:
    def __init__(self, room: Room, box: Box, speakers: Speakers) -> None:
        self.room, self.box, self._speakers = room, box, speakers

    def ask(self, voice: str, text: str) -> dict[str, Any]:
        """The record of a request that begins with the wake word. voice: one that whisper base understands here, for
        this is about what the box does with it; flite's say a sentence the same way each time."""
        return self.hear(said("hey_jarvis"), self._speakers.say(voice, text), silence(0.5))

    def hear(self, *sounds: Samples) -> dict[str, Any]:
        self.room.speak(np.concatenate(sounds))
        record = self.box.record(within_s=ANSWER_S)
        assert record is not None, "".join(self.box.log)
        return record

    def rings_within(self, seconds: float) -> bool:
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s:
            if loudness(self.room.record(1)) > AUDIBLE:
                return True
        return False


@pytest.fixture(scope="module")
def evening(room: Room, mpd: Mpd, model: ModelPath, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    for name in ("qwen2.5-coder-1.5b", "whisper-base", "wake/hey_jarvis", "smart-turn-v3.2", "silero-vad"):
        model(name)
    model(PIPER_MODEL, "onnx")
    settings = f'[music]\nplayer = "{mpd.socket}"\n'
    box = Box(room, tmp_path_factory.mktemp("state"), Settings().models, settings)
    try:
        box.wait_until_ready()
        yield Evening(room, box, Speakers(Settings(), tmp_path_factory.mktemp("spoken")))
        assert box.end() == 0
    finally:
        box.process.kill()


def test_music_goes_down_while_it_listens_and_comes_back(evening: Evening, mpd: Mpd) -> None:
    record = evening.ask("slt", "Play some jazz.")
    assert record["steps"][0]["tool"] == "play_music", record
    time.sleep(FOLLOW_UP_S + 3)
    before = mpd.loudness()
    evening.room.speak(said("hey_jarvis"))
    time.sleep(1)
    while_listening = mpd.loudness()
    time.sleep(FOLLOW_UP_S + 6)
    after = mpd.loudness()
    assert decibels(before, while_listening) >= DUCKED_DB, (before, while_listening, evening.box.log[-5:])
    assert abs(decibels(before, after)) <= BACK_DB, (before, after)
    assert evening.ask("slt", "Stop the music.")["steps"][0]["outcome"] == "ok"


def test_an_alarm_that_was_set_by_voice_rings_is_snoozed_by_voice_and_rings_again(evening: Evening) -> None:
    time.sleep(FOLLOW_UP_S)
    record = evening.ask("rms", "Wake me in twenty seconds.")
    assert [(step["tool"], step["outcome"]) for step in record["steps"]] == [("set_alarm", "ok")], record
    assert evening.rings_within(30), "".join(evening.box.log)
    record = evening.ask("rms", "Snooze for thirty seconds.")
    assert [(step["tool"], step["outcome"]) for step in record["steps"]] == [("snooze", "ok")], record
    time.sleep(2)
    assert loudness(evening.room.record(5)) < AUDIBLE, "snoozed, and it rings on"
    assert evening.rings_within(40), "".join(evening.box.log)
    record = evening.hear(said("hey_jarvis", "stop"), silence(0.5))
    time.sleep(1)
    assert loudness(evening.room.record(3)) < AUDIBLE, record


def decibels(one: float, other: float) -> float:
    """By how much one is louder than the other."""
    return 20 * math.log10(max(one, 1) / max(other, 1))
