"""The sound card adapters on real streams, in the virtual room."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from room import Room, opened

from appliance.audio import RATE_HZ, Samples
from appliance.service.light import ORANGE

pytestmark = pytest.mark.room

PROBE = Path(__file__).with_name("sound_probe.py")
ROOT = PROBE.parents[2]


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    yield from opened()


def start(room: Room, *words: str) -> subprocess.Popen[str]:
    environment = room.environment | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, PROBE, *words], env=environment, stdout=pipe, stderr=pipe, text=True)


def result(process: subprocess.Popen[str], quiet: bool = True) -> Any:
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert not (quiet and err), "the libraries below must not write to our log"
    return json.loads(out.splitlines()[-1])


def tone(frequency_hz: float, seconds: float) -> Samples:
    at_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    return np.asarray(10_000 * np.sin(2 * np.pi * frequency_hz * at_s), dtype=np.int16)


def pitch_hz(samples: Samples) -> float:
    spectrum = np.abs(np.fft.rfft(samples.astype(float)))
    return float(np.argmax(spectrum) * RATE_HZ / len(samples))


def loud(samples: Samples) -> np.ndarray[Any, np.dtype[np.intp]]:
    return np.flatnonzero(np.abs(samples.astype(int)) > 1_000)


@pytest.mark.parametrize("rate_hz", [16_000, 44_100])
def test_microphone_hears_the_room(room: Room, tmp_path: Path, rate_hz: int) -> None:
    probe = start(room, "hear", str(tmp_path / "heard.raw"), "2", str(rate_hz))
    assert probe.stdout is not None
    assert probe.stdout.readline() == "listening\n"
    room.speak(tone(700, 1))
    told = result(probe)
    heard = np.frombuffer((tmp_path / "heard.raw").read_bytes(), dtype=np.int16)
    where = loud(heard)
    assert 0.95 < (where[-1] - where[0]) / RATE_HZ < 1.1
    assert abs(pitch_hz(heard[where[0] : where[-1]]) - 700) < 5
    assert abs(told["gap_s"] - 0.032) < 0.01
    assert -0.02 < told["late_s"] < 0.1
    before, after = told["sockets"]
    assert before > after == 0


def test_speaker_is_heard_and_blocks_until_then(room: Room) -> None:
    with room.recording() as heard:
        told = result(start(room, "play", "0.6"))
        time.sleep(0.3)
        sound, now_s = heard(), time.monotonic()
    where = loud(sound)
    breaks = where[1:][np.diff(where) > 0.05 * RATE_HZ]
    assert len(breaks) == 1  # two sounds, each whole
    assert abs(pitch_hz(sound[where[0] : breaks[0]]) - 440) < 5
    at = list(where).index(breaks[0])
    for whole in (where[:at], where[at:]):
        assert abs((whole[-1] - whole[0]) / RATE_HZ - 0.6) < 0.05
    first_s, last_s = (now_s - (len(sound) - at) / RATE_HZ for at in (where[0], where[-1]))
    assert -0.05 < first_s - told["starts_s"][0] < 0.2
    assert last_s < told["ended_s"] + 0.1
    assert told["starts_s"][1] - told["starts_s"][0] < 0.6 + 0.25  # no long hole between two clauses


def test_stop_is_heard_within_200_ms(room: Room) -> None:
    with room.recording() as heard:
        told = result(start(room, "stop", "1"))
        time.sleep(0.5)
        sound, now_s = heard(), time.monotonic()
    assert told["returned_s"] - told["stop_s"] < 0.1
    last_s = now_s - (len(sound) - loud(sound)[-1]) / RATE_HZ
    print(f"stop: returned {told['returned_s'] - told['stop_s']:.3f} s, heard {last_s - told['stop_s']:.3f} s")
    assert last_s - told["stop_s"] < 0.2


def test_unknown_device_is_named_with_those_there_are(room: Room) -> None:
    told = result(start(room, "wrong_name"))
    assert set(told) == {"microphone", "speaker"}
    for part, error in told.items():
        assert error["what"] == f"the {part} 'Bananaphone' is not there"
        assert f"set sound.{part} to one of: " in error["remedy"]
        assert "pulse" in error["remedy"]


def test_devices_are_listed(room: Room) -> None:
    assert {"pulse", "default"} <= set(result(start(room, "listed")))


def test_microphone_closes_while_another_thread_reads(room: Room) -> None:
    told = result(start(room, "close_while_reading"))
    assert told["took_s"] < 0.2
    assert told["told"] == ["the microphone is closed"]


def test_muted_service_has_no_open_capture_descriptor_nor_has_a_restarted_one(room: Room) -> None:
    idle, muted, unmuted, muted_again, restarted = result(start(room, "mute"), quiet=False)
    for state, sockets, dark in (idle, unmuted):
        assert (state, dark) == ("IDLE", False)
        assert sockets > 0
    for state, sockets, dark in (muted, muted_again, restarted):
        assert (state, sockets, dark) == ("MUTED", 0, True)


def test_box_can_hear_itself(room: Room, tmp_path: Path) -> None:
    room.loopback(True)
    probe = start(room, "hear", str(tmp_path / "heard.raw"), "3", "16000")
    assert probe.stdout is not None
    probe.stdout.readline()
    player = start(room, "play", "0.5")
    result(player)
    result(probe)
    room.loopback(False)
    assert len(loud(np.frombuffer((tmp_path / "heard.raw").read_bytes(), dtype=np.int16)))


def test_speaker_that_somebody_else_holds_costs_neither_the_reply_nor_the_microphone(room: Room) -> None:
    with room.recording() as heard:
        told = result(start(room, "busy", "1"), quiet=False)
        time.sleep(0.5)
        sound = heard()
    assert told["silent"] == "One two three. Four five six.", "it can be repeated"
    assert told["tries"] <= 3 * len(told["silent"].split(". ")), "three rates for each sentence, and no more"
    first, last = told["told"]
    assert "Device unavailable" in first
    assert last == "well"
    assert told["heard"] == "Seven."
    assert abs((loud(sound)[-1] - loud(sound)[0]) / RATE_HZ - 0.35) < 0.1, "and nothing of the sentences before"
    assert told["gap_s"] < 1.0, "the microphone was read all the while"


BACK_S = 5.0
"""Of the plan: a microphone that is there again is open again so soon."""


def test_microphone_that_comes_back_under_another_number_is_heard_without_a_restart() -> None:
    """Last but one: it has a room of its own."""
    for room in opened():
        probe, number = start(room, "unplugged"), room.number
        assert probe.stdout is not None
        assert probe.stdout.readline() == "heard\n"
        room.unplug()
        assert probe.stdout.readline() == "lost\n"
        room.plug_in("camera", "screen")
        back_s = time.monotonic()
        assert room.number != number
        assert probe.stdout.readline() == "heard\n"
        assert time.monotonic() - back_s < BACK_S
        room.speak(tone(700, 1))
        told = result(probe, quiet=False)
        assert len([line for line in told["log"] if "has vanished" in line]) == 1, told["log"]
        colours = {tuple(colour) for colour in told["light"]}
        assert colours == {(0.0, 0.0, 0.0), ORANGE}, "it blinks in the colour of a fault"


def test_vanished_device_is_told(room: Room) -> None:
    """Last: it ends the room."""
    probe = start(room, "lose")
    assert probe.stdout is not None
    probe.stdout.readline()
    threading.Timer(0.5, room.server.terminate).start()
    assert result(probe, quiet=False)["what"].startswith("the microphone has vanished")
