"""From the first second on timers ring: whatever the models take to load, hang in it, or cannot be loaded at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import pytest

from appliance import events as ev
from appliance.body.clock import SystemClock
from appliance.errors import ModelDamaged
from appliance.service.loading import Loading
from appliance.service.loop import Service
from appliance.service.muting import MUTED
from appliance.service.own_words import OwnWords
from appliance.service.ringing import Ringing
from appliance.service.states import State
from appliance.service.turn import SpokenTurns
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import (
    CannedSynthesizer,
    DeadMicrophone,
    MemoryTimers,
    MemoryValues,
    RecordingSpeaker,
    ScriptedEars,
    SlowThinker,
)
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools
from appliance.tts.speak import Voice

ARMED_S = 2.0
"""Latest, from the start on, that a timer on disk can ring."""
PATIENCE_S = 10.0


class Starting:
    """A service whose models take until `loaded`, or end in `fails`; with a timer on disk."""

    def __init__(self, due_in_s: float = 0.5, muted: str = "", fails: Exception | None = None) -> None:
        self.loaded, self.fails, self.ended = Event(), fails, list[Exception]()
        store, clock = MemoryTimers(), SystemClock(UTC)
        store.add("tea", 60, datetime.now(UTC) + timedelta(seconds=due_in_s))
        self.timers, self.vitals, self.kept = Timers(store, clock, 120), Vitals(), MemoryValues()
        self.kept.set(MUTED, muted)
        self.speaker, self.ears = RecordingSpeaker(realtime=True), ScriptedEars()
        self.voice = Voice(CannedSynthesizer(), self.speaker, lambda error: None)
        self.service = Service(
            DeadMicrophone(),
            self.ears,
            lambda post: SpokenTurns(
                lambda utterance, stale: "",
                SlowThinker(1),
                OwnWords(self.voice),
                bool,
                post,
                lambda r, m: None,
                paced=True,
            ),
            Ringing(self.timers, TimerTools(self.timers, clock), self.voice, 120),
            Settings(),
            self.kept,
            vitals=self.vitals,
            loading=Loading(self._load),
        )

    def _load(self) -> None:
        self.loaded.wait(PATIENCE_S)
        if self.fails:
            raise self.fails

    def run(self) -> None:
        try:
            self.service.run()
        except Exception as error:
            self.ended.append(error)

    def until(self, true: Callable[[], object]) -> float:
        """Seconds that it took."""
        began_s = time.monotonic()
        while not true():
            assert time.monotonic() < began_s + PATIENCE_S, self.service.state
            time.sleep(0.005)
        return time.monotonic() - began_s


@pytest.fixture
def start() -> Iterator[Callable[..., Starting]]:
    with ExitStack() as stack:

        def started(**options: object) -> Starting:
            box = Starting(**options)  # type: ignore[arg-type]
            stack.enter_context(box.voice)
            thread = Thread(target=box.run)
            thread.start()
            stack.callback(thread.join)
            stack.callback(box.service.stop)
            stack.callback(box.loaded.set)
            return box

        yield started


def test_timer_rings_while_the_models_are_still_being_loaded(start: Callable[..., Starting]) -> None:
    box = start()
    assert box.until(lambda: box.speaker.played) < ARMED_S
    assert box.service.state is State.STARTING
    assert box.vitals.trouble() == "starting", "nobody can be answered yet"


def test_it_rings_on_once_they_are_there_and_stop_can_be_heard(start: Callable[..., Starting]) -> None:
    box = start()
    box.until(lambda: box.speaker.played)
    box.loaded.set()
    box.until(lambda: box.service.state is State.RINGING)
    box.until(lambda: box.ears.attended)


def test_button_stops_it_while_they_are_being_loaded(start: Callable[..., Starting]) -> None:
    box = start()
    box.until(lambda: box.speaker.played)
    box.service.post(ev.ButtonPressed())
    box.until(lambda: not box.timers.all())
    assert box.service.state is State.STARTING


@pytest.mark.parametrize(("muted", "becomes"), [("", State.MUTED), ("yes", State.IDLE)])
def test_long_press_meanwhile_counts_once_they_are_there(
    start: Callable[..., Starting], muted: str, becomes: State
) -> None:
    box = start(due_in_s=60, muted=muted)
    box.service.post(ev.MuteToggled())
    box.until(lambda: bool(box.kept.get(MUTED)) is not bool(muted))
    assert not box.ears.attended
    box.loaded.set()
    box.until(lambda: box.service.state is becomes)


@pytest.mark.parametrize("muted", ["", "yes"])
def test_mute_that_is_asked_for_meanwhile_holds_once_they_are_there(start: Callable[..., Starting], muted: str) -> None:
    box = start(due_in_s=60, muted=muted)
    box.service.mute()
    assert box.service.muted(PATIENCE_S)
    assert (box.service.state, box.kept.get(MUTED)) == (State.STARTING, "yes")
    box.loaded.set()
    box.until(lambda: box.service.state is State.MUTED)
    assert not box.ears.attended


@pytest.mark.parametrize("error", [ModelDamaged("it is damaged", remedy="bring it"), RuntimeError("unforeseen")])
def test_what_loading_ends_in_ends_the_service(start: Callable[..., Starting], error: Exception) -> None:
    box = start(due_in_s=60, fails=error)
    box.loaded.set()
    box.until(lambda: box.ended)
    assert box.ended == [error]


def test_readyz_tells_when_the_next_timer_rings(start: Callable[..., Starting]) -> None:
    box = start(due_in_s=30)
    box.until(lambda: box.vitals.ready()[1]["next_ring_s"] is not None)
    told = box.vitals.ready()[1]
    assert isinstance(told["next_ring_s"], int)
    assert 28 <= told["next_ring_s"] <= 30
    assert told["state"] == "starting"
    box.timers.done(*box.timers.all())
    box.until(lambda: box.vitals.ready()[1]["next_ring_s"] is None)
