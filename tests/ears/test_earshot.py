"""Several boxes hear one wake word: which of them answers, whatever they heard and whatever becomes of the messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from appliance.audio import FRAME, FRAME_S, Frame, silence
from appliance.ears.contest import MOMENT_S, WINDOW_S, better, winner
from appliance.ears.earshot import Earshot
from appliance.ears.listen import Listener
from appliance.ears.loudness import over_quiet_db
from appliance.events import Event, NothingHeard, UtteranceEnded, WakeHeard
from appliance.ports import Attention, Told, Wake
from appliance.settings import Ears as EarSettings
from appliance.simulated import ScriptedSpeech, ScriptedTurnEnd, ScriptedWake
from appliance.simulated.boxes import Air, Delay

NAMES = ("attic", "bath", "cellar", "den", "entry", "flat")
LONG_S = 1.0
"""After which every box has decided."""
IN_TIME_S = (WINDOW_S - FRAME_S) / 2 - 0.001
"""Longest way of a message with which exactly one box answers (contest.py)."""


SILENCE = silence(FRAME_S)


@dataclass(frozen=True)
class Hearer:
    """What one box hears, and when."""

    at_s: float
    score: float = 0.9
    level_db: float = 30.0
    serves: bool | None = False
    word: str = "alexa"
    phase_s: float = 0.0
    """Of its frames."""


class Woken:
    """`ports.Ears` that hear the wake word in the first frame at or after a moment."""

    def __init__(self, hearer: Hearer) -> None:
        self._hearer, self._over = hearer, False
        self.attended: list[Attention] = []

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        self.attended.append(attention)

    def begin_anew(self) -> None: ...

    def feed(self, frame: Frame) -> list[Event]:
        if self._over or frame.at_s < self._hearer.at_s:
            return []
        self._over = True
        return [WakeHeard(0, self._hearer.word, self._hearer.score, frame.at_s, self._hearer.level_db), NothingHeard(5)]


class Box:
    """What became of one of them."""

    def __init__(self, hearer: Hearer, name: str, air: Air, present: bool) -> None:
        self.hearer, self.answered_s = hearer, list[float]()
        self.ways_given = self.other_events = 0
        self._air = air
        self.ears = Earshot(
            Woken(hearer), name, air.box(name, present), lambda: hearer.serves, lambda: air.now_s, self._gives_way
        )

    def feed(self) -> None:
        for event in self.ears.feed(Frame(SILENCE, self._air.now_s)):
            if isinstance(event, WakeHeard):
                self.answered_s.append(self._air.now_s)
            else:
                self.other_events += 1

    def _gives_way(self) -> None:
        self.ways_given += 1


def room(hearers: Sequence[Hearer], delay: Delay, present: bool = True) -> list[Box]:
    """All of them in one room, until each has decided."""
    air = Air(delay)
    boxes = [Box(hearer, name, air, present) for name, hearer in zip(NAMES, hearers, strict=False)]
    frames = [(box.hearer.phase_s + number * FRAME_S, box) for box in boxes for number in range(int(LONG_S / FRAME_S))]
    for air.now_s, box in sorted(frames, key=lambda frame: frame[0]):
        box.feed()
    return boxes


def answering(boxes: Sequence[Box]) -> list[int]:
    return [number for number, box in enumerate(boxes) if box.answered_s]


moments = st.floats(0, MOMENT_S - 2 * FRAME_S - IN_TIME_S)
phases = st.floats(0, FRAME_S)
hearers = st.builds(Hearer, moments, st.floats(0.35, 1), st.floats(0, 60), phase_s=phases)
some = st.lists(hearers, min_size=2, max_size=6)


@given(some, st.lists(st.floats(0, IN_TIME_S), min_size=72, max_size=72))
def test_exactly_one_answers_where_messages_come_in_time(hearers: list[Hearer], delays: list[float]) -> None:
    boxes = room(hearers, lambda of, to, number: delays[(NAMES.index(of) * 6 + NAMES.index(to)) * 2 + min(number, 1)])
    assert len(answering(boxes)) == 1
    assert sum(box.ways_given for box in boxes) == len(boxes) - 1


@given(some, st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=72, max_size=72))
def test_at_least_one_answers_whatever_is_late_or_lost(hearers: list[Hearer], delays: list[float | None]) -> None:
    boxes = room(hearers, lambda of, to, number: delays[(NAMES.index(of) * 6 + NAMES.index(to)) * 2 + min(number, 1)])
    assert answering(boxes)
    assert all(bool(box.answered_s) != bool(box.ways_given) for box in boxes), "each decides, once"


@given(some, st.integers(1, 63))
def test_at_least_one_answers_also_where_some_are_busy(hearers: list[Hearer], busy: int) -> None:
    mixed = [
        Hearer(each.at_s, each.score, each.level_db, serves=bool(busy >> number & 1), phase_s=each.phase_s)
        for number, each in enumerate(hearers)
    ]
    boxes = room(mixed, lambda of, to, number: 0.01)
    assert answering(boxes)
    assert all(box.answered_s for box in boxes if box.hearer.serves), "whoever talks with a box means that one"


@given(
    st.lists(
        st.builds(Wake, st.sampled_from(NAMES), st.just("alexa"), st.floats(0, 1), st.floats(0, 100)),
        unique_by=lambda w: w.box,
    )
)
@example([Wake("attic", "alexa", 0.5, 10), Wake("bath", "alexa", 0.5, 10)])
def test_the_order_is_total(wakes: list[Wake]) -> None:
    best_last = sorted(wakes, key=lambda wake: sum(better(wake, other) for other in wakes))
    assert all(better(after, before) and not better(before, after) for before, after in pairwise(best_last))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Hearer(0, level_db=30), Hearer(0, level_db=20)),
        (Hearer(0, score=0.95), Hearer(0, score=0.5)),
        (Hearer(0.08, level_db=30), Hearer(0, level_db=20)),
        (Hearer(0, level_db=20), Hearer(0.3, level_db=30)),
        (Hearer(0, 0.4, 5, serves=True), Hearer(0.02, 0.9, 50)),
    ],
    ids=["louder", "surer", "louder and a little later", "far later is too late", "busy with somebody"],
)
def test_the_better_one_answers(one: Hearer, other: Hearer) -> None:
    assert answering(room([one, other], lambda *_: 0.01)) == [0]
    assert answering(room([other, one], lambda *_: 0.01)) == [1]


def test_another_wake_word_is_another_box_that_was_called() -> None:
    assert answering(room([Hearer(0), Hearer(0, word="hey_jarvis")], lambda *_: 0.01)) == [0, 1]


def test_nobody_gives_way_to_a_box_that_answers_nobody() -> None:
    boxes = room([Hearer(0, 0.4, 5), Hearer(0, serves=None)], lambda *_: 0.01)
    assert answering(boxes[:1]) == [0]


def test_no_word_is_lost_while_the_others_are_asked() -> None:
    """The command begins in the same breath, and all of it is in the utterance."""
    sound = "." * 20 + "WWWW" + "s" * 30 + "." * 40
    assert [commanded(sound, present) for present in (True, False)] == [commanded(sound, False)] * 2


def commanded(sound: str, present: bool) -> list[int]:
    """The numbers of the frames that are in the utterance."""
    wake = ScriptedWake([0.9 if letter == "W" else 0.0 for letter in sound])
    speech = ScriptedSpeech([0.9 if letter in "sW" else 0.1 for letter in sound])
    air = Air(lambda *_: None)
    listener = Listener(wake, speech, ScriptedTurnEnd(()), EarSettings())
    ears = Earshot(listener, "attic", air.box("attic", present), lambda: False, lambda: air.now_s)
    ears.attend(Attention.WAKE, 0)
    for number in range(len(sound)):
        air.now_s = number * FRAME_S
        for event in ears.feed(Frame(np.full(FRAME, number, np.int16), air.now_s)):
            if isinstance(event, WakeHeard):
                ears.attend(Attention.COMMAND, 1)
            if isinstance(event, UtteranceEnded) and event.utterance:
                return [int(each) for each in event.utterance.samples[::FRAME]]
    raise AssertionError("nothing was said")


def test_of_equals_the_name_decides() -> None:
    assert answering(room([Hearer(0), Hearer(0), Hearer(0)], lambda *_: 0.01)) == [2]


def test_two_words_in_two_rooms_are_two() -> None:
    assert answering(room([Hearer(0), Hearer(MOMENT_S + WINDOW_S + FRAME_S)], lambda *_: 0.01)) == [0, 1]


def test_the_wait_is_short_and_without_others_there_is_none() -> None:
    [alone] = room([Hearer(0.1)], lambda *_: None, present=False)
    assert alone.answered_s[0] - 0.1 <= FRAME_S
    silent = room([Hearer(0.1), Hearer(9)], lambda *_: None)[0]
    assert silent.answered_s[0] - 0.1 <= WINDOW_S + FRAME_S, "from the frame that held the word"


def test_what_the_ears_hear_beside_it_is_not_held_back() -> None:
    boxes = room([Hearer(0), Hearer(0, 0.4)], lambda *_: 0.01)
    assert [box.other_events for box in boxes] == [1, 1]


def test_a_microphone_that_was_lost_meanwhile_decides_nothing() -> None:
    air = Air(lambda *_: None)
    ears = Earshot(Woken(Hearer(0)), "attic", air.box("attic"), lambda: False, lambda: air.now_s)
    assert [type(each) for each in ears.feed(Frame(silence(FRAME_S), 0))] == [NothingHeard]
    ears.begin_anew()
    air.now_s = 1.0
    assert ears.feed(Frame(silence(FRAME_S), 1.0)) == []


def test_a_box_does_not_give_way_to_itself() -> None:
    own = Wake("attic", "alexa", 0.5, 10)
    assert winner(own, 0.0, [Told(Wake("attic", "alexa", 1.0, 90, took=True), 0.0)]) is None


@given(st.integers(0, 1 << 31), st.floats(0.3, 3), st.floats(8, 40))
def test_the_level_is_that_over_the_quiet_whatever_the_gain(seed: int, gain: float, over_db: float) -> None:
    noise = np.random.default_rng(seed).normal(0, 60, (100, FRAME))
    noise[70:90] *= 10 ** (over_db / 20)
    frames = (noise * gain).astype(np.int16)
    assert abs(over_quiet_db(frames, 40) - over_db) < 3


def test_digital_silence_and_a_full_scale_are_numbers_too() -> None:
    assert over_quiet_db(np.zeros((1, FRAME), np.int16), 40) == 0
    frames = np.zeros((100, FRAME), np.int16)
    frames[80:, ::2], frames[80:, 1::2] = -32_768, 32_767
    assert 80 < over_quiet_db(frames, 40) <= 100
