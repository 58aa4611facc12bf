"""What words do to a call, and which of them are written down at all."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from test_calls import CALL, Box

from appliance import events as ev
from appliance.audio import RATE_HZ, Stale, Utterance, silence
from appliance.errors import Cancelled
from appliance.ports import Attention, CallOrder
from appliance.service.call_turns import CallTurns
from appliance.service.calls import Over, Phase
from appliance.service.states import Action, State
from appliance.simulated import SlowVoice

LONGEST_S = 2.0
MEANT: dict[str, CallOrder] = {"yes": "take", "no": "refuse", "stop": "end"}


class Room:
    """A call's turns, where somebody writes down what the test says was heard."""

    def __init__(self, box: Box) -> None:
        self.box, self.written, self.told = box, list[Future[str]](), list[str]()
        self.attended = list[tuple[Attention, float | None]]()
        self.turns = CallTurns(
            box.calls, SlowVoice(0), lambda pieces, stale, started: True,
            lambda attention, turn, window_s: self.attended.append((attention, window_s)), self, MEANT.get,
            LONGEST_S, "en",
        )  # fmt: skip

    def write_down(self, utterance: Utterance, stale: Stale) -> Future[str]:
        self.written.append(Future())
        return self.written[-1]

    def tell(self, sentence: str, stale: Stale) -> None:
        self.told.append(sentence)

    def hears(self, kind: type[ev.UtteranceEnded | ev.Overheard], words: str, seconds: float = 1.0) -> None:
        self.turns.do(Action.CHECK_CALL, kind(1, Utterance(silence(seconds))), 1, lambda: False)
        if self.written and not self.written[-1].done():
            self.written[-1].set_result(words)


def rung() -> Room:
    box = Box()
    box.calls.take(CALL, "hall")
    box.rounds()
    assert box.is_in(State.CALLED)
    return Room(box)


@pytest.mark.parametrize("kind", [ev.UtteranceEnded, ev.Overheard])
def test_yes_takes_it_and_no_refuses(kind: type[ev.UtteranceEnded | ev.Overheard]) -> None:
    room = rung()
    room.hears(kind, "yes")
    assert room.box.kinds == ["took"]
    room = rung()
    room.hears(kind, "no")
    assert room.box.sent[-1] == ("ended", "declined")
    room.box.rounds()
    room.turns.each_round(room.box.state)
    assert room.told == ["I have told hall that you do not take the call."]


@pytest.mark.parametrize("words", ["", "what a day", "okay"])
def test_what_is_no_answer_has_it_said_again_who_calls(words: str) -> None:
    room, events = rung(), list[ev.Event]()
    room.box.calls.post = events.append
    room.hears(ev.UtteranceEnded, words)
    assert events == [ev.CallCame(1)]
    room.hears(ev.Overheard, words)
    assert events == [ev.CallCame(1)], "it is being said"
    assert room.box.kinds == []


def test_a_transcript_that_was_given_up_takes_nothing() -> None:
    room = rung()
    room.turns.do(Action.CHECK_CALL, ev.Overheard(1, Utterance(silence(1))), 1, lambda: False)
    room.written[-1].set_exception(Cancelled())
    assert room.box.kinds == []


def test_a_yes_that_comes_late_takes_no_other_call() -> None:
    room = rung()
    room.turns.do(Action.CHECK_CALL, ev.UtteranceEnded(1, Utterance(silence(1))), 1, lambda: False)
    room.box.calls.hear(CALL, "ended", why="hung_up")
    room.box.rounds()
    assert room.box.calls.take("cd" * 16, "den") == "rings"
    room.written[-1].set_result("yes")
    assert room.box.kinds == []
    assert room.box.calls.now
    assert room.box.calls.now.phase is Phase.HERE


@pytest.mark.parametrize("kind", [ev.UtteranceEnded, ev.Overheard])
def test_stop_ends_it_and_nothing_else_does(kind: type[ev.UtteranceEnded | ev.Overheard]) -> None:
    room = Room(Box().talks())
    for words in ("yes", "no", "dinner", ""):
        room.hears(kind, words)
        assert room.box.calls.now
    room.hears(kind, "stop")
    assert room.box.sent[-1] == ("ended", "hung_up")


def test_of_a_call_only_what_is_short_is_written_down() -> None:
    room = Room(Box().talks())
    room.hears(ev.UtteranceEnded, "stop", LONGEST_S + 1 / RATE_HZ)
    assert (room.written, room.box.kinds) == ([], ["took"])
    room.hears(ev.UtteranceEnded, "stop", LONGEST_S)
    assert len(room.written) == 1


def test_what_sounds_like_stop_may_be_the_other_ends_voice() -> None:
    room = Room(Box().talks())
    room.turns.do(Action.CHECK_CALL, ev.StopSounded(1, sure=True), 1, lambda: False)
    assert room.box.calls.now
    assert room.written == []


def test_a_sure_stop_ends_what_nobody_has_answered() -> None:
    room = rung()
    room.turns.do(Action.CHECK_CALL, ev.StopSounded(1, sure=False), 1, lambda: False)
    assert room.box.calls.now
    room.turns.do(Action.CHECK_CALL, ev.StopSounded(1, sure=True), 1, lambda: False)
    assert room.box.sent[-1] == ("ended", "declined")
    room = Room(Box())
    assert room.box.calls.ring("hall") == "rings"
    room.box.rounds()
    assert room.box.is_in(State.CALLING)
    room.turns.do(Action.CHECK_CALL, ev.StopSounded(1, sure=True), 1, lambda: False)
    assert room.box.sent[-1] == ("ended", "hung_up")


class Emptied(list[Over]):
    """Another thread empties it after somebody looked whether anything is in it."""

    def __bool__(self) -> bool:
        return True


def test_an_end_that_is_told_in_another_way_meanwhile_breaks_nothing() -> None:
    room = rung()
    room.box.calls.over = Emptied()
    room.turns.each_round(State.IDLE)
    assert room.told == []


def test_it_is_listened_for_an_answer_then_for_a_minute_at_a_time() -> None:
    room = rung()
    for action in (Action.AWAIT_ANSWER, Action.AWAIT_CALLED_ANSWER, Action.AWAIT_TALK):
        room.turns.do(action, ev.Event(), 1, lambda: False)
    assert room.attended == [(Attention.FOLLOW_UP, 8.0), (Attention.COMMAND, None), (Attention.TALK, 60.0)]
