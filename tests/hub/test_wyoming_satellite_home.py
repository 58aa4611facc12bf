"""The box as the satellite of a real Home Assistant, by its own integration "wyoming": `make home-test`."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running_wyoming import WyomingProcess, core_with
from satellite_box import SatelliteBox, satellite_box

from appliance.audio import RATE_HZ, Samples, Utterance, joined, never, resample, silence
from appliance.service import host_turn
from appliance.service.states import State
from appliance.stt.whisper import WhisperCpp
from appliance.tts.piper import Piper
from bench.real_home import RealHome

pytestmark = pytest.mark.home
SEEN_S = 120.0
"""For Home Assistant to hear, do and answer on a machine that does other things as well."""
SILENT_S = 5.0
"""A Home Assistant without a core of its own shows life less often than the second that the box waits for it."""
LIGHT = "light.kitchen_lights"
GONE = "Home Assistant does not answer, so I answer myself."


class House:
    def __init__(self, home: RealHome, box: SatelliteBox, person: Piper, ear: WhisperCpp) -> None:
        self.home, self.box, self._person, self._ear = home, box, person, ear

    def state(self, entity: str) -> str:
        (found,) = (each["state"] for each in self.home.ask("get_states") if each["entity_id"] == entity)
        return str(found)

    def until(self, true: Callable[[], object], what: str) -> None:
        self.box.until(true, what, SEEN_S)

    def says(self, line: str) -> None:
        """Somebody calls the box and says that: Home Assistant hears where it ends."""
        sound = joined(self._person.synthesize(line))
        spoken = resample(sound.samples, sound.rate_hz, RATE_HZ)
        self.box.wake()
        self.box.parts.counting.say(np.concatenate([silence(0.3), spoken, silence(2.0)]))

    def hears(self) -> str:
        """What the box has played, as it is written down."""
        return self._ear.transcribe(Utterance(self._heard()), never).text.lower()

    def _heard(self) -> Samples:
        sounds = [resample(each.samples, each.rate_hz, RATE_HZ) for _, each in self.box.parts.speaker_used.played]
        return np.concatenate([silence(0.3), *sounds, silence(0.3)])


def pipeline(home: RealHome) -> None:
    """Its assistant has the box's own ear and voice."""
    made: dict[str, Any] = {
        "name": "Box", "language": "en", "conversation_engine": "conversation.home_assistant",
        "conversation_language": "en", "stt_engine": "stt.kitchen_box", "stt_language": "en",
        "tts_engine": "tts.kitchen_box", "tts_language": "en_US", "tts_voice": None, "wake_word_entity": None,
        "wake_word_id": None,
    }  # fmt: skip
    told = home.ask("assist_pipeline/pipeline/create", **made)
    home.ask("assist_pipeline/pipeline/set_preferred", pipeline_id=told["id"])


@pytest.fixture(scope="module")
def house(home_python: Path, model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("satellite")
    whisper = WhisperCpp(model("whisper-tiny.en"), threads=1)
    piper = Piper(model("piper-en-us-joe", "onnx"), model("piper-en-us-joe", "json"), threads=1)
    for name in ("ear", "box"):
        (folder / name).mkdir()
    with (
        core_with(folder / "ear" / "core", whisper, piper) as core,
        satellite_box(folder / "box") as box,
        ExitStack() as stack,
    ):
        ear = WyomingProcess(folder / "ear", core.path)
        stack.callback(ear.kill)
        satellite = WyomingProcess(folder / "box", box.path, "127.0.0.1")
        stack.callback(satellite.kill)
        home = RealHome(home_python, folder / "config")
        stack.callback(home.kill)
        home.add("wyoming", host="127.0.0.1", port=ear.port)
        assert home.add("wyoming", host="127.0.0.1", port=satellite.satellite_port) == "Kitchen box"
        made = House(home, box, piper, whisper)
        made.until(lambda: "stt.kitchen_box" in [each["entity_id"] for each in home.ask("get_states")], "an ear")
        pipeline(home)
        yield made


@pytest.fixture
def served(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(host_turn, "SILENT_S", SILENT_S)
    house.until(lambda: house.box.parts.host_now.there, "Home Assistant at the box")
    for each in (house.box.said, house.box.records, house.box.parts.speaker_used.played):
        each.clear()
    return house


def test_it_hears_does_and_answers_through_the_box(served: House) -> None:
    box = served.box
    served.until(lambda: served.state(LIGHT) == "on", "a lamp that is on")
    served.says("Turn off the kitchen lights.")
    served.until(lambda: served.state(LIGHT) == "off", "a lamp that is off")
    served.until(lambda: box.records, "a record")
    box.reaches(State.IDLE)
    record = box.record()
    assert (record.lane, record.outcome) == ("host", "said")
    assert "kitchen lights" in record.heard.lower()
    assert "off" in record.said.lower()
    assert "off" in served.hears()
    assert box.said == [], "the box has said nothing itself"
    served.until(lambda: served.state("assist_satellite.kitchen_box") == "idle", "rest, after what was played")


def test_what_is_stopped_while_somebody_speaks_is_not_done(served: House) -> None:
    box = served.box
    before = served.state(LIGHT)
    served.says("Turn on the kitchen lights.")
    served.until(lambda: served.state("assist_satellite.kitchen_box") == "listening", "a Home Assistant that hears")
    box.rest_by_button()
    served.until(lambda: served.state("assist_satellite.kitchen_box") == "idle", "rest")
    assert served.state(LIGHT) == before
    assert box.said == []


def test_when_it_hangs_or_dies_the_box_answers_itself_until_it_is_back(served: House) -> None:
    box, process = served.box, served.home.process
    os.kill(process, signal.SIGSTOP)
    begun_s = time.monotonic()
    box.wake()
    box.says("what time is it")
    box.until(lambda: GONE in box.said, "the truth")
    assert time.monotonic() - begun_s < 2 * SILENT_S
    assert "It is " in box.record().said
    served.home.kill()
    served.until(lambda: not box.parts.host_now.there, "no Home Assistant")
    box.rest_by_button()
    served.home.start()
    served.until(lambda: box.parts.host_now.there, "Home Assistant at the box again")
    box.said.clear()
    served.says("Turn on the kitchen lights.")
    served.until(lambda: box.records and box.records[-1].lane == "host", "a record")
    assert box.said == []
