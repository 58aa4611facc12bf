"""What is made of a button that goes down and up."""

from __future__ import annotations

import time
from dataclasses import replace
from queue import Empty, SimpleQueue

import pytest

from appliance import events as ev
from appliance.body.presses import HOLDS, Presses

PACE = 20
"""Times faster than a hand."""
QUICK = tuple(replace(hold, after_s=hold.after_s / PACE) for hold in HOLDS)

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


def test_release_alone_means_nothing_and_the_end_while_it_is_down_erases_nothing() -> None:
    posted = SimpleQueue[ev.Event]()
    with Presses(posted.put, QUICK) as presses:
        presses.changed(False)
        presses.changed(True)
    time.sleep(24 / PACE)
    assert events(posted) == []
