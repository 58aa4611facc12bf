"""Lines that are typed into a service: each is heard once, whatever happens in between."""

from __future__ import annotations

import time

from appliance import events as ev
from appliance.audio import Frame, Utterance, never, silence
from appliance.ports import Attention
from appliance.simulated import QuietMicrophone, TypedEars, TypedWords
from appliance.simulated.typed import UNDERSTOOD_S

LINE = "set a timer for 3 hours"


def heard(ears: TypedEars, later_s: float = 0.0) -> ev.Event | None:
    """What the next frame brings."""
    frame = QuietMicrophone(0).read()
    events = ears.feed(Frame(frame.samples, frame.at_s + later_s))
    return events[0] if events else None


def said(ears: TypedEars, turn: int) -> ev.UtteranceEnded:
    ears.attend(Attention.COMMAND, turn)
    event = heard(ears)
    assert isinstance(event, ev.UtteranceEnded)
    assert event.turn == turn
    return event


def test_a_line_wakes_the_box_and_is_said_to_it_once() -> None:
    ears = TypedEars()
    ears.type(LINE)
    ears.attend(Attention.WAKE, 0)
    assert isinstance(heard(ears), ev.WakeHeard)
    assert heard(ears) is None, "until the service listens"
    utterance = said(ears, 1).utterance
    assert utterance
    assert TypedWords(ears).transcribe(utterance, never).text == LINE
    ears.attend(Attention.OVERHEAR, 1)
    assert heard(ears) is None
    ears.attend(Attention.WAKE, 2)
    assert heard(ears) is None


def test_a_line_that_a_press_made_void_is_said_again() -> None:
    ears = TypedEars()
    ears.type(LINE)
    said(ears, 1)
    said(ears, 2)


def test_a_line_that_is_being_answered_does_not_wake_the_box_again() -> None:
    ears = TypedEars()
    ears.type(LINE)
    said(ears, 1)
    ears.attend(Attention.OVERHEAR, 1)
    assert heard(ears) is None
    assert isinstance(heard(ears, UNDERSTOOD_S), ev.WakeHeard), "nothing came of it, as while a timer rings"


def test_listening_to_nobody_ends() -> None:
    ears = TypedEars()
    ears.attend(Attention.FOLLOW_UP, 1, window_s=0.02)
    assert heard(ears) is None
    time.sleep(0.02)
    assert isinstance(heard(ears), ev.NothingHeard)
    assert TypedWords(ears).transcribe(Utterance(silence(1)), never).text == ""
