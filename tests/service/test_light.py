"""The light: what holds for the whole table, on every event, and when something breaks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product
from threading import Event, Thread

import pytest

from appliance import events as ev
from appliance.errors import DeviceMissing
from appliance.service.light import (
    FAINT,
    PAIRING,
    PATTERNS,
    PRIVATE,
    STILL_OPEN,
    TICK_S,
    Colour,
    LitMicrophone,
    Pattern,
    StateLight,
)
from appliance.service.states import QUIET, TABLE, State, next_step
from appliance.simulated import DeadMicrophone, SeenLight

MICROPHONE = (False, True)


def is_of(colour: Colour, pattern: Pattern) -> bool:
    """Whether the pattern may look like that at some moment."""
    level = max(colour) / max(pattern.colour)
    within = min(pattern.levels) <= level + 1e-6 and level <= max(pattern.levels) + 1e-6
    return within and colour == pytest.approx([part * level for part in pattern.colour])


def a_while_of(pattern: Pattern) -> list[Colour]:
    """Every tick of two rounds."""
    length_s = 2 * len(pattern.levels) * pattern.step_s
    return [pattern.at(tick * TICK_S) for tick in range(round(length_s / TICK_S) + 1)]


@pytest.fixture
def lamp() -> SeenLight:
    return SeenLight()


@pytest.fixture
def light(lamp: SeenLight) -> Iterator[StateLight]:
    with StateLight(lamp) as light:
        yield light


def test_every_state_has_a_light() -> None:
    assert set(PATTERNS) == set(State)


@pytest.mark.parametrize("state", State)
def test_it_is_never_dark_while_the_microphone_is_open(state: State) -> None:
    assert all(max(colour) >= 0.1 for colour in a_while_of(PATTERNS[state].open))


@pytest.mark.parametrize("state", State)
def test_with_a_closed_microphone_it_goes_dark_again_and_again_and_is_still_seen(state: State) -> None:
    shown = a_while_of(PATTERNS[state].closed)
    assert min(map(max, shown)) < 0.05
    assert max(map(max, shown)) >= 0.1


def test_no_two_states_look_the_same() -> None:
    closed = [look.closed for look in PATTERNS.values()]
    open_ = [look.open for look in PATTERNS.values() if look.open is not STILL_OPEN]
    assert len(closed) == len(set(closed)) == len(State)
    assert len(open_) == len(set(open_)) == len(State) - 2


def test_a_glide_passes_through_the_middle() -> None:
    assert Pattern((1, 0.5, 0), (0.0, 1.0), 2.0, smooth=True).at(1.0) == (0.5, 0.25, 0)


@pytest.mark.parametrize(("pair", "open_"), list(product(TABLE, MICROPHONE)), ids=str)
def test_every_event_in_every_state_shows_the_state_it_leads_to(
    pair: tuple[State, type[ev.Event]], open_: bool, lamp: SeenLight
) -> None:
    before, kind = pair
    step = next_step(before, kind())
    assert step is not None
    with StateLight(lamp) as light:
        light.hears(open_)
        light.watch(ev.Started(), before)
        light.watch(kind(), step[0])
        look = PATTERNS[step[0]]
        assert is_of(lamp.shown[-1], look.open if open_ else look.closed)
        assert not (open_ and lamp.dark)
        light.hears(False)


def test_what_ails_a_box_that_listens_is_seen_while_it_rests_and_only_then(light: StateLight, lamp: SeenLight) -> None:
    light.hears(True)
    light.watch(ev.Started(), State.IDLE)
    light.ails(True)
    assert is_of(lamp.shown[-1], PATTERNS[State.FAULTED].open)
    light.watch(ev.WakeHeard(), State.LISTENING)
    assert is_of(lamp.shown[-1], PATTERNS[State.LISTENING].open)
    light.watch(ev.NothingHeard(), State.IDLE)
    light.ails(False)
    assert is_of(lamp.shown[-1], PATTERNS[State.IDLE].open)


@pytest.mark.parametrize("state", State)
def test_that_a_device_may_come_in_is_seen_while_nobody_is_served(
    light: StateLight, lamp: SeenLight, state: State
) -> None:
    assert PAIRING.open not in [look.open for look in PATTERNS.values()]
    assert PAIRING.closed not in [look.closed for look in PATTERNS.values()]
    assert min(map(max, a_while_of(PAIRING.open))) >= 0.1
    assert min(map(max, a_while_of(PAIRING.closed))) < 0.05
    light.watch(ev.Started(), state)
    for open_ in (True, False):
        light.hears(open_)
        light.pairs(True)
        look = PAIRING if state in QUIET else PATTERNS[state]
        assert is_of(lamp.shown[-1], look.open if open_ else look.closed)
        light.pairs(False)
        assert is_of(lamp.shown[-1], PATTERNS[state].open if open_ else PATTERNS[state].closed)


def test_private_mode_is_seen_while_it_rests_and_a_fault_before_it(light: StateLight, lamp: SeenLight) -> None:
    assert PRIVATE.open not in [look.open for look in PATTERNS.values()]
    assert min(map(max, a_while_of(PRIVATE.open))) >= 0.1
    light.hears(True)
    light.watch(ev.Started(), State.IDLE)
    light.private(True)
    flash = max(PRIVATE.open.at(9 * PRIVATE.open.step_s))
    ends_s = time.monotonic() + 10 * len(PRIVATE.open.levels) * PRIVATE.open.step_s
    while max(lamp.shown[-1]) < flash and time.monotonic() < ends_s:
        time.sleep(TICK_S)
    assert max(lamp.shown[-1]) == pytest.approx(flash), "no other look at rest is as bright"
    light.ails(True)
    assert is_of(lamp.shown[-1], PATTERNS[State.FAULTED].open)
    light.ails(False)
    light.watch(ev.WakeHeard(), State.LISTENING)
    assert is_of(lamp.shown[-1], PATTERNS[State.LISTENING].open)
    light.watch(ev.NothingHeard(), State.IDLE)
    light.private(False)
    assert is_of(lamp.shown[-1], PATTERNS[State.IDLE].open)


class HeldLight(SeenLight):
    """A lamp that is slow to change, while it is not `free`."""

    def __init__(self) -> None:
        super().__init__()
        self.free, self.waits = Event(), Event()
        self.free.set()

    def set(self, red: float, green: float, blue: float) -> None:
        if not self.free.is_set():
            self.waits.set()
        self.free.wait(5)
        super().set(red, green, blue)


@pytest.mark.parametrize("ears_first", [True, False])
def test_state_and_microphone_that_change_at_once_are_both_kept(ears_first: bool) -> None:
    lamp = HeldLight()
    with StateLight(lamp) as light:
        lamp.free.clear()
        assert lamp.waits.wait(5)
        ears = Thread(target=light.hears, args=[True])
        loop = Thread(target=light.watch, args=[ev.MuteToggled(), State.MUTED])
        for thread in (ears, loop) if ears_first else (loop, ears):
            thread.start()
            time.sleep(0.05)  # until it waits for the lamp
        lamp.free.set()
        ears.join()
        loop.join()
        assert (light.open, light.state) == (True, State.MUTED)
        light.hears(False)


def test_patterns_move_by_themselves(light: StateLight, lamp: SeenLight) -> None:
    light.watch(ev.ResetWarned(), State.RESETTING)
    begin_s = time.monotonic()
    while not {True, False} <= {not any(colour) for colour in lamp.shown[1:]}:
        assert time.monotonic() < begin_s + 5
        time.sleep(0.01)


def test_light_is_lit_before_the_microphone_opens_and_until_it_is_closed(light: StateLight, lamp: SeenLight) -> None:
    class Watched(DeadMicrophone):
        def open(self) -> None:
            seen.append(lamp.dark)
            super().open()

        def close(self) -> None:
            seen.append(lamp.dark)
            super().close()

    seen = list[bool]()
    for state in State:
        microphone = LitMicrophone(Watched(), light)
        light.watch(ev.Started(), state)
        microphone.open()
        assert is_of(lamp.shown[-1], PATTERNS[state].open)
        microphone.close()
        assert is_of(lamp.shown[-1], PATTERNS[state].closed)
    assert seen == [False] * 2 * len(State)


def test_microphone_that_does_not_open_is_shown_as_closed(light: StateLight, lamp: SeenLight) -> None:
    with pytest.raises(DeviceMissing):
        LitMicrophone(DeadMicrophone(misses=1), light).open()
    assert is_of(lamp.shown[-1], PATTERNS[State.STARTING].closed)


def test_lamp_that_breaks_costs_one_warning(
    light: StateLight, lamp: SeenLight, caplog: pytest.LogCaptureFixture
) -> None:
    lamp.broken = DeviceMissing("the light is gone", remedy="see to it")
    for state in (State.LISTENING, State.THINKING, State.IDLE):
        light.watch(ev.Started(), state)
    assert [record.message for record in caplog.records] == ["the light is gone; see to it; going on without a light"]


def test_the_end_is_dark_unless_the_microphone_would_not_close(lamp: SeenLight) -> None:
    stuck = SeenLight()
    with StateLight(lamp), StateLight(stuck) as light:
        light.hears(True)
    assert lamp.closed
    assert not stuck.dark


def test_a_light_is_dimmed_and_its_patterns_stay(light: StateLight, lamp: SeenLight) -> None:
    light.watch(ev.WakeHeard(), State.LISTENING)
    light.hears(True)
    light.dim(0.5)
    assert lamp.shown[-1] == pytest.approx([part / 2 for part in PATTERNS[State.LISTENING].open.colour])


def test_where_it_is_to_be_dark_at_rest_it_is_lit_faintly_while_somebody_is_served() -> None:
    lamp = SeenLight()
    with StateLight(lamp, 0) as light:
        light.hears(True)
        for state in State:
            light.watch(ev.Started(), state)
            assert lamp.dark is (state in QUIET)
            assert max(lamp.shown[-1]) <= FAINT
        light.dim(1)
        light.watch(ev.Started(), State.IDLE)
        assert not lamp.dark
        light.hears(False)


def test_at_rest_nothing_is_done_at_all(light: StateLight, lamp: SeenLight) -> None:
    light.hears(True)
    light.watch(ev.Started(), State.IDLE)
    before = len(lamp.shown)
    assert PATTERNS[State.IDLE].open.still_s(3.3) is None
    time.sleep(10 * TICK_S)
    assert len(lamp.shown) <= before + 1, "the thread may have been on its way"
    for state in (State.MUTED, State.RINGING):
        pattern = PATTERNS[state].closed
        wait_s = pattern.still_s(0.0)
        assert wait_s == pattern.step_s
        assert pattern.at(0.0) == pattern.at(wait_s - 0.001)
