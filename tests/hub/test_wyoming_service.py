"""The Wyoming process before the whole service, whose ear and voice it asks for at the socket for speech."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from running_wyoming import WyomingProcess
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.event import Event, Eventable
from wyoming.tts import Synthesize

from appliance import build, settings_file
from appliance.audio import RATE_HZ, read_wav, resample, silence
from appliance.build import hubbed
from appliance.build.typed import TypedParts, typed_parts
from appliance.records import TurnRecord
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import CannedModel
from appliance.stt.whisper import WhisperCpp

RECORDINGS = Path(__file__).parents[1] / "recordings"
PATIENCE_S = 120


class Box:
    def __init__(self, parts: TypedParts, wyoming: WyomingProcess, records: list[TurnRecord]) -> None:
        self.parts, self.wyoming, self.records = parts, wyoming, records

    async def asked(self, *events: Eventable, until: type[Eventable]) -> list[Event]:
        found = list[Event]()
        async with asyncio.timeout(PATIENCE_S), AsyncTcpClient("127.0.0.1", self.wyoming.port) as client:
            for each in events:
                await client.write_event(each.event())
            while (event := await client.read_event()) is not None:
                found.append(event)
                if until.is_type(event.type):
                    return found
        raise AssertionError([each.data for each in found])


@pytest.fixture(scope="module")
def box(model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    model("piper-en-us-joe", "onnx")
    model("wake/hey_jarvis")
    folder = tmp_path_factory.mktemp("box")
    settings = Settings(state=folder / "state", models=settings_file.load().models)
    settings.state.mkdir()
    listener, vitals, records = socket.socket(socket.AF_UNIX), Vitals(), list[TurnRecord]()
    listener.bind(str(folder / "speech.sock"))
    listener.listen()
    with (
        typed_parts(settings, build.clock(settings), lambda text: None, 0.01, own_voice=True) as parts,
        ExitStack() as stack,
    ):
        vars(parts).update({"llm": CannedModel(), "transcriber": WhisperCpp(model("whisper-tiny.en"), threads=1)})
        ended, watch = hubbed.opened([], parts, vitals, lambda record, _: records.append(record), stack, [listener])
        service = stack.enter_context(parts.service(ended, vitals, watch=watch))
        loop = Thread(target=service.run, daemon=True)
        loop.start()
        wyoming = WyomingProcess(folder, folder / "speech.sock")
        yield Box(parts, wyoming, records)
        wyoming.kill()
        service.stop()
        loop.join(PATIENCE_S)


def test_what_the_boxs_voice_says_its_ear_writes_down(box: Box) -> None:
    async def run() -> str:
        events = await box.asked(Synthesize("What time is it in Tokyo? Good morning, everybody."), until=AudioStop)
        rate = AudioStart.from_event(events[0]).rate
        spoken = np.concatenate([np.frombuffer(each.payload, "<i2") for each in events if each.payload])
        whole = np.concatenate([silence(0.3, rate), spoken, silence(0.3, rate)])
        chunks = [AudioChunk(rate, 2, 1, each.tobytes()) for each in np.array_split(whole, 50)]
        (event,) = await box.asked(Transcribe(), AudioStart(rate, 2, 1), *chunks, AudioStop(), until=Transcript)
        return Transcript.from_event(event).text.lower()

    heard = asyncio.run(run())
    assert "what time is it in tokyo" in heard
    assert "good morning" in heard
    assert box.records == [], "no turn was taken"


def test_many_ask_at_once_and_each_gets_its_own(box: Box) -> None:
    said = np.concatenate([silence(0.3), read_wav(RECORDINGS / "tokyo.wav"), silence(0.3)])

    async def run() -> list[str]:
        async def one(rate: int) -> str:
            samples = resample(said, RATE_HZ, rate)
            chunks = [AudioChunk(rate, 2, 1, each.tobytes()) for each in np.array_split(samples, 20)]
            events = await box.asked(Transcribe(), AudioStart(rate, 2, 1), *chunks, AudioStop(), until=Transcript)
            return Transcript.from_event(events[-1]).text

        speaking = asyncio.gather(*(box.asked(Synthesize(f"This is number {n}."), until=AudioStop) for n in range(3)))
        texts = await asyncio.gather(*map(one, (16_000, 22_050, 48_000)))
        assert all(any(each.payload for each in events) for events in await speaking)
        return texts

    assert asyncio.run(run()) == ["What time is it in Tokyo?"] * 3
