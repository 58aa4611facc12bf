"""The satellite's port, asked by the protocol's own client as Home Assistant asks; its core is scripted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.pipeline import PipelineStage, RunPipeline
from wyoming.satellite import PauseSatellite, RunSatellite
from wyoming.snd import Played
from wyoming.timer import TimerCancelled, TimerFinished, TimerStarted
from wyoming.tts import Synthesize
from wyoming.vad import VoiceStarted, VoiceStopped
from wyoming.wake import Detection

from appliance.audio import as_text
from appliance.errors import WrongUse
from appliance.hub import wyoming_satellite
from appliance.hub.wyoming import Server, listener
from appliance.hub.wyoming_info import Model, satellite_info
from appliance.hub.wyoming_run import Run
from appliance.hub.wyoming_satellite import Satellite, Seat
from appliance.ports.satellite import ALIVE_S, Called, FromHost, HostSound, Over, Quiet, ToldHost

PATIENCE_S = 20
SOUND = np.arange(512, dtype=np.int16)


class Core:
    """Its end of the socket: `said` is what the host has to say, and how many are there."""

    def __init__(self) -> None:
        self.said = asyncio.Queue[FromHost]()
        self.alive = 0
        self.hosts = list[asyncio.StreamWriter]()
        self.here = asyncio.Event()
        self.takes = asyncio.Event()
        """Nothing is answered before it is set."""
        self.takes.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert json.loads(await reader.readline())["do"] == "satellite"
        self.hosts.append(writer)
        self.here.set()
        while line := await reader.readline():
            asked = json.loads(line)
            told = FromHost.model_validate(asked["arguments"])
            if told.what == "alive":
                self.alive += 1
            else:
                self.said.put_nowait(told)
            await self.takes.wait()
            writer.write(json.dumps({"id": asked["id"], "is": {}}).encode() + b"\n")
        self.hosts.remove(writer)
        writer.close()

    def tell(self, *told: ToldHost) -> None:
        for each in told:
            self.hosts[-1].write(json.dumps({"id": 1, **each.model_dump()}).encode() + b"\n")


class Home:
    """A Home Assistant: one connection, in which it answers to pings unless it hangs."""

    def __init__(self, client: AsyncTcpClient) -> None:
        self.client, self.hangs, self.pongs = client, False, 0

    async def send(self, *events: Any) -> None:
        for each in events:
            await self.client.write_event(each.event())

    async def next(self) -> Event | None:
        """But for pings."""
        while (event := await self.client.read_event()) is not None and Ping.is_type(event.type):
            if not self.hangs:
                self.pongs += 1
                await self.send(Pong())
        return event

    async def until(self, kind: type[Any]) -> Event:
        while (event := await self.next()) is not None:
            if kind.is_type(event.type):
                return event
        raise ConnectionError(f"it hung up before {kind.__name__}")

    async def refused(self) -> str:
        text = Error.from_event(await self.until(Error)).text
        assert await self.next() is None, "it is hung up on"
        return text


class Port:
    def __init__(self, number: int, core: Core) -> None:
        self.number, self.core = number, core

    @asynccontextmanager
    async def home(self, runs: bool = True) -> AsyncIterator[Home]:
        async with AsyncTcpClient("127.0.0.1", self.number) as client:
            home = Home(client)
            if runs:
                self.core.here.clear()
                await home.send(RunSatellite())
                await self.core.here.wait()
            yield home

    @asynccontextmanager
    async def called(self, turn: int = 7) -> AsyncIterator[Home]:
        """The host of a turn whose pipeline it has begun."""
        async with self.home() as home:
            self.core.tell(Called(turn=turn, word="hey_jarvis"))
            await home.until(AudioStart)
            await home.send(Transcribe(language="en"))
            yield home


@asynccontextmanager
async def port(folder: Path, allows: Callable[[str], bool] = lambda peer: True) -> AsyncIterator[Port]:
    core, path = Core(), folder / "core"
    told = satellite_info("Kitchen box", "Kitchen", [Model("hey_jarvis", "Apache-2.0", "1", ["en"])])
    with listener("127.0.0.1", 0) as listening:
        async with asyncio.timeout(PATIENCE_S), await asyncio.start_unix_server(core.serve, path, limit=2 << 20):
            server = Server(partial(Satellite, Seat(told, path, allows)))
            serving = asyncio.create_task(server.run(listening))
            yield Port(listening.getsockname()[1], core)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


def answer(text: str, *pieces: bytes) -> list[Any]:
    chunks = [AudioChunk(22_050, 2, 1, each, timestamp=0.5) for each in pieces]  # type: ignore[arg-type]
    return [Synthesize(text), AudioStart(22_050, 2, 1), *chunks, AudioStop()]


def test_it_tells_what_it_is(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.home(runs=False) as home:
            await home.send(Describe())
            info = Info.from_event(await home.until(Info))
            assert info.satellite
            assert (info.satellite.name, info.satellite.area, info.satellite.installed) == (
                "Kitchen box",
                "Kitchen",
                True,
            )
            assert info.satellite.active_wake_words == ["hey_jarvis"]
            assert [each.phrase for each in info.wake[0].models] == ["hey jarvis"]
            await home.send(Ping("there?"))
            assert Pong.from_event(await home.until(Pong)).text == "there?"

    asyncio.run(run())


def test_a_turn_goes_there_and_its_answer_comes_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.home() as home:
            box.core.tell(Called(turn=7, word="hey_jarvis"), HostSound(turn=7, pcm=as_text(SOUND)))
            assert Detection.from_event(await home.until(Detection)).name == "hey_jarvis"
            asked = RunPipeline.from_event(await home.until(RunPipeline))
            assert (asked.start_stage, asked.end_stage, asked.restart_on_end) == (
                PipelineStage.ASR,
                PipelineStage.TTS,
                False,
            )
            start = AudioStart.from_event(await home.until(AudioStart))
            assert (start.rate, start.width, start.channels) == (16_000, 2, 1)
            assert AudioChunk.from_event(await home.until(AudioChunk)).audio == SOUND.tobytes()
            await home.send(Transcribe(language="en"), VoiceStarted(5), VoiceStopped(900))
            assert await box.core.said.get() == FromHost(turn=7, what="heard")
            box.core.tell(Quiet(turn=7))
            await home.until(AudioStop)
            await home.send(Transcript("light on"), *answer("Done.", SOUND.tobytes()[:7], SOUND.tobytes()[7:]))
            told = [await box.core.said.get() for _ in range(5)]
            assert [(each.what, each.text) for each in told] == [
                ("words", "light on"), ("answer", "Done."), ("sound", ""), ("sound", ""), ("end", ""),
            ]  # fmt: skip
            assert {(each.turn, each.rate) for each in told[2:4]} == {(7, 22_050)}
            assert told[2].pcm == as_text(SOUND[:3]), "whole samples, however they were cut"
            assert told[3].pcm == as_text(SOUND[3:])
            box.core.tell(Over(turn=7, answered=True))
            await home.until(Played)
            assert box.core.alive > 0

    asyncio.run(run())


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("stt-no-text-recognized", "nothing"),
        ("duplicate_wake_up_detected", "elsewhere"),
        ("intent-failed", "failed"),
        (None, "failed"),
    ],
)
def test_what_home_assistant_cannot_do_is_told_for_what_it_is(tmp_path: Path, code: str | None, what: str) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.called() as home:
            await home.send(Error("it cannot", code))
            assert (await box.core.said.get()).what == what

    asyncio.run(run())


def test_what_nobody_waits_for_is_taken_back_before_anything_is_done_of_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.called() as home:
            box.core.tell(Over(turn=7, answered=False))
            taken = RunPipeline.from_event(await home.until(RunPipeline))
            assert (taken.start_stage, taken.end_stage, taken.announce_text) == (
                PipelineStage.TTS,
                PipelineStage.TTS,
                None,
            )
            box.core.tell(Called(turn=8, word=""))
            await home.send(Transcript("old"), *answer("Old.", SOUND.tobytes()))  # of the turn before, too late
            assert RunPipeline.from_event(await home.until(RunPipeline)).start_stage == PipelineStage.ASR
            assert home.pongs >= wyoming_satellite.SETTLED_PONGS, "it has ended the one before it begins the next"
            await home.send(Transcribe(language="en"), Transcript("new"))
            assert await box.core.said.get() == FromHost(turn=8, what="words", text="new")

    asyncio.run(run())


def test_the_end_of_an_answer_that_was_cut_off_is_not_played_in_the_next_turn(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.called() as home:
            await home.send(Transcript("one"), Synthesize("One."), AudioStart(22_050, 2, 1))
            box.core.tell(Over(turn=7, answered=False), Called(turn=8, word="hey_jarvis"))
            await home.until(AudioStart)
            old = AudioChunk(22_050, 2, 1, b"\x09\x09")
            await home.send(old, Transcribe(), old, AudioStop(), Transcript("two"), *answer("Two.", b"\x01\x01"))
            while (told := await box.core.said.get()).what != "end":
                assert "CQk" not in told.pcm
            assert told.turn == 8

    asyncio.run(run())


def test_one_that_hangs_is_told_no_life_of(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.called() as home:
            home.hangs = True
            reading = asyncio.create_task(home.until(Played))
            await asyncio.sleep(0.1)  # pongs that are on their way
            alive = box.core.alive
            await asyncio.sleep(3 * ALIVE_S)
            assert box.core.alive == alive
            box.core.tell(Over(turn=7, answered=False))
            await reading

    asyncio.run(run())


@pytest.mark.parametrize("ends", ["dies", "pauses"])
def test_the_core_is_told_at_once_when_it_is_gone(tmp_path: Path, ends: str) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.called() as home:
            if ends == "dies":
                await home.client.disconnect()
            else:
                await home.send(PauseSatellite())
            while box.core.hosts:
                await asyncio.sleep(0.01)
            if ends == "pauses":
                box.core.here.clear()
                await home.send(RunSatellite())
                await box.core.here.wait()

    asyncio.run(run())


def test_without_the_core_it_is_told_so_and_comes_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box:
            async with box.home() as home:
                box.core.hosts[-1].close()
                assert "stopped" in await home.refused()
            (tmp_path / "core").rename(tmp_path / "away")
            async with box.home(runs=False) as home:
                await home.send(RunSatellite())
                assert "does not answer" in await home.refused()
            (tmp_path / "away").rename(tmp_path / "core")
            async with box.home():
                assert len(box.core.hosts) == 1

    asyncio.run(run())


def test_only_the_one_that_the_owner_named_may_think(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path, allows=lambda peer: peer != "127.0.0.1") as box, box.home(runs=False) as home:
            await home.send(Describe())
            await home.until(Info)
            await home.send(RunSatellite())
            assert "127.0.0.1 may not think for this box" in await home.refused()
            assert box.core.hosts == []

    asyncio.run(run())


def test_a_second_one_waits_until_the_first_shows_no_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.home() as first:
            async with box.home(runs=False) as second:
                await second.send(RunSatellite())
                assert "another Home Assistant" in await second.refused()
            monkeypatch.setattr(wyoming_satellite, "SILENT_S", 0.0)
            async with box.home():
                assert await first.next() is None

    asyncio.run(run())


def test_its_timers_are_told_when_they_end(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.home() as home:
            await home.send(
                TimerStarted("a", 300, "tea"), TimerStarted("b", 60), TimerCancelled("b"), TimerFinished("a")
            )
            assert await box.core.said.get() == FromHost(turn=0, what="timer", text="tea", seconds=300)

    asyncio.run(run())


def test_pings_are_answered_while_a_long_answer_is_played(tmp_path: Path) -> None:
    async def run() -> None:
        async with port(tmp_path) as box, box.called() as home:
            box.core.takes.clear()
            await home.send(Transcript("story"), *answer("Once.", *[bytes(44_100)] * 60), Ping("there?"))
            assert Pong.from_event(await home.until(Pong)).text == "there?"
            box.core.takes.set()
            while (await box.core.said.get()).what != "end":
                pass

    asyncio.run(run())


@pytest.mark.parametrize("flood", ["sound", "timers", "text"])
def test_a_flood_ends_the_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flood: str) -> None:
    monkeypatch.setattr(wyoming_satellite, "WAITING_CHARS", 100_000)
    floods: dict[str, list[Any]] = {
        "sound": [Synthesize("x"), AudioStart(22_050, 2, 1), *[AudioChunk(22_050, 2, 1, bytes(2_048))] * 200],
        "timers": [TimerStarted(str(number), 60) for number in range(200)],
        "text": [Transcript("x" * 30_000)],
    }

    async def run() -> None:
        async with port(tmp_path) as box:
            with suppress(ConnectionError):  # it does not have to hear all of it, nor they why
                async with box.called() as home:
                    box.core.takes.clear()
                    await home.send(*floods[flood])
                    await home.refused()
            assert box.core.here.is_set()
            while box.core.hosts:
                box.core.takes.set()
                await asyncio.sleep(0.01)

    asyncio.run(run())


EVENTS = [
    "transcribe", "voice-started", "voice-stopped", "transcript", "synthesize", "audio-start", "audio-chunk",
    "audio-stop", "error", "played", "detect", "detection", "nonsense",
]  # fmt: skip
VALUES = st.one_of(st.none(), st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=2))
KEYS = st.sampled_from(["text", "rate", "width", "channels", "code", "timestamp", "voice"])


@given(st.lists(st.tuples(st.sampled_from(EVENTS), st.dictionaries(KEYS, VALUES), st.binary(max_size=9)), max_size=20))
def test_whatever_comes_is_told_in_order_or_refused(events: list[tuple[str, dict[str, Any], bytes]]) -> None:
    told = list[FromHost]()
    run = Run(3, told.append)
    try:
        for kind, data, payload in events:
            run.take(Event(kind, data, payload or None))
    except WrongUse:
        pass
    kinds = [each.what for each in told]
    assert all(each.turn == 3 for each in told)
    ends = [number for number, kind in enumerate(kinds) if kind in ("end", "failed", "nothing", "elsewhere")]
    assert ends in ([], [len(kinds) - 1]), "nothing follows the end"
    assert "sound" not in kinds or "answer" in kinds[: kinds.index("sound")]
