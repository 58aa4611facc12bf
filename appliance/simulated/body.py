"""The edges: microphones, a speaker, a knob and a clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from appliance.audio import FRAME, FRAME_S, Frame, Samples, Speech, Stale, joined, silence
from appliance.errors import ApplianceError, DeviceMissing
from appliance.ports import ClockSet, Timer


class ScriptedMicrophone:
    """A `Microphone` that hears one recording, at any pace; a last piece shorter than a frame is left out."""

    def __init__(self, recording: Samples) -> None:
        self._recording = recording
        self._frames = 0

    def open(self) -> None:
        """Goes on where it was closed."""

    def read(self) -> Frame:
        start = self._frames * FRAME
        if start + FRAME > len(self._recording):
            raise EOFError
        self._frames += 1
        return Frame(self._recording[start : start + FRAME], self._frames * FRAME_S)

    def close(self) -> None: ...


class DeadMicrophone:
    """A `Microphone` that is not there for the next `misses` attempts, then silent."""

    def __init__(self, misses: int = 0) -> None:
        self.misses, self.opened = misses, False

    def open(self) -> None:
        if self.misses:
            self.misses -= 1
            raise DeviceMissing("there is no microphone", remedy="plug one in")
        self.opened = True

    def read(self) -> Frame:
        if self.misses:
            raise DeviceMissing("the microphone has vanished", remedy="plug it in")
        time.sleep(FRAME_S)
        return Frame(silence(FRAME_S), time.monotonic())

    def close(self) -> None:
        self.opened = False


class RecordingSpeaker:
    """A `Speaker` that keeps what it plays: at once, or at the pace of sound. Raises `broken` while it is set."""

    def __init__(self, realtime: bool = False) -> None:
        self._realtime = realtime
        self.broken: ApplianceError | None = None
        self.played: list[tuple[float, Speech]] = []
        """(monotonic seconds at its start, what was heard of it)."""

    def play(self, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        if self.broken:
            raise self.broken
        pieces, start_s = list[Speech](), time.monotonic()
        for piece in sound:
            if not pieces:
                start_s = time.monotonic()
                started(start_s)
            pieces.append(piece)
        speech = joined(pieces)
        while self._realtime and not stale() and time.monotonic() - start_s < speech.seconds:
            time.sleep(0.005)
        heard_s = time.monotonic() - start_s if self._realtime else speech.seconds
        self.played.append((start_s, replace(speech, samples=speech.samples[: round(heard_s * speech.rate_hz)])))

    def close(self) -> None: ...


class SeenLight:
    """A `Light` that remembers; `broken` while it is set."""

    def __init__(self) -> None:
        self.shown: list[tuple[float, float, float]] = []
        self.broken: ApplianceError | None = None
        self.closed = False

    @property
    def dark(self) -> bool:
        return self.closed or not any(self.shown[-1])

    def set(self, red: float, green: float, blue: float) -> None:
        if self.broken:
            raise self.broken
        self.shown.append((red, green, blue))

    def close(self) -> None:
        self.closed = True


class HandSetVolume:
    """A volume knob."""

    def __init__(self, level: int = 50) -> None:
        self.level = level

    def set(self, level: int) -> None:
        self.level = level


class HandSetAlarms:
    """`Alarms` and their words: a timer ends when it is told to."""

    def __init__(self) -> None:
        self._ended: list[Timer] = []
        self._ringing: list[Timer] = []

    def end_one(self) -> None:
        self._ended.append(Timer(1, "", 60, datetime.now()))

    def due(self) -> list[Timer]:
        ended, self._ended = self._ended, []
        self._ringing += ended
        return ended

    def next_due_in(self) -> float | None:
        return None

    def ringing(self) -> list[Timer]:
        return self._ringing

    def done(self, *timers: Timer) -> None:
        self._ringing = [timer for timer in self._ringing if timer not in timers]

    def miss(self, *timers: Timer, rang: bool) -> None:
        self.done(*timers)

    def sentence(self, timer: Timer) -> str:
        return "Your timer is done."


class HandSetClock:
    """A `Clock` that moves when told to. `set` moves the wall clock only, as a time server or an owner does."""

    last_seen: datetime | None = None

    def __init__(self, now: datetime, trusted: bool = True) -> None:
        self.trusted = trusted
        self._now = now
        self._monotonic = 1_000.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def pass_time(self, seconds: float) -> None:
        passed = self._now.astimezone(UTC) + timedelta(seconds=seconds)
        self._now = passed.astimezone(self._now.tzinfo)
        self._monotonic += seconds

    def set(self, now: datetime) -> None:
        self._now = now

    def set_by_owner(self, moment: datetime) -> ClockSet:
        """A `ClockSetter`, as the helper on a box is."""
        self._now, self.trusted = moment, True
        return ClockSet.DONE

    def keep(self) -> None:
        """The one who sets it sets `last_seen` too."""
