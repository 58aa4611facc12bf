"""What happened while the box was off is told until somebody could hear it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC
from pathlib import Path

import pytest
from timers_of import timers_of

from appliance import build
from appliance import events as ev
from appliance.audio import Speech, Stale
from appliance.body.clock import SystemClock
from appliance.errors import DeviceMissing, StoreUnusable
from appliance.ports import Mouth
from appliance.service import news
from appliance.service.news import News
from appliance.service.states import State
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import CannedSynthesizer, RecordingSpeaker
from appliance.tts.speak import Voice

LOST = DeviceMissing("the speaker is not there", remedy="plug it in")
PATIENCE_S = 5.0


class Morning:
    """A box that was just switched on."""

    def __init__(self) -> None:
        self.speaker, self.vitals, self.told = RecordingSpeaker(), Vitals(), 0
        self.due = list[str]()
        self.events = list[ev.Event]()
        self.vitals.state = State.IDLE
        self.voice = Voice(CannedSynthesizer(), self.speaker, self.vitals.sounded)

    def news(self, *sentences: str) -> News:
        self.due = list(sentences)
        return News(self.voice, self.vitals, lambda: self.due, self.is_told, self.events.append)

    def is_told(self) -> None:
        self.told += 1
        self.due.clear()


@pytest.fixture
def morning(monkeypatch: pytest.MonkeyPatch) -> Iterator[Morning]:
    monkeypatch.setattr(news, "AGAIN_S", 0.05)
    made = Morning()
    with made.voice:
        yield made


def later(morning: Morning, said: News) -> int:
    """How often it counts as told, a little later."""
    ends_s = time.monotonic() + PATIENCE_S
    while not morning.told and time.monotonic() < ends_s:
        said.each_round()
        time.sleep(0.02)
    return morning.told


def test_told_once(morning: Morning) -> None:
    said = morning.news("", "Your tea timer ended.")
    said.tell()
    assert (morning.told, len(morning.speaker.played)) == (1, 1)
    time.sleep(0.1)
    assert later(morning, said) == 1


def test_what_nobody_could_hear_is_told_again_once_there_is_a_speaker(morning: Morning) -> None:
    morning.speaker.broken = LOST
    said = morning.news("Your tea timer ended.")
    said.tell()
    assert (morning.told, morning.vitals.dumb) == (0, str(LOST))
    morning.speaker.broken = None
    assert later(morning, said) == 1
    assert len(morning.speaker.played) == 1


@pytest.mark.parametrize("state", [State.MUTED, State.FAULTED])
def test_it_is_told_by_a_box_that_does_not_listen(morning: Morning, state: State) -> None:
    morning.vitals.state = state
    assert later(morning, morning.news("Your tea timer ended.")) == 1


def test_who_calls_the_box_cuts_it_off_and_hears_it_later(morning: Morning) -> None:
    morning.speaker = RecordingSpeaker(realtime=True)
    with Voice(CannedSynthesizer(), morning.speaker, morning.vitals.sounded) as morning.voice:
        said = morning.news("Your tea timer ended.")
        said.each_round()
        time.sleep(0.2)
        morning.vitals.state = State.LISTENING
        time.sleep(0.2)
        ((_, heard),) = morning.speaker.played
        assert (morning.told, heard.seconds < 0.5) == (0, True)
        morning.vitals.state = State.IDLE
        assert later(morning, said) == 1


@pytest.mark.parametrize(
    ("state", "event"),
    [
        (State.IDLE, ev.StopHeard()),
        (State.MUTED, ev.ButtonPressed()),
        (State.FAULTED, ev.ButtonPressed()),
        (State.LISTENING, ev.ButtonPressed()),
    ],
)
def test_who_stops_it_has_heard_enough(morning: Morning, state: State, event: ev.Event) -> None:
    morning.speaker = RecordingSpeaker(realtime=True)
    morning.vitals.state = State.IDLE if state is State.LISTENING else state
    with Voice(CannedSynthesizer(), morning.speaker, morning.vitals.sounded) as morning.voice:
        said = morning.news("Your tea timer ended.", "And so did the egg timer, and the one for the rice.")
        said.each_round()
        time.sleep(0.2)
        morning.vitals.state = state
        said.watch(event, state)
        time.sleep(0.2)
        ((_, heard),) = morning.speaker.played
        assert (morning.told, heard.seconds < 0.5) == (1, True)


def test_it_can_be_stopped_for_as_long_as_it_is_told(morning: Morning) -> None:
    said = morning.news("Your tea timer ended.")
    said.each_round()
    ends_s = time.monotonic() + PATIENCE_S
    while len(morning.events) < 2 and time.monotonic() < ends_s:
        time.sleep(0.02)
    assert (morning.events, morning.told) == ([ev.NewsBegan(), ev.NewsEnded()], 1)


def test_it_waits_until_nobody_wants_anything(morning: Morning) -> None:
    morning.speaker.broken = LOST
    said = morning.news("Your tea timer ended.")
    said.tell()
    morning.speaker.broken, morning.vitals.state = None, State.LISTENING
    time.sleep(0.1)
    said.each_round()
    time.sleep(0.1)
    assert morning.told == 0


def test_disk_that_cannot_be_written_does_not_stop_the_start(morning: Morning) -> None:
    def refuse() -> None:
        raise StoreUnusable("the disk is full", remedy="make room")

    News(morning.voice, morning.vitals, lambda: ["News."], refuse, morning.events.append).tell()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_news_that_broke_are_told_again(morning: Morning, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, broke = morning.voice.begin, list[bool]()

    def breaks_once(stale: Stale, started: Callable[[float], None]) -> Mouth:
        if not broke:
            broke.append(True)
            raise RuntimeError
        return begin(stale, started)

    monkeypatch.setattr(morning.voice, "begin", breaks_once)
    assert later(morning, morning.news("Your tea timer ended.")) == 1
    assert broke


def test_timer_that_is_missed_during_the_news_is_told_next(
    morning: Morning, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with build.parts(Settings(state=tmp_path), SystemClock(UTC)) as parts:
        timers = timers_of(parts.skills)
        tea, egg = (timers.add(label, 60) for label in ("tea", "egg"))
        play = morning.speaker.play

        def meanwhile(sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
            play(sound, stale, started)
            timers.miss(egg, rang=False)

        monkeypatch.setattr(morning.speaker, "play", meanwhile)
        timers.miss(tea, rang=False)
        said = parts.news(morning.voice, morning.vitals, morning.events.append)
        said.tell()
        assert timers.missed() == [egg]
        said.tell()
        assert timers.missed() == []


def test_card_that_fails_while_the_box_runs_is_told_of_once(morning: Morning, tmp_path: Path) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    with build.parts(Settings(state=tmp_path), SystemClock(UTC)) as parts:
        said = parts.news(morning.voice, morning.vitals, morning.events.append)
        said.tell()
        assert morning.speaker.played == []
        parts._store.doubt(full)
        assert parts._store.notice.startswith("My memory card is full.")
        said.tell()
        told = len(morning.speaker.played)
        assert told > 0
        assert parts._store.notice == ""
        said.tell()
        assert len(morning.speaker.played) == told


@pytest.mark.parametrize("event", [ev.WakeHeard(), ev.ButtonPressed(), ev.StopHeard()])
def test_timer_that_rang_in_an_empty_room_is_told_once_somebody_is_there(
    morning: Morning, tmp_path: Path, event: ev.Event
) -> None:
    """Also after a restart, and after each time that a ring ended with nobody there."""
    clock = SystemClock(UTC)
    with build.parts(Settings(state=tmp_path), clock) as parts:
        timers = timers_of(parts.skills)
        timers.miss(timers.add("tea", 60), rang=True)
    with build.parts(Settings(state=tmp_path), clock) as parts:
        timers, said = timers_of(parts.skills), parts.news(morning.voice, morning.vitals, morning.events.append)
        said.tell()
        said.watch(event, State.LISTENING)
        said.watch(ev.RingEnded(), State.IDLE)
        said.tell()
        assert ([timer.label for timer in timers.missed()], morning.speaker.played) == (["tea"], [])
        said.watch(event, State.LISTENING)
        said.tell()
        assert (timers.missed(), len(morning.speaker.played)) == ([], 1)
