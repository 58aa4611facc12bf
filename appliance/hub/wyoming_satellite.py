"""The box as the satellite of a Home Assistant: what follows a call is sent there, and what it answers is played.

One Home Assistant at a time, at the address that the owner has named. Whatever it does, or leaves undone, the core is
told of its life only as long as it answers to a ping: it falls back to its own thought by itself
(service/satellite.py).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event
from wyoming.info import Info
from wyoming.ping import Ping
from wyoming.pipeline import PipelineStage, RunPipeline
from wyoming.snd import Played
from wyoming.wake import Detection

from appliance.audio import RATE_HZ, of_text
from appliance.errors import ApplianceError, WrongUse, logged
from appliance.hub import wyoming_wire as wire
from appliance.hub.wyoming_link import Link
from appliance.hub.wyoming_peer import Peer
from appliance.hub.wyoming_run import Run
from appliance.ports.satellite import ALIVE_S, Called, FromHost, HostSound, Over, Quiet

log = logging.getLogger(__name__)

WIDTH, CHANNELS = 2, 1
SILENT_S = 5.0
"""A Home Assistant that has said nothing for so long loses its place to another one: it pings every 2 s."""
SETTLE_S, SETTLED_PONGS = 1.0, 2
"""Between a run that was taken back and the next: as long at most, and pongs that have come meanwhile. The end of the
one would have Home Assistant pass over the sound of the other (components/wyoming/assist_satellite.py, 2025.4)."""
WAITING_CHARS = 24_000_000
"""Of an answer that is still to be played, in base64: 6 minutes of Piper's sound. All of it is read at once, for Home
Assistant ends a connection that does not answer its ping within 5 s."""
TIMERS_MOST = 100


@dataclass
class Seat:
    """The one place of a host."""

    info: Info
    core: Path
    allows: Callable[[str], bool]
    """Whether whoever has this address may think for the box."""
    holder: Satellite | None = None

    def take(self, other: Satellite) -> None:
        """Raises WrongUse."""
        if self.holder and self.holder is not other:
            if self.holder.silent_s < SILENT_S:
                raise WrongUse("another Home Assistant thinks for this box", remedy="remove the box there")
            self.holder.hang_up()
        self.holder = other

    def leave(self, other: Satellite) -> None:
        if self.holder is other:
            self.holder = None


class Satellite(Peer):
    """One connection of a Home Assistant."""

    def __init__(self, seat: Seat, reader: wire.Reader, writer: asyncio.StreamWriter, peer: str) -> None:
        super().__init__(reader, writer)
        self._seat, self._peer = seat, peer
        self._link: Link | None = None
        self._turn = 0
        """Of the core, that is not over; 0 is none."""
        self._run: Run | None = None
        self._sent = 0
        """Samples of the turn."""
        self._pongs = 0
        """Since the last run was taken back."""
        self._settled = asyncio.Event()
        self._settled.set()
        self._to_say = asyncio.Queue[FromHost]()
        self._waiting = 0
        self._tasks = set[asyncio.Task[None]]()
        self._life: asyncio.Task[None] | None = None
        self._timers = dict[str, wire.TimerEvent]()
        self._heard_s = time.monotonic()

    @property
    def silent_s(self) -> float:
        return time.monotonic() - self._heard_s

    def hang_up(self) -> None:
        self._writer.transport.abort()
        self._leave()

    async def _take(self, event: Event) -> None:
        self._heard_s = time.monotonic()
        if take := TAKERS.get(event.type):
            await take(self, event)
        elif self._run:
            self._run.take(event)

    async def _close(self) -> None:
        self._leave()

    async def _describe(self, event: Event) -> None:
        await self._write(self._seat.info)

    async def _pong(self, event: Event) -> None:
        self._pongs += 1
        if self._pongs >= SETTLED_PONGS:
            self._settled.set()
        if self._link and self._turn:
            self._link.say_now(FromHost(turn=self._turn, what="alive"))

    async def _run_satellite(self, event: Event) -> None:
        """It thinks from now on. Raises WrongUse, PartMissing."""
        if not self._seat.allows(self._peer):
            what = f"{self._peer} may not think for this box"
            raise WrongUse(what, remedy="if it is your Home Assistant, set wyoming.satellite_of to that address")
        if self._link:
            return
        self._seat.take(self)
        self._link = await Link.to(self._seat.core, self._peer)
        self._tasks = {asyncio.create_task(each) for each in (self._follow(self._link), self._say_all(self._link))}

    async def _pause_satellite(self, event: Event) -> None:
        self._leave()

    async def _timer_started(self, event: Event) -> None:
        timer = wire.read(wire.TimerEvent, event)
        if len(self._timers) >= TIMERS_MOST:
            raise WrongUse(f"more than {TIMERS_MOST} timers", remedy="end some")
        self._timers[timer.id] = timer

    async def _timer_cancelled(self, event: Event) -> None:
        self._timers.pop(wire.read(wire.TimerEvent, event).id, None)

    async def _timer_finished(self, event: Event) -> None:
        finished = wire.read(wire.TimerEvent, event)
        timer = self._timers.pop(finished.id, finished)
        if self._link:
            self._say(FromHost(turn=0, what="timer", text=timer.name or "", seconds=timer.total_seconds))

    def _leave(self) -> None:
        """It does not think any more. May be called twice."""
        self._seat.leave(self)
        self._rest()
        for task in self._tasks:
            task.cancel()
        if link := self._link:
            link.close()
        self._link, self._run = None, None

    def _say(self, told: FromHost) -> None:
        """Behind what is still to be said. Raises WrongUse."""
        self._waiting += len(told.pcm)
        if self._waiting > WAITING_CHARS:
            raise WrongUse("more sound than anybody would hear out", remedy="answer in fewer words")
        self._to_say.put_nowait(told)

    async def _say_all(self, link: Link) -> None:
        while True:
            told = await self._to_say.get()
            await link.say(told)
            self._waiting -= len(told.pcm)

    async def _follow(self, link: Link) -> None:
        """Do what the core tells, as long as it is there; a Home Assistant whose connection ends comes again."""
        with logged(log, "a satellite's connection broke"):
            try:
                async for told in link.told():
                    await DOES[type(told)](self, told)
            except ApplianceError as error:
                await self._refuse(error)
            except OSError as error:
                log.debug("a Home Assistant hung up, or takes nothing (%s)", error)
        self._writer.close()

    async def _called(self, told: Called) -> None:
        self._turn, self._run, self._sent = told.turn, None, 0
        self._life = asyncio.create_task(self._ask_for_life())
        await self._settle()
        self._run, word = Run(told.turn, self._say), told.word or None
        await self._write(Detection(word))
        await self._write(RunPipeline(PipelineStage.ASR, PipelineStage.TTS, wake_word_name=word))
        await self._write(AudioStart(RATE_HZ, WIDTH, CHANNELS, timestamp=0))

    async def _sound(self, told: HostSound) -> None:
        samples = of_text(told.pcm)
        at_ms = round(self._sent * 1_000 / RATE_HZ)
        self._sent += len(samples)
        if self._run:
            await self._write(AudioChunk(RATE_HZ, WIDTH, CHANNELS, samples.astype("<i2").tobytes(), timestamp=at_ms))

    async def _quiet(self, told: Quiet) -> None:
        if self._run:
            await self._write(AudioStop())

    async def _over(self, told: Over) -> None:
        run, self._run = self._run, None
        self._rest()
        if run and not run.whole:
            await self._take_back()
        await self._write(Played())

    async def _take_back(self) -> None:
        """End a run, before anything is done of it. The protocol has no word for that: a run takes its place that has
        nothing to say, and so does not begin."""
        self._pongs = 0
        self._settled.clear()
        await self._write(RunPipeline(PipelineStage.TTS, PipelineStage.TTS))

    async def _settle(self) -> None:
        try:
            async with asyncio.timeout(SETTLE_S):
                await self._settled.wait()
        except TimeoutError:
            log.debug("a Home Assistant may not have ended what was taken back")
        self._settled.set()

    async def _ask_for_life(self) -> None:
        with logged(log, "no sign of life is asked for"):
            try:
                while True:
                    await self._write(Ping())
                    await asyncio.sleep(ALIVE_S)
            except OSError as error:
                log.debug("a Home Assistant takes nothing (%s)", error)

    def _rest(self) -> None:
        """No turn is going on."""
        self._turn = 0
        if life := self._life:
            life.cancel()


TAKERS: Mapping[str, Callable[[Satellite, Event], Awaitable[None]]] = {
    "describe": Satellite._describe,
    "ping": Satellite._ping,
    "pong": Satellite._pong,
    "run-satellite": Satellite._run_satellite,
    "pause-satellite": Satellite._pause_satellite,
    "timer-started": Satellite._timer_started,
    "timer-cancelled": Satellite._timer_cancelled,
    "timer-finished": Satellite._timer_finished,
}
"""Event -> what is done with it; others are of the turn."""
DOES: Mapping[type, Callable[[Satellite, Any], Awaitable[None]]] = {
    Called: Satellite._called,
    HostSound: Satellite._sound,
    Quiet: Satellite._quiet,
    Over: Satellite._over,
}
"""What the core tells -> what is done with it."""
