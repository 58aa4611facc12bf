"""What must hold of a call whatever the other end, the bridge and the loop do: nobody is heard who has not said yes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance import events as ev
from appliance.audio import as_text
from appliance.service import calls as module
from appliance.service.boxes import OthersByBridge
from appliance.service.call_turns import sentence
from appliance.service.calls import Calls, Over, Phase
from appliance.service.states import IN_CALL, TABLE, Action, State, next_step
from appliance.simulated import CannedBridge

SOUND = np.arange(64, dtype=np.int16)
CALL = "ab" * 16


class Box:
    """Calls in a service whose loop does nothing but follow the table; `sent` is what goes to the other end."""

    def __init__(self, answer: str = "rings") -> None:
        self.state, self.now_s, self.why, self.asked = State.IDLE, 0.0, "", True
        self.sent, self._events = list[tuple[str, str]](), list[ev.Event]()
        self.calls, self._answer = Calls(self, lambda: self.now_s), answer
        self.calls.serve(self._events.append, lambda: self.state, lambda: self.why, lambda: not self.asked)

    def ring(self, box: str, call: str) -> str:
        """Of the link."""
        return self._answer

    def say(self, call: str, kind: str, **more: str) -> None:
        """Of the link."""
        self.sent.append((kind, more.get("why", "")))

    def happens(self, event: ev.Event) -> None:
        if step := next_step(self.state, event):
            self.state, actions = step
            if Action.HANG_UP in actions:
                self.calls.hang_up("hung_up")
            if Action.ACCEPT in actions:
                self.calls.accept(self.calls.now)
            if Action.PASS_ON in actions:
                self.calls.talk(SOUND)

    def rounds(self, count: int = 3) -> None:
        for _ in range(count):
            self.calls.each_round()
            events, self._events[:] = [*self._events], []
            for event in events:
                self.happens(event)

    def is_in(self, state: State) -> bool:
        return self.state is state

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.sent if kind != "alive"]

    def talks(self) -> Box:
        """A call that was taken here."""
        assert self.calls.take(CALL, "hall") == "rings"
        self.rounds()
        assert self.is_in(State.CALLED)
        self.happens(ev.ButtonPressed())
        self.rounds()
        self.happens(ev.CallQuiet())
        assert self.is_in(State.TALKING)
        return self


def test_sound_goes_out_only_while_somebody_talks_in_a_call_that_is_on() -> None:
    passes = [pair for pair, (_, actions) in TABLE.items() if Action.PASS_ON in actions]
    assert {state for state, _ in passes} == {State.TALKING}
    into = {state for (state, _), (after, _) in TABLE.items() if after is State.TALKING} - {State.TALKING}
    assert into == {State.PLAYING}
    begun = {event for (state, event), (after, _) in TABLE.items() if after is State.PLAYING and state not in IN_CALL}
    assert begun == {ev.CallBegan}


FAR = st.sampled_from(["take", "took", "sound", "spoke", "ended", "lose"])
ROOM = st.sampled_from([
    ev.WakeHeard, ev.NothingHeard, ev.CallTold, ev.CallQuiet, ev.TalkHeard, ev.UtteranceEnded, ev.Overheard,
    ev.CallBegan, ev.CallSounds, ev.CallMade, ev.CallCame, ev.MuteAsked, ev.MuteToggled, ev.PartLost, ev.PartRecovered,
    ev.NewsBegan, ev.StopHeard, ev.TimerRang,
])  # fmt: skip
Step = st.one_of(FAR, ROOM, st.sampled_from(["rounds", "talk"]))


@given(st.lists(Step, min_size=20, max_size=60))
def test_whatever_the_other_end_and_the_room_do_nobody_is_heard_without_a_yes(steps: list[Any]) -> None:
    """All that can happen but an order to call, a yes and the button."""
    box = Box()
    box.asked = False
    for step in steps:
        match step:
            case "take":
                box.calls.take(CALL, "hall")
            case "took" | "sound" | "spoke" | "ended":
                box.calls.hear(CALL, step, pcm=as_text(SOUND))
            case "lose":
                box.calls.lose()
            case "rounds":
                box.rounds()
            case "talk":
                box.calls.talk(SOUND)
            case _:
                box.happens(step())
        assert not {"sound", "took"} & set(box.kinds)


@pytest.mark.parametrize(("kind", "lost"), [("took", True), ("sound", True), ("alive", False), ("ended", False)])
def test_a_call_that_the_bridge_does_not_hold_is_lost(kind: str, lost: bool) -> None:
    bridge = CannedBridge({("boxes", "in_call"): False})
    with OthersByBridge(bridge) as others:
        calls = Calls(others)
        calls.serve(lambda event: None, lambda: State.IDLE, str, lambda: False)
        others.answer(calls)
        assert calls.take(CALL, "hall") == "rings"
        others.say("cd" * 16, kind)
        others.say(CALL, kind)
    assert [each["call"] for _, _, each in bridge.asked] == ["cd" * 16, CALL]
    assert [over.why for over in calls.over] == ["lost"] * lost


def test_who_calls_cannot_take_the_call_here() -> None:
    box = Box()
    box.calls.take(CALL, "hall")
    box.rounds()
    box.calls.hear(CALL, "took")
    box.rounds()
    box.calls.talk(SOUND)
    assert (box.state, box.kinds) == (State.CALLED, [])


def test_who_takes_it_is_heard_until_it_is_over() -> None:
    box = Box().talks()
    box.happens(ev.TalkHeard())
    assert box.kinds == ["took", "sound"]
    box.calls.hear(CALL, "ended", why="hung_up")
    box.happens(ev.TalkHeard())
    assert box.kinds == ["took", "sound"], "also before the loop knows of it"
    box.rounds()
    assert box.is_in(State.IDLE)


@pytest.mark.parametrize("event", [ev.MuteAsked(), ev.MuteToggled(), ev.PartLost(), ev.LoopBroke(), ev.ResetWarned()])
def test_whatever_closes_the_box_ends_the_call(event: ev.Event) -> None:
    box = Box().talks()
    box.happens(event)
    box.rounds()
    assert box.sent[-1] == ("ended", "muted" if box.state is State.MUTED else "lost")
    assert box.calls.now is None
    assert [over.here for over in box.calls.over] == [True]


@pytest.mark.parametrize("event", [ev.ButtonPressed(), ev.StopHeard(), ev.NothingHeard(), ev.PairingAsked()])
def test_stop_the_button_and_silence_hang_up(event: ev.Event) -> None:
    box = Box().talks()
    box.happens(event)
    box.rounds()
    assert (box.state, box.calls.now, box.kinds[-1]) == (State.IDLE, None, "ended")


@pytest.mark.parametrize("state", set(State) - {State.IDLE})
def test_only_a_box_at_rest_rings(state: State) -> None:
    box = Box()
    box.state = state
    answer = {State.MUTED: "muted"} | dict.fromkeys((State.STARTING, State.FAULTED, State.RESETTING), "not_now")
    assert box.calls.take(CALL, "hall") == answer.get(state, "busy")
    assert box.calls.now is None


def test_quiet_hours_and_a_call_that_is_on_keep_others_out() -> None:
    box = Box()
    box.why = "quiet"
    assert box.calls.take(CALL, "hall") == "quiet"
    box.why = ""
    assert box.talks().calls.take("cd" * 16, "den") == "busy"
    assert box.calls.ring("den") == "busy_here"


def test_who_is_called_by_nobody_here_does_not_ring() -> None:
    box = Box()
    box.asked = False
    assert (box.calls.ring("hall"), box.calls.now) == ("remote", None)


@pytest.mark.parametrize("answer", ["gone", "busy", "muted", "quiet", "stranger", "unknown"])
def test_a_box_that_does_not_ring_is_no_call(answer: str) -> None:
    box = Box(answer)
    assert (box.calls.ring("hall"), box.calls.now) == (answer, None)


class GivesUp(Box):
    """Whoever asked for the call is gone when the other box rings."""

    def ring(self, box: str, call: str) -> str:
        self.asked = False
        return super().ring(box, call)


def test_who_gave_up_while_it_was_asked_calls_nobody() -> None:
    box = GivesUp()
    assert box.calls.ring("hall") == "unknown"
    assert (box.calls.now, box.kinds) == (None, ["ended"])


def test_it_begins_behind_the_answer_and_goes_on_behind_a_wake_word() -> None:
    box = Box()
    box.state = State.THINKING
    assert box.calls.ring("hall") == "rings"
    call = box.calls.now
    assert call
    box.rounds()
    assert box.is_in(State.THINKING), "its answer is heard out"
    box.state = State.FOLLOW_UP
    box.rounds()
    assert box.is_in(State.CALLING)
    box.calls.hear(call.id, "took")
    box.rounds()
    assert box.is_in(State.PLAYING)
    box.happens(ev.CallQuiet())
    box.happens(ev.WakeHeard())
    assert box.is_in(State.LISTENING)
    box.rounds()
    assert box.is_in(State.LISTENING)
    box.state = State.IDLE
    box.rounds()
    assert (box.state, call.phase) == (State.PLAYING, Phase.ON)


def test_nobody_rings_or_talks_for_ever() -> None:
    box = Box()
    box.calls.take(CALL, "hall")
    box.now_s = module.RING_S + 1
    box.rounds()
    assert (box.state, box.sent[-1]) == (State.IDLE, ("ended", "no_answer"))
    box = Box().talks()
    box.now_s = module.LONGEST_S + 1
    box.rounds()
    assert (box.state, box.sent[-1]) == (State.IDLE, ("ended", "too_long"))


def test_what_is_of_another_call_changes_nothing() -> None:
    box = Box().talks()
    for kind in ("ended", "sound", "took"):
        box.calls.hear("cd" * 16, kind, pcm=as_text(SOUND))
    assert box.calls.now
    assert not box.calls.far.ready


def test_sound_that_is_none_is_passed_over() -> None:
    box = Box().talks()
    for garbage in ("", "§", "AAA", as_text(SOUND) + "A", "A" * 80_000):
        box.calls.hear(CALL, "sound", pcm=garbage)
    assert box.calls.now


def test_what_comes_is_played_when_nobody_here_speaks() -> None:
    box = Box().talks()
    box.happens(ev.TalkHeard())
    box.calls.hear(CALL, "sound", pcm=as_text(SOUND))
    box.calls.hear(CALL, "spoke")
    box.rounds()
    assert box.is_in(State.TALKING), "not over what is being said here"
    box.calls.spoke()
    box.rounds()
    assert box.is_in(State.PLAYING)
    assert [piece.samples.tolist() for piece in box.calls.far.pieces(lambda: False)] == [SOUND.tolist()]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("here", [True, False])
@pytest.mark.parametrize(
    "why", ["hung_up", "silence", "no_answer", "declined", "muted", "lost", "too_long", "nonsense", ""]
)
def test_every_end_has_words_at_both_ends(why: str, here: bool, language: str) -> None:
    for made in (True, False):
        told = sentence(Over("hall", why, made, here), language)
        assert told[0].isupper()
        assert "{" not in told


def test_far_sound_keeps_the_newest_minute() -> None:
    box = Box().talks()
    second = np.zeros(16_000, dtype=np.int16)
    order = random.Random(3)
    for number in range(70):
        second[0] = number
        box.calls.hear(CALL, "sound", pcm=as_text(second))
        if order.random() < 0.1:
            box.calls.hear(CALL, "spoke")
    box.calls.hear(CALL, "spoke")
    assert [int(piece.samples[0]) for piece in box.calls.far.pieces(lambda: False)] == list(range(10, 70))
