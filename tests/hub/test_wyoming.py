"""The Wyoming server, asked by the protocol's own client over real sockets; behind it a core that only counts."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest
from speaking_core import SpeakingCore, ten_a_letter
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event, Eventable, async_read_event, async_write_event
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeVoice,
)
from wyoming.wake import Detect, Detection, NotDetected

from appliance.audio import FRAME, Samples
from appliance.hub import wyoming_hearing, wyoming_peer
from appliance.hub.wyoming import Server, listener
from appliance.hub.wyoming_core import CoreSpeech
from appliance.hub.wyoming_hearing import Listeners
from appliance.hub.wyoming_info import Model, info
from appliance.hub.wyoming_talk import Box, Talk
from appliance.hub.wyoming_wire import BLOCK_BYTES
from appliance.ports.refusals import Refusal
from appliance.tts.sentences import Clauses

PATIENCE_S = 20
HZ = 16_000
LOUD = 9_000


class Loud:
    """A `WakeListener` that takes a loud frame for the wake word, and once."""

    def hear(self, frame: Samples) -> tuple[str, float] | None:
        assert frame.shape == (FRAME,)
        return ("hey_jarvis", 0.9) if frame.max() > LOUD else None

    def reset(self) -> None: ...


class Tells(Protocol):
    def event(self) -> Event: ...


class Running:
    """A server and its core, for one test."""

    def __init__(self, port: int, core: SpeakingCore) -> None:
        self.port, self.core = port, core

    @asynccontextmanager
    async def client(self, address: str = "127.0.0.1") -> AsyncIterator[AsyncTcpClient]:
        async with asyncio.timeout(PATIENCE_S), AsyncTcpClient(address, self.port) as client:
            yield client

    async def asked(self, *events: Tells, until: type[Eventable] | None = None) -> list[Event]:
        """What is told, up to an event of that kind; without one, until the server hangs up."""
        async with self.client() as client:
            try:
                for each in events:
                    await client.write_event(each.event())
            except ConnectionError:
                pass  # refused before all was said
            return await told(client, until)


async def told(client: AsyncTcpClient, until: type[Eventable] | None = None) -> list[Event]:
    found = list[Event]()
    while (event := await client.read_event()) is not None:
        found.append(event)
        if until and until.is_type(event.type):
            break
    return found


def sound(*levels: int, rate: int = HZ) -> list[Tells]:
    """A tenth of a second at each level."""
    start, chunks = AudioStart(rate, 2, 1), list[Tells]()
    for number, level in enumerate(levels):
        samples = np.full(rate // 10, level, dtype="<i2")
        chunks.append(AudioChunk(rate, 2, 1, samples.tobytes(), timestamp=100 * number + 0.4))  # type: ignore[arg-type]
    return [start, *chunks, AudioStop()]


Test = Callable[["Running"], Awaitable[None]]


def served(tmp_path: Path, test: Test, *, wake: bool = True, most: int = 32, most_of_one: int = 16) -> None:
    async def run() -> None:
        core = SpeakingCore(tmp_path / "core")
        words, voice = Model("whisper-x", "MIT", "1", ["en"]), Model("piper-x", "CC0-1.0", "2", ["en_US"])
        names = ["hey_jarvis", "alexa"] if wake else []
        told = info("Kitchen", words, voice, [Model(name, "free", "3", ["en"]) for name in names])
        listeners = Listeners(names, Loud, most=2) if wake else None
        box = Box(told, CoreSpeech(core.path), Clauses, listeners)
        async with core.running():
            with listener("127.0.0.1", 0) as listening:
                serving = asyncio.create_task(Server(partial(Talk, box), most, most_of_one).run(listening))
                try:
                    await test(Running(listening.getsockname()[1], core))
                finally:
                    serving.cancel()
                    async with asyncio.timeout(PATIENCE_S):
                        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(run())


def test_it_tells_what_it_has_and_whose_work_that_is(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        (event,) = await running.asked(Describe(), until=Info)
        found = Info.from_event(event)
        for program in (*found.asr, *found.tts, *found.wake):
            assert (program.name, program.installed) == ("Kitchen", True)
            assert program.attribution.url.startswith("https://")
            assert program.version
        assert [(each.name, each.languages) for each in found.asr[0].models] == [("whisper-x", ["en"])]
        assert [(each.name, each.languages) for each in found.tts[0].voices] == [("piper-x", ["en_US"])]
        assert [each.phrase for each in found.wake[0].models] == ["hey jarvis", "alexa"]
        assert found.tts[0].supports_synthesize_streaming
        assert found.satellite is None

    served(tmp_path, test)


def test_without_wake_words_it_tells_of_none_and_refuses_to_listen(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        (event,) = await running.asked(Describe(), until=Info)
        assert Info.from_event(event).wake == []
        (refused,) = await running.asked(Detect())
        assert "wyoming.wake" in Error.from_event(refused).text

    served(tmp_path, test, wake=False)


def test_a_ping_comes_back(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        (event,) = await running.asked(Ping("x"), until=Pong)
        assert Pong.from_event(event).text == "x"

    served(tmp_path, test)


@pytest.mark.parametrize("rate", [16_000, 8_000, 22_050, 48_000])
def test_sound_of_any_rate_is_heard_whole_at_16_khz(tmp_path: Path, rate: int) -> None:
    async def test(running: Running) -> None:
        (event,) = await running.asked(Transcribe(language="en-GB"), *sound(*[500] * 10, rate=rate), until=Transcript)
        count, loudest = (int(word) for word in Transcript.from_event(event).text.split() if word.isdigit())
        assert count == pytest.approx(HZ, abs=20)
        assert 490 < loudest < 700

    served(tmp_path, test)


def test_one_connection_serves_one_request_after_the_other(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        async with running.client() as client:
            for level in (3, 4):
                for each in (Transcribe(), *sound(level)):
                    await client.write_event(each.event())
                (event,) = await told(client, Transcript)
                assert Transcript.from_event(event).text == f"1600 samples, at most {level}"
            await client.write_event(Synthesize("Good.").event())
            assert AudioStop.is_type((await told(client, AudioStop))[-1].type)

    served(tmp_path, test)


def test_sound_without_a_request_or_a_start_is_transcribed(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        _, chunk, stop = sound(7)
        (event,) = await running.asked(chunk, stop, until=Transcript)
        assert Transcript.from_event(event).text == "1600 samples, at most 7"
        (event,) = await running.asked(stop, until=Transcript)
        assert Transcript.from_event(event).text == ""

    served(tmp_path, test)


@pytest.mark.parametrize("size", [1, 3, 4_097])
def test_sound_may_be_cut_within_a_sample(tmp_path: Path, size: int) -> None:
    """As Home Assistant cuts what is posted to it."""
    whole = np.full(2_000, 300, dtype="<i2").tobytes()

    async def test(running: Running) -> None:
        parts = [AudioChunk(HZ, 2, 1, whole[at : at + size]) for at in range(0, len(whole), size)]
        (event,) = await running.asked(Transcribe(), *parts, AudioStop(), until=Transcript)
        assert Transcript.from_event(event).text == "2000 samples, at most 300"

    served(tmp_path, test)


def heard(events: list[Event]) -> Samples:
    return np.concatenate([np.frombuffer(each.payload or b"", "<i2") for each in events if each.payload])


def expected(*clauses: str) -> Samples:
    return np.concatenate([piece.samples for clause in clauses for piece in ten_a_letter(clause)])


TEXT = "It is ten past four. Your tea is ready! Come."


def test_a_text_is_spoken_clause_by_clause_in_one_stream(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        events = await running.asked(Synthesize(TEXT, SynthesizeVoice("piper-x")), until=AudioStop)
        kinds = [each.type for each in events]
        assert (kinds[0], kinds[-1]) == ("audio-start", "audio-stop")
        assert kinds.count("audio-start") == kinds.count("audio-stop") == 1
        assert AudioStart.from_event(events[0]).rate == 22_050
        assert running.core.asked == ["It is ten past four.", "Your tea is ready!", "Come."]
        assert heard(events).tolist() == expected(*running.core.asked).tolist()

    served(tmp_path, test)


def test_the_first_clause_is_sent_before_the_next_is_asked_for(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        async with running.client() as client:
            await client.write_event(SynthesizeStart().event())
            await client.write_event(SynthesizeChunk("It is ten past four. Your te").event())
            start = await client.read_event()
            assert start
            assert AudioStart.is_type(start.type)
            assert running.core.asked == ["It is ten past four."]
            await client.write_event(SynthesizeChunk("a is ready! Come.").event())
            await client.write_event(Synthesize(TEXT).event())  # Home Assistant sends the whole as well
            await client.write_event(SynthesizeStop().event())
            events = await told(client, SynthesizeStopped)
            assert [each.type for each in events[-2:]] == ["audio-stop", "synthesize-stopped"]
            assert heard(events).tolist() == expected("It is ten past four.", "Your tea is ready!", "Come.").tolist()

    served(tmp_path, test)


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_of_nothing_to_say_the_end_is_told_all_the_same(tmp_path: Path, text: str) -> None:
    async def test(running: Running) -> None:
        events = await running.asked(Synthesize(text), until=AudioStop)
        assert [each.type for each in events] == ["audio-start", "audio-stop"]

    served(tmp_path, test)


def test_a_wake_word_is_told_as_it_is_heard_and_its_absence_at_the_end(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        events = await running.asked(Detect(["hey_jarvis"]), *sound(0, 0, LOUD + 1, 0), until=Detection)
        found = Detection.from_event(events[0])
        assert (found.name, found.timestamp) == ("hey_jarvis", 200)
        for asked in (Detect(), Detect(["alexa"])):
            level = LOUD + 1 if asked.names else LOUD
            events = await running.asked(asked, *sound(0, level, level), until=NotDetected)
            assert [each.type for each in events] == ["not-detected"]

    served(tmp_path, test)


def test_listeners_are_given_back_when_a_peer_hangs_up(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        for _ in range(3):  # of two there are
            async with running.client() as client:
                for each in (Detect(), *sound(0)[:2], Ping("heard")):
                    await client.write_event(each.event())
                await told(client, Pong)
        async with running.client() as one, running.client() as two:
            for client in (one, two):
                await client.write_event(Detect().event())
                await client.write_event(Ping("there").event())
                await told(client, Pong)
            (refused,) = await running.asked(Detect())
            assert "already" in Error.from_event(refused).text

    served(tmp_path, test)


def test_sound_for_wake_words_is_taken_at_the_pace_of_speech(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wyoming_hearing, "AHEAD_S", 0.5)

    async def test(running: Running) -> None:
        began_s = asyncio.get_running_loop().time()
        await running.asked(Detect(), *sound(*[0] * 20), until=NotDetected)
        assert asyncio.get_running_loop().time() - began_s > 1.2

    served(tmp_path, test)


class Raw:
    """Any event."""

    def __init__(self, kind: str, payload: bytes = b"", **data: object) -> None:
        self._event = Event(kind, dict(data), payload)

    def event(self) -> Event:
        return self._event


FORMAT = {"rate": HZ, "width": 2, "channels": 1}


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ([Transcribe(language="fi")], "no language 'fi'.*it has: en"),
        ([Transcribe(name="other")], "no model 'other'.*whisper-x"),
        ([Raw("transcribe", language=["en"])], "transcribe: language"),
        ([Detect(["computer"])], "no wake word 'computer'.*hey_jarvis"),
        ([Synthesize("x", SynthesizeVoice("joe"))], "no voice 'joe'.*piper-x"),
        ([Synthesize("x", SynthesizeVoice(language="de"))], "no language 'de'"),
        ([Raw("synthesize", text="<speak/>", text_format="ssml")], "text_format"),
        ([Raw("synthesize", text="x" * 20_001)], "text: .*20000"),
        ([AudioStart(HZ, 2, 2)], "channels"),
        ([AudioStart(HZ, 4, 1)], "width"),
        ([AudioStart(10**9, 2, 1)], "rate"),
        ([Raw("audio-start")], "rate: Field required"),
        ([Raw("audio-chunk", b"abcd", **{**FORMAT, "channels": 2})], "channels"),
        ([AudioStart(HZ, 2, 1), AudioChunk(8_000, 2, 1, b"ab")], "another format"),
        ([Transcribe(), *sound(*[0] * 241)], "more than 24 s"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(tmp_path: Path, asked: list[Tells], why: str) -> None:
    async def test(running: Running) -> None:
        *_, refused = await running.asked(*asked)
        with pytest.raises(AssertionError, match=why):
            raise AssertionError(Error.from_event(refused).text)
        assert running.core.asked == []
        await still_serves(running)

    served(tmp_path, test)


async def still_serves(running: Running) -> None:
    await running.asked(Describe(), until=Info)


@pytest.mark.parametrize(
    "sent",
    [
        b"\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"[]\n",
        b"7\n",
        b"{}\n",
        b'{"type": 7}\n',
        b'{"type": "describe", "data": 7}\n',
        b'{"type": "describe", "data_length": "7"}\n',
        b'{"type": "describe", "data_length": 3}\n[7]',
        b'{"type": "x", "payload_length": %d}\n' % (1 << 40),
        b'{"type": "x", "data_length": %d}\n' % (BLOCK_BYTES + 1),
        b"[" * 10_000 + b"\n",
        b"x" * 200_000,
        bytes(range(256)) * 8,
    ],
)
def test_nonsense_ends_its_own_connection_alone(tmp_path: Path, sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def test(running: Running) -> None:
        async with running.client() as beside:
            await beside.write_event(Ping().event())
            await told(beside, Pong)
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(sent)
            async with asyncio.timeout(PATIENCE_S):
                try:
                    while await reader.read(65_536):
                        pass
                except ConnectionError:
                    pass
            writer.close()
            await beside.write_event(Ping("still").event())
            (event,) = await told(beside, Pong)
            assert Pong.from_event(event).text == "still"

    served(tmp_path, test)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_unknown_events_are_passed_over(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        (event,) = await running.asked(Raw("run-satellite"), Raw("select-program", name="x"), Describe(), until=Info)
        assert Info.is_type(event.type)

    served(tmp_path, test)


def test_what_the_core_refuses_is_told_and_ends_the_connection(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        running.core.refusal = Refusal(error="it is loading", remedy="ask again", code=3, kind="starting")
        for asked in ([Synthesize("Hello.")], [Transcribe(), *sound(1)]):
            *_, refused = await running.asked(*asked)
            assert Error.from_event(refused).text == "it is loading; ask again"
            assert Error.from_event(refused).code == "PartMissing"

    served(tmp_path, test)


def test_without_a_core_it_says_so(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        running.core.path.unlink()
        *_, refused = await running.asked(Transcribe(), *sound(1))
        assert "service does not answer" in Error.from_event(refused).text
        await still_serves(running)

    served(tmp_path, test)


def test_the_core_is_asked_for_one_thing_at_a_time_and_who_floods_it_waits_for_itself(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        running.core.open.clear()
        flood = [asyncio.create_task(running.asked(*sound(1), until=Transcript)) for _ in range(8)]
        await until(lambda: running.core.asked == ["1600 samples, at most 1"])
        await asyncio.sleep(0.2)  # the others are in the queue by now, and only one of them is at its front
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port, local_addr=("127.0.0.2", 0))
        for each in sound(2):
            await async_write_event(each.event(), writer)
        await asyncio.sleep(0.2)
        running.core.open.set()
        async with asyncio.timeout(PATIENCE_S):
            event = await async_read_event(reader)
            assert event
            assert Transcript.from_event(event).text == "1600 samples, at most 2"
            await asyncio.gather(*flood)
        writer.close()
        assert running.core.asked.index("1600 samples, at most 2") <= 2
        assert running.core.most_at_once == 1
        assert len(running.core.asked) == 9

    served(tmp_path, test)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


def test_a_peer_that_hangs_up_is_no_longer_spoken_to(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        running.core.open.clear()
        async with running.client() as client:
            await client.write_event(Synthesize(" ".join(f"This is sentence {n}." for n in range(500))).event())
            await until(lambda: bool(running.core.asked))
        running.core.open.set()
        await until(lambda: running.core.at_once == 0)
        before = len(running.core.asked)
        await asyncio.sleep(0.3)
        assert len(running.core.asked) == before < 500

    served(tmp_path, test)


def test_one_address_cannot_take_all_connections(tmp_path: Path) -> None:
    async def test(running: Running) -> None:
        async with running.client() as one, running.client() as two:
            for client in (one, two):
                await client.write_event(Ping().event())
                await told(client, Pong)
            with pytest.raises((ConnectionError, AssertionError)):
                assert await running.asked(Describe(), until=Info)
            other = socket.create_connection(("127.0.0.1", running.port), 5, source_address=("127.0.0.2", 0))
            reader, writer = await asyncio.open_connection(sock=other)
            writer.write(b'{"type": "ping"}\n')
            assert json.loads(await reader.readline())["type"] == "pong"
            writer.close()
        await until_served(running)

    async def until_served(running: Running) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    if await running.asked(Describe(), until=Info):
                        return
                except ConnectionError:
                    await asyncio.sleep(0.05)

    served(tmp_path, test, most=3, most_of_one=2)


def test_it_ends_though_peers_are_connected(tmp_path: Path) -> None:
    """`served` would not end."""
    connected = list[asyncio.StreamWriter]()

    async def test(running: Running) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(b'{"type": "ping"}\n')
        assert json.loads(await reader.readline())["type"] == "pong"
        connected.append(writer)

    served(tmp_path, test)
    assert connected


def test_a_peer_that_says_nothing_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wyoming_peer, "IDLE_S", 0.2)

    async def test(running: Running) -> None:
        for begun in (b"", b'{"type": "ping", "data_length": 9}\n{'):
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(begun)
            async with asyncio.timeout(PATIENCE_S):
                assert await reader.read() == b""
            writer.close()

    served(tmp_path, test)


def test_a_peer_that_takes_nothing_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wyoming_peer, "TAKE_S", 0.3)

    async def test(running: Running) -> None:
        running.core._voice = lambda text: [*ten_a_letter(text * 20_000)]
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        plain.connect(("127.0.0.1", running.port))
        text = " ".join(f"This is sentence {n}." for n in range(50))
        plain.sendall(json.dumps({"type": "synthesize", "data": {"text": text}}).encode() + b"\n")
        await until(lambda: bool(running.core.asked))
        await until(lambda: running.core.at_once == 0)
        await asyncio.sleep(0.5)
        assert len(running.core.asked) < 10
        plain.close()
        await still_serves(running)

    served(tmp_path, test)
