"""Button and light of a Raspberry Pi on gpiozero's mock pins, driving the real service; libgpiod's on a double."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gpiod
import pytest
from gpiod.line import Value
from gpiozero.pins.mock import MockFactory, MockPWMPin

from appliance import events as ev
from appliance.body.gpio import GpioButton, GpioLight
from appliance.body.gpiochip import ChipButton, ChipLight
from appliance.body.presses import HOLDS, Presses
from appliance.build import pins
from appliance.build.simulation import Simulation
from appliance.errors import DeviceMissing, NotErased
from appliance.service import loop
from appliance.service.light import BLUE, GREEN, ORANGE, RED, VIOLET, WHITE, YELLOW
from appliance.service.muting import MUTED
from appliance.service.states import TOLD, State
from appliance.settings import Body
from appliance.simulated import MemoryValues
from appliance.wording import said

PATIENCE_S = 10.0
PACE = 10
"""Times faster than a hand."""
QUICK = tuple(replace(hold, after_s=hold.after_s / PACE) for hold in HOLDS)
RGB = ["GPIO22", "GPIO23", "GPIO24"]


def until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.005)


class PinnedBox:
    """The service with mock pins: a finger on GPIO17, an RGB LED on 22 to 24."""

    def __init__(self, kept: MemoryValues | None = None) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.erased, self.left = False, ""
        self.kept = kept or MemoryValues()
        light = GpioLight(RGB, active_high=True, factory=self.factory)
        self.box = Simulation(light, self.kept, self._erase, pace_s=0.2)
        self.button = GpioButton("GPIO17", pull_up=True, factory=self.factory)
        self._finger = self.factory.pin("GPIO17")
        self._leds = [self.factory.pin(name) for name in RGB]

    def _erase(self) -> None:
        self.erased = True
        if self.left:
            raise NotErased(f"not erased: {self.left}", remedy="remove it by hand")

    @property
    def state(self) -> State:
        return self.box.service.state

    @property
    def lit(self) -> tuple[float, ...]:
        return tuple(pin.state for pin in self._leds)

    def down(self) -> None:
        self._finger.drive_low()

    def up(self) -> None:
        self._finger.drive_high()

    def press(self) -> None:
        self.down()
        self.up()


@pytest.fixture
def pinned() -> Iterator[PinnedBox]:
    made = PinnedBox()
    with made.box.running() as service, Presses(service.post, QUICK) as presses:
        made.button.listen(presses.changed)
        until(lambda: made.box.microphone.opened)
        yield made
    made.button.close()
    made.button.close()
    assert made.lit == (0, 0, 0), "dark at the end"


def press_twice(pinned: PinnedBox) -> None:
    """Talk, and stop: a button that was felt."""
    for state in (State.LISTENING, State.IDLE):
        pinned.press()
        until(lambda state=state: pinned.state is state)  # type: ignore[misc]


def test_press_talks_and_a_press_stops(pinned: PinnedBox) -> None:
    pinned.press()
    until(lambda: pinned.state is State.LISTENING)
    until(lambda: pinned.lit == BLUE)
    pinned.press()
    until(lambda: pinned.state is State.IDLE)
    assert max(pinned.lit) == pytest.approx(0.1)


def test_hold_mutes_and_a_second_hold_opens_again(pinned: PinnedBox) -> None:
    for state, opened in ((State.MUTED, False), (State.IDLE, True)):
        pinned.down()
        until(lambda state=state: pinned.state is state)  # type: ignore[misc]
        pinned.up()
        until(lambda opened=opened: pinned.box.microphone.opened is opened)  # type: ignore[misc]
        assert bool(pinned.kept.get(MUTED)) is not opened
    pinned.press()
    until(lambda: pinned.state is State.LISTENING)


def test_long_hold_warns_and_letting_go_keeps_everything(pinned: PinnedBox) -> None:
    press_twice(pinned)
    pinned.down()
    until(lambda: pinned.state is State.RESETTING)
    until(lambda: pinned.lit == RED)
    assert not pinned.box.microphone.opened
    pinned.up()
    until(lambda: pinned.state is State.MUTED)
    until(lambda: pinned.box.voice.told == [said(TOLD[ev.ResetWarned]), said(TOLD[ev.ResetCancelled])])
    assert not pinned.erased
    assert not pinned.box.service.closing


def test_hold_to_the_end_erases_and_ends_the_service(pinned: PinnedBox) -> None:
    press_twice(pinned)
    pinned.down()
    until(lambda: pinned.box.service.closing)
    assert pinned.erased
    assert not pinned.box.microphone.opened


def test_hold_of_what_was_never_pressed_shortly_erases_nothing_and_says_so(pinned: PinnedBox) -> None:
    pinned.down()
    until(lambda: pinned.box.voice.told == [said(TOLD[ev.ResetRefused])])
    time.sleep(0.3)
    assert (pinned.state, pinned.erased) == (State.MUTED, False)
    pinned.up()


def test_what_was_not_erased_is_told_before_the_service_ends(
    pinned: PinnedBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "TELLING_S", 0.3)
    pinned.left = "appliance.db"
    press_twice(pinned)
    pinned.down()
    until(lambda: said(NotErased.sentence) in pinned.box.voice.told)
    pinned.up()
    until(lambda: pinned.box.service.closing)
    assert pinned.state is State.RESETTING
    assert said(TOLD[ev.ResetCancelled]) not in pinned.box.voice.told


def test_every_state_is_seen_on_the_pins(pinned: PinnedBox) -> None:
    """Hue by hue: a whole turn, a timer, an unplugged microphone."""
    world = pinned.box.world(lambda down: pinned.down() if down else pinned.up())

    def shows(colour: tuple[float, float, float]) -> bool:
        lit = pinned.lit
        return max(lit) > 0.05 and [part / max(lit) for part in lit] == pytest.approx(colour, abs=0.02)

    until(lambda: shows(WHITE))
    world.wake()
    until(lambda: shows(BLUE))
    world.speak()
    for colour in (VIOLET, GREEN):
        until(lambda colour=colour: shows(colour))  # type: ignore[misc]
    until(lambda: pinned.state is State.FOLLOW_UP)
    until(lambda: shows((0, 1, 1)))
    world.say_nothing()
    world.time_out()
    until(lambda: shows(YELLOW))
    world.tap()
    until(lambda: pinned.state is State.IDLE)
    world.plug()
    until(lambda: shows(ORANGE))
    world.plug()
    until(lambda: shows(WHITE))


def test_muted_box_starts_muted_and_never_opens_the_microphone() -> None:
    kept = MemoryValues()
    kept.set(MUTED, "yes")
    again = PinnedBox(kept)
    opened = []
    again.box.microphone.open = lambda: opened.append(True)  # type: ignore[method-assign]
    with again.box.running():
        until(lambda: again.state is State.MUTED)
        time.sleep(0.7)
        assert again.lit[1:] == (0, 0), "nothing but red"
    assert not opened


def test_what_breaks_in_the_loop_is_a_fault_that_is_seen_and_passes(
    pinned: PinnedBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[State] = []

    def broken(event: ev.Event, state: State) -> None:
        pinned.box.light.watch(event, state)
        if seen or isinstance(event, ev.WakeHeard):  # one of the start may still be on its way
            seen.append(state)
        if isinstance(event, ev.WakeHeard):
            raise RuntimeError("boom")

    monkeypatch.setattr(pinned.box.service, "_watch", broken)
    pinned.box.service.post(ev.WakeHeard())
    until(lambda: seen == [State.LISTENING, State.FAULTED, State.IDLE])
    assert pinned.box.microphone.opened


def test_crash_of_the_loop_leaves_a_closed_microphone_and_a_dark_light() -> None:
    made = PinnedBox()

    def broken(event: ev.Event, state: State) -> None:
        if not isinstance(event, ev.Started):
            raise RuntimeError("boom")
        made.box.light.watch(event, state)

    made.box.service._watch = broken
    made.box.service.post(ev.WakeHeard())
    with made.box.light, pytest.raises(RuntimeError, match="boom"):
        made.box.service.run()
    assert not made.box.microphone.opened
    assert made.lit == (0, 0, 0)


def test_crash_of_the_ears_is_a_fault_that_is_seen_and_mended(
    pinned: PinnedBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(frame: object) -> list[ev.Event]:
        raise RuntimeError("boom")

    with monkeypatch.context() as patch:
        patch.setattr(pinned.box.ears, "feed", broken)
        until(lambda: pinned.state is State.FAULTED)
        until(lambda: not pinned.box.microphone.opened and pinned.lit == (0, 0, 0))
    until(lambda: pinned.state is State.IDLE and pinned.box.microphone.opened)


def test_single_led_shows_the_brightest_colour() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    light = GpioLight(["GPIO22"], active_high=False, factory=factory)
    light.set(0.2, 0.7, 0)
    assert factory.pin("GPIO22").state == pytest.approx(0.3)  # low is lit
    light.close()
    light.close()


def test_pin_that_cannot_be_used_is_named() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    taken = GpioLight(["GPIO22"], active_high=True, factory=factory)
    with pytest.raises(DeviceMissing, match=r"GPIO22.*in the table"):
        GpioButton("GPIO22", pull_up=True, factory=factory)
    with pytest.raises(DeviceMissing, match="GPIO99"):
        GpioLight(["GPIO23", "GPIO24", "GPIO99"], active_high=True, factory=factory)
    taken.close()
    GpioLight(["GPIO22", "GPIO23", "GPIO24"], active_high=True, factory=factory).close()


@pytest.mark.parametrize("kind", ["gpiozero", "gpiochip"])
def test_without_pins_there_is_one_warning_and_a_box_that_works(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    body = Body.model_validate({"pins": kind, "chip": str(tmp_path), "button_pin": "GPIO17", "light_pins": RGB})
    with caplog.at_level(logging.WARNING), pins.opened(body, tmp_path) as (light, button):
        box = Simulation(light, pace_s=0.1)
        with box.running() as service:
            button.listen(lambda down: None)
            service.post(ev.WakeHeard())
            until(lambda: service.state is State.LISTENING)
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@dataclass
class FakeRequest:
    """What gpiod.request_lines gives: `lit`, and edges that the test writes."""

    config: dict[Any, Any]

    def __post_init__(self) -> None:
        self.fd, self._edges = os.pipe()
        self.lit: dict[int | str, Value] = {}
        self._held = True

    def __bool__(self) -> bool:
        return self._held

    def set_values(self, values: dict[int | str, Value]) -> None:
        self.lit |= values

    def edge(self, rising: bool) -> None:
        os.write(self._edges, b"r" if rising else b"f")

    def read_edge_events(self) -> list[Any]:
        kinds = {ord("r"): gpiod.EdgeEvent.Type.RISING_EDGE, ord("f"): gpiod.EdgeEvent.Type.FALLING_EDGE}
        return [FakeEdge(kinds[each]) for each in os.read(self.fd, 16)]

    def release(self) -> None:
        self._held = False


@dataclass
class FakeEdge:
    event_type: gpiod.EdgeEvent.Type
    Type = gpiod.EdgeEvent.Type


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[FakeRequest]:
    made: list[FakeRequest] = []

    def request(chip: str, config: dict[Any, Any], consumer: str) -> FakeRequest:
        made.append(FakeRequest(config))
        return made[-1]

    monkeypatch.setattr(gpiod, "request_lines", request)
    return made


def test_lines_of_a_jetson_keep_the_colour_and_are_lit_however_dim(requests: list[FakeRequest]) -> None:
    light = ChipLight("/dev/gpiochip0", ["PN.01", "PY.04", "125"], active_high=True)
    for colour, lit in ((WHITE, "111"), (BLUE, "001"), (VIOLET, "101"), (GREEN, "010"), (YELLOW, "110"), (RED, "100")):
        light.set(*(0.1 * part for part in colour))
        assert [bool(value) for value in requests[0].lit.values()] == [each == "1" for each in lit]
    assert list(requests[0].lit) == ["PN.01", "PY.04", 125]
    light.close()
    light.close()
    assert not any(requests[0].lit.values())


def test_button_of_a_jetson_tells_its_edges(requests: list[FakeRequest]) -> None:
    changes = list[bool]()
    button = ChipButton("/dev/gpiochip0", "PQ.05", pull_up=True)
    assert requests[0].config["PQ.05"].active_low, "down is ground"
    button.listen(changes.append)
    for rising in (True, False):
        requests[0].edge(rising)
    until(lambda: changes == [True, False])
    button.close()
    button.close()
