"""What the ears give on of what is said in a call, frame by frame: see test_listen.py."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from test_listen import TURN, WAKE, Ear

from appliance.audio import FRAME, FRAME_S, Samples
from appliance.ears.talk import ECHO_S, END_QUIET_S, PIECE_S
from appliance.ears.utterance import frames_of
from appliance.events import Event, NothingHeard, TalkHeard, UtteranceEnded, WakeHeard
from appliance.ports import Attention
from appliance.settings import Ears

END = frames_of(END_QUIET_S)
LEAD_IN = frames_of(Ears().lead_in_ms / 1_000)


def talk(sound: str, window_s: float = 60) -> list[Event]:
    ear = Ear(sound)
    ear.attend(Attention.TALK, window_s)
    return ear.hear()


def frames(samples: Samples) -> list[int]:
    return [int(sample) for sample in samples[::FRAME]]


def pieces(events: list[Event]) -> list[list[int]]:
    return [frames(event.samples) for event in events if isinstance(event, TalkHeard)]


def test_it_is_given_on_while_it_is_said_and_ends_once() -> None:
    events = talk("." * 20 + "s" * 40 + "." * 40)
    first, *_, last = [event for event in events if isinstance(event, (TalkHeard, UtteranceEnded))]
    assert isinstance(first, TalkHeard)
    assert isinstance(last, UtteranceEnded)
    whole = [number for piece in pieces(events) for number in piece]
    assert whole == list(range(20 - LEAD_IN, 60 + END)), "each frame once, and none of the quiet"
    assert max(map(len, pieces(events)[1:])) <= frames_of(PIECE_S)
    assert last.utterance
    assert frames(last.utterance.samples) == whole
    assert {event.turn for event in events} == {TURN}


def test_of_quiet_and_clicks_nothing_is_given_on() -> None:
    assert talk("s" * frames_of(ECHO_S) + "." * 50) == [], "what the box played still sounds"
    assert talk("." * 50 + "ss" + "." * 50 + "s" + "." * 50) == []


def test_one_utterance_follows_another() -> None:
    events = talk("s" * 30 + "." * 60 + "s" * 20 + "." * 60)
    assert sum(isinstance(event, UtteranceEnded) for event in events) == 2


def test_silence_is_told_once_and_counts_from_the_last_word() -> None:
    window = frames_of(2.0)
    assert talk("." * (window - 1), 2.0) == []
    assert talk("." * 3 * window, 2.0) == [NothingHeard(TURN)]
    assert not any(
        isinstance(event, NothingHeard) for event in talk("." * 50 + "s" * 20 + "." * (END + window - 1), 2.0)
    )
    clicks = ("s" + "." * 20) * 10
    assert NothingHeard(TURN) in talk(clicks, len(clicks) * FRAME_S)


def test_a_click_at_the_end_of_the_silence_does_not_hide_it() -> None:
    window = frames_of(2.0)
    assert talk("." * (window - 3) + "s" + "." * 60, 2.0) == [NothingHeard(TURN)]


def test_the_wake_word_is_heard_in_a_call() -> None:
    assert any(isinstance(event, WakeHeard) for event in talk("." * 20 + WAKE + "." * 10))


@given(st.text("s.", max_size=200))
def test_whatever_is_said_no_frame_is_given_on_twice_or_late(sound: str) -> None:
    given_on = [number for piece in pieces(talk(sound + "." * END)) for number in piece]
    assert given_on == sorted(set(given_on))
    assert np.all(np.diff([0, *given_on]) >= 0)
