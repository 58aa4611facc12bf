"""The Wyoming process with real models: whisper-tiny, Piper, openWakeWord, asked by the protocol's own client."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from running_wyoming import WyomingProcess, core_with
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.event import Event, Eventable
from wyoming.tts import Synthesize
from wyoming.wake import Detect, Detection, NotDetected

from appliance.audio import RATE_HZ, Samples, read_wav, resample, silence
from appliance.stt.whisper import WhisperCpp
from appliance.tts.piper import Piper

RECORDINGS = Path(__file__).parents[1] / "recordings"
PATIENCE_S = 60


@pytest.fixture(scope="module")
def wyoming(model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[WyomingProcess]:
    model("wake/hey_jarvis")
    folder = tmp_path_factory.mktemp("wyoming")
    whisper = WhisperCpp(model("whisper-tiny.en"), threads=1)
    piper = Piper(model("piper-en-us-joe", "onnx"), model("piper-en-us-joe", "json"), threads=1)
    with core_with(folder / "core", whisper, piper) as core:
        running = WyomingProcess(folder, core.path)
        yield running
        running.kill()


def asked(wyoming: WyomingProcess, *events: Eventable, until: tuple[type[Eventable], ...]) -> list[Event]:
    async def run() -> list[Event]:
        found = list[Event]()
        async with asyncio.timeout(PATIENCE_S), AsyncTcpClient("127.0.0.1", wyoming.port) as client:
            for each in events:
                await client.write_event(each.event())
            while (event := await client.read_event()) is not None:
                found.append(event)
                if any(kind.is_type(event.type) for kind in until):
                    break
        return found

    return asyncio.run(run())


def sound(samples: Samples, rate: int = RATE_HZ) -> list[Eventable]:
    """In pieces of 64 ms."""
    pieces = np.array_split(samples, max(1, len(samples) // 1_024))
    return [AudioStart(rate, 2, 1), *(AudioChunk(rate, 2, 1, each.tobytes()) for each in pieces), AudioStop()]


def recording(name: str) -> Samples:
    return np.concatenate([silence(0.5), read_wav(RECORDINGS / f"{name}.wav"), silence(0.5)])


@pytest.mark.parametrize("rate", [RATE_HZ, 44_100])
def test_a_question_is_written_down(wyoming: WyomingProcess, rate: int) -> None:
    said = resample(recording("tokyo"), RATE_HZ, rate)
    (event,) = asked(wyoming, Transcribe(language="en"), *sound(said, rate), until=(Transcript,))
    assert Transcript.from_event(event).text == "What time is it in Tokyo?"


def test_what_it_speaks_it_understands(wyoming: WyomingProcess) -> None:
    text = "The kettle is on. There are three cups."
    events = asked(wyoming, Synthesize(text), until=(AudioStop,))
    rate = AudioStart.from_event(events[0]).rate
    spoken = np.concatenate([np.frombuffer(each.payload, "<i2") for each in events if each.payload])
    (event,) = asked(wyoming, Transcribe(), *sound(spoken, rate), until=(Transcript,))
    heard = Transcript.from_event(event).text.lower()
    assert "kettle is on" in heard
    assert "cups" in heard


def test_it_wakes_at_its_word_and_at_nothing_else(wyoming: WyomingProcess) -> None:
    ends = (Detection, NotDetected)
    (event,) = asked(wyoming, Detect(["hey_jarvis"]), *sound(recording("hey_jarvis")), until=ends)
    assert Detection.from_event(event).name == "hey_jarvis"
    (event,) = asked(wyoming, Detect(), *sound(recording("multiply")), until=ends)
    assert NotDetected.is_type(event.type)


def test_check_finds_it_and_what_it_can_do(wyoming: WyomingProcess) -> None:
    done = subprocess.run([*wyoming.command("check"), "--json"], capture_output=True, text=True, timeout=PATIENCE_S)
    checks = json.loads(done.stdout)
    assert [each["fine"] for each in checks] == [True, True], done.stderr
    for name in ("whisper-tiny.en", "piper-en-us-joe", "hey_jarvis"):
        assert name in checks[0]["found"]
    assert done.returncode == 0


def test_check_of_one_that_does_not_run_says_what_to_do(wyoming: WyomingProcess, tmp_path: Path) -> None:
    (config := tmp_path / "c.toml").write_text('[wyoming]\naddress = "127.0.0.1"\nport = 1025\n')
    command = [*wyoming.command("check")[:-1], str(config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 3
    assert "va-wyoming" in done.stdout


def test_a_second_one_at_its_port_is_told(wyoming: WyomingProcess) -> None:
    done = subprocess.run(wyoming.command("run"), capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 2
    assert "wyoming.port" in done.stderr


def test_it_takes_little_memory_and_ends_when_it_is_told(wyoming: WyomingProcess) -> None:
    """The last of this file: it ends the process."""
    assert wyoming.memory_mb < 200
    assert wyoming.end() == 0
