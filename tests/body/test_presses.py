"""What is made of a button that goes down and up."""

from __future__ import annotations

import time
from dataclasses import replace
from queue import Empty, SimpleQueue

import pytest

from appliance import events as ev
from appliance.body.presses import AGAIN_S, HOLDS, SECOND, Presses

PACE = 20
"""Times faster than a hand."""
QUICK = tuple(replace(hold, after_s=hold.after_s / PACE) for hold in HOLDS)

SECOND_QUICK = tuple(replace(hold, after_s=hold.after_s / PACE) for hold in SECOND)

MUTE, WARN, CANCEL, ERASE = ev.MuteToggled, ev.ResetWarned, ev.ResetCancelled, ev.ResetConfirmed
REFUSE = ev.ResetRefused


def events(posted: SimpleQueue[ev.Event]) -> list[type[ev.Event]]:
    found = []
    while True:
        try:
            found.append(type(posted.get_nowait()))
        except Empty:
            return found


def test_times_are_those_of_the_specification() -> None:
    assert [hold.after_s for hold in HOLDS if hold.felt is not False] == [0, 1.5, 10, 22]


def press(presses: Presses, held_s: float) -> None:
    """As a hand that holds the button for so long would."""
    presses.changed(True)
    time.sleep(held_s / PACE)
    presses.changed(False)
    time.sleep(0.05)


@pytest.mark.parametrize(
    ("held_s", "meant"),
    [(0.2, [ev.ButtonPressed]), (4, [MUTE]), (16, [MUTE, WARN, CANCEL]), (24, [MUTE, WARN, ERASE])],
)
def test_press(held_s: float, meant: list[type[ev.Event]]) -> None:
    posted = SimpleQueue[ev.Event]()
    with Presses(posted.put, QUICK) as presses:
        press(presses, 0.2)
        assert events(posted) == [ev.ButtonPressed]
        press(presses, held_s)
        assert events(posted) == meant
        presses.changed(True)
        presses.changed(True)
        presses.changed(False)
        time.sleep(0.05)
        assert events(posted) == [ev.ButtonPressed], "the next press begins anew"


def test_line_that_goes_low_once_and_stays_erases_nothing() -> None:
    """As the interrupt line of a sound card on the button's pin does, or a loose wire: nobody ever pressed that."""
    posted = SimpleQueue[ev.Event]()
    with Presses(posted.put, QUICK) as presses:
        presses.changed(True)
        time.sleep(24 / PACE)
        assert events(posted) == [MUTE, REFUSE]
        presses.changed(False)
        press(presses, 24)
        assert events(posted) == [MUTE, REFUSE], "a long press is no short one"
        press(presses, 0.2)
        press(presses, 24)
        assert events(posted) == [ev.ButtonPressed, MUTE, WARN, ERASE]


@pytest.mark.parametrize(
    ("held_s", "meant"), [(0.2, [ev.ButtonPressed]), (1.6, [ev.ButtonPressed]), (3, [ev.PairingAsked])]
)
def test_a_second_press_at_once_lets_devices_in(held_s: float, meant: list[type[ev.Event]]) -> None:
    posted = SimpleQueue[ev.Event]()
    with Presses(posted.put, QUICK, SECOND_QUICK) as presses:
        press(presses, 0.2)
        press(presses, held_s)
        assert events(posted) == [ev.ButtonPressed, *meant]


def test_a_second_press_never_mutes_nor_erases_however_long_it_is_held() -> None:
    assert {hold.reached for hold in SECOND} == {None, ev.PairingAsked}
    posted = SimpleQueue[ev.Event]()
    with Presses(posted.put, QUICK, SECOND_QUICK) as presses:
        press(presses, 0.2)
        press(presses, 40)
        assert events(posted) == [ev.ButtonPressed, ev.PairingAsked]
        press(presses, 4)
        assert events(posted) == [MUTE], "the next press is a first one"


def test_a_press_that_is_no_second_one_means_what_it_always_does() -> None:
    posted = SimpleQueue[ev.Event]()
    with Presses(posted.put, QUICK, SECOND_QUICK) as presses:
        press(presses, 0.2)
        time.sleep(AGAIN_S)
        press(presses, 16)
        assert events(posted) == [ev.ButtonPressed, MUTE, WARN, CANCEL]
    with Presses(posted.put, QUICK) as presses:  # a box without a hub
        press(presses, 0.2)
        press(presses, 4)
        assert events(posted) == [ev.ButtonPressed, MUTE]


def test_release_alone_means_nothing_and_the_end_while_it_is_down_erases_nothing() -> None:
    posted = SimpleQueue[ev.Event]()
    with Presses(posted.put, QUICK) as presses:
        presses.changed(False)
        presses.changed(True)
    time.sleep(24 / PACE)
    assert events(posted) == []
