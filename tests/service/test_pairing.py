"""A device that is let in by the button: while it is open, once, when its name was said, and not against a press."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

import pytest

from appliance import events as ev
from appliance.ports.refusals import Refused
from appliance.service.pairing import CLOSES, OPEN_S, ButtonPairing
from appliance.service.states import State
from appliance.wording import said

PATIENCE_S = 10.0


class Door:
    """`while_saying` is done while the box says a name."""

    def __init__(self, language: str = "en") -> None:
        self.now_s, self.said, self.heard = 0.0, list[str](), True
        self.while_saying: Callable[[], None] = lambda: None
        self.pairing = ButtonPairing(self._aloud, language, lambda: self.now_s)

    def happens(self, event: ev.Event) -> None:
        self.pairing.watch(event, State.IDLE)

    def _aloud(self, text: str) -> bool:
        self.said.append(text)
        self.while_saying()
        return self.heard

    def refused(self, name: str = "tablet") -> str:
        with pytest.raises(Refused) as caught:
            self.pairing.admit(name, refuse_s=0)
        assert caught.value.remedy
        return caught.value.kind


@pytest.fixture
def door() -> Door:
    return Door()


def test_nobody_is_let_in_and_nothing_said_while_it_is_not_open(door: Door) -> None:
    assert (door.refused(), door.said) == ("not_allowed", [])


def test_one_device_is_let_in_once_its_name_was_said(door: Door) -> None:
    door.happens(ev.PairingAsked())
    assert door.pairing.open
    door.pairing.admit("kitchen-tablet.2", refuse_s=0)
    [sentence] = door.said
    assert "kitchen tablet 2" in sentence
    assert not door.pairing.open
    assert door.refused("another") == "not_allowed"
    assert len(door.said) == 1


def test_it_is_said_in_the_language_of_the_box() -> None:
    door = Door("de")
    door.happens(ev.PairingAsked())
    door.pairing.admit("tablet", refuse_s=0)
    assert door.said[0].startswith("Dieses Gerät kommt herein: tablet.")


def test_it_ends_after_two_minutes(door: Door) -> None:
    door.happens(ev.PairingAsked())
    door.now_s = OPEN_S - 0.1
    assert door.pairing.open
    door.now_s = OPEN_S
    assert (door.pairing.open, door.refused()) == (False, "not_allowed")


@pytest.mark.parametrize("event", [kind() for kind in CLOSES])
def test_whatever_else_the_button_does_ends_it(door: Door, event: ev.Event) -> None:
    door.happens(ev.PairingAsked())
    door.happens(event)
    assert (door.pairing.open, door.refused(), door.said) == (False, "not_allowed", [])


def test_a_press_turns_away_whose_name_was_said(door: Door) -> None:
    door.happens(ev.PairingAsked())
    door.while_saying = lambda: door.happens(ev.ButtonPressed())
    assert door.refused() == "not_allowed"
    door.happens(ev.PairingAsked())
    door.while_saying = lambda: None
    door.pairing.admit("tablet", refuse_s=0)


def test_a_press_after_the_name_turns_it_away_as_well(door: Door) -> None:
    door.happens(ev.PairingAsked())
    said, refusals = Event(), list[str]()
    door.while_saying = said.set

    def ask() -> None:
        try:
            door.pairing.admit("tablet", refuse_s=PATIENCE_S)
        except Refused as refused:
            refusals.append(refused.kind)

    asking = Thread(target=ask)
    asking.start()
    assert said.wait(PATIENCE_S)
    door.happens(ev.ButtonPressed())
    asking.join(PATIENCE_S)
    assert refusals == ["not_allowed"]


def test_who_was_not_said_to_the_end_is_not_let_in(door: Door) -> None:
    door.happens(ev.PairingAsked())
    door.heard = False
    assert door.refused() == "not_allowed"


def test_of_two_that_ask_at_once_neither_is_let_in_and_it_is_said(door: Door) -> None:
    door.happens(ev.PairingAsked())
    others = list[str]()

    def ask() -> None:
        if door.said[1:]:
            return
        assert door.pairing.asks
        others.append(door.refused("other"))

    door.while_saying = ask
    assert door.refused("tablet") == "not_allowed"
    assert (others, door.pairing.open, door.pairing.asks) == (["not_allowed"], False, False)
    assert door.said[1:] == [said("pairing_two", "en")]
    door.while_saying = lambda: None
    door.happens(ev.PairingAsked())
    door.pairing.admit("tablet", refuse_s=0)
