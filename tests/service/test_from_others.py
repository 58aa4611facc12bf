"""What other boxes have this one say: at once, after a conversation, or not, and the answer is so."""

from __future__ import annotations

import pytest

from appliance.errors import CannotBeDone
from appliance.service.announcing import MOST_WAITING, FromOthers
from appliance.service.states import QUIET, State


class Box:
    def __init__(self, state: State = State.IDLE) -> None:
        self.state, self.why, self.said = state, "", list[str]()
        self.broken = False
        self.others = FromOthers(self._aloud, lambda: self.state, lambda anyway: "" if anyway else self.why, "en")

    def _aloud(self, text: str, anyway: bool = False) -> None:
        if self.broken:
            raise CannotBeDone("nobody hears it")
        self.said.append(text)


@pytest.mark.parametrize("state", QUIET)
def test_where_nobody_is_served_it_is_said_at_once(state: State) -> None:
    box = Box(state)
    assert (box.others("hall", "Dinner."), box.said) == ("said", ["Hall says: Dinner."])


@pytest.mark.parametrize("state", [State.LISTENING, State.THINKING, State.SPEAKING, State.FOLLOW_UP, State.RINGING])
def test_in_a_turn_it_waits_for_its_end(state: State) -> None:
    box = Box(state)
    assert box.others("hall", "Dinner.") == "later"
    assert box.others("hall", "Now.") == "later"
    box.others.each_round()
    assert box.said == []
    box.state = State.IDLE
    for _ in range(3):
        box.others.each_round()
    assert box.said == ["Hall says: Dinner.", "Hall says: Now."], "each once"


def test_more_than_a_few_do_not_wait() -> None:
    box = Box(State.LISTENING)
    answers = [box.others("hall", f"{number}.") for number in range(MOST_WAITING + 2)]
    assert answers == ["later"] * MOST_WAITING + ["not_now"] * 2


def test_what_keeps_it_in_is_told() -> None:
    box = Box()
    box.why = "quiet"
    assert (box.others("hall", "Dinner."), box.said) == ("quiet", [])
    assert (box.others("hall", "Dinner.", anyway=True), box.said) == ("said", ["Hall says: Dinner."])


def test_what_cannot_be_said_is_not_called_said() -> None:
    box = Box()
    box.broken = True
    assert box.others("hall", "Dinner.") == "not_now"
    assert Box(State.STARTING).others("hall", "Dinner.") == "not_now"
