"""The box's ear, voice and wake word in a real Home Assistant, by its own integration "wyoming": `make home-test`."""

from __future__ import annotations

import io
import json
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from running_wyoming import WyomingProcess, core_with

from appliance.audio import RATE_HZ, Samples, read_wav, resample, silence
from appliance.stt.whisper import WhisperCpp
from appliance.tts.piper import Piper
from bench.real_home import RealHome

pytestmark = pytest.mark.home
RECORDINGS = Path(__file__).parents[1] / "recordings"
SEEN_S = 30.0


@pytest.fixture(scope="module")
def home(home_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHome]:
    running = RealHome(home_python, tmp_path_factory.mktemp("home") / "config")
    yield running
    running.kill()


@pytest.fixture(scope="module")
def added(home: RealHome, model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHome]:
    """It has the box by its address and port, as an owner adds it."""
    folder = tmp_path_factory.mktemp("wyoming")
    whisper = WhisperCpp(model("whisper-tiny.en"), threads=1)
    piper = Piper(model("piper-en-us-joe", "onnx"), model("piper-en-us-joe", "json"), threads=1)
    with core_with(folder / "core", whisper, piper) as core:
        wyoming = WyomingProcess(folder, core.path)
        assert home.add("wyoming", host="127.0.0.1", port=wyoming.port) == "Kitchen box"
        yield home
        wyoming.kill()


def entity(home: RealHome, domain: str) -> str:
    """Of the box, once it is there."""
    ends_s = time.monotonic() + SEEN_S
    while time.monotonic() < ends_s:
        names = [each["entity_id"] for each in home.ask("get_states")]
        if f"{domain}.kitchen_box" in names:
            return f"{domain}.kitchen_box"
        time.sleep(0.2)
    raise AssertionError(names)


def test_it_has_the_boxs_ear_voice_and_wake_word(added: RealHome) -> None:
    for domain in ("stt", "tts", "wake_word"):
        entity(added, domain)
    words = added.ask("wake_word/info", entity_id=entity(added, "wake_word"))["wake_words"]
    assert [(each["id"], each["name"]) for each in words] == [("hey_jarvis", "hey jarvis")]
    languages = added.ask("tts/engine/list", language="en")["providers"]
    assert [each["supported_languages"] for each in languages if each["engine_id"] == "tts.kitchen_box"] == [["en_US"]]


def heard(home: RealHome, samples: Samples) -> str:
    format = "format=wav; codec=pcm; sample_rate=16000; bit_rate=16; channel=1; language=en"
    path = f"/api/stt/{entity(home, 'stt')}"
    answer = home.post(path, samples.tobytes(), "audio/wav", **{"X-Speech-Content": format})
    assert answer["result"] == "success", answer
    return str(answer["text"])


def test_it_has_the_box_write_down_what_is_said(added: RealHome) -> None:
    said = np.concatenate([silence(0.5), read_wav(RECORDINGS / "tokyo.wav"), silence(0.5)])
    assert heard(added, said) == "What time is it in Tokyo?"


def test_it_has_the_box_speak(added: RealHome) -> None:
    told = {
        "engine_id": entity(added, "tts"),
        "message": "The kettle is on. There are three cups.",
        "cache": False,
        "options": {"preferred_format": "wav"},
    }
    path = added.post("/api/tts_get_url", json.dumps(told).encode())["path"]
    with wave.open(io.BytesIO(added.get(path))) as file:
        rate, samples = file.getframerate(), np.frombuffer(file.readframes(10**7), "<i2")
    assert len(samples) > 1.5 * rate
    text = heard(added, np.concatenate([silence(0.5), resample(samples, rate, RATE_HZ), silence(0.5)])).lower()
    assert "kettle is on" in text
    assert "cups" in text
