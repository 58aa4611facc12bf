"""Which short sound goes with what happens, and what it sounds like."""

from __future__ import annotations

import numpy as np
import pytest

from appliance import events as ev
from appliance.ports import Cue
from appliance.records import Outcome, TurnRecord
from appliance.service.cues import CUES, Cues
from appliance.service.states import State
from appliance.tts.cues import NOTES, sound


@pytest.fixture
def played() -> list[Cue]:
    return []


@pytest.fixture
def cues(played: list[Cue]) -> Cues:
    return Cues(played.append)


def ended(said: str, outcome: Outcome) -> ev.Event:
    return ev.ReplyEnded(1, TurnRecord(turn=1, conversation="", said=said, outcome=outcome))


@pytest.mark.parametrize(("happened", "cue"), CUES.items())
def test_each_moment_has_its_sound(
    cues: Cues, played: list[Cue], happened: tuple[type[ev.Event], State], cue: Cue
) -> None:
    cues.watch(happened[0](), happened[1])
    assert played == [cue]


def test_an_answer_needs_no_sound_beside_it(cues: Cues, played: list[Cue]) -> None:
    cues.watch(ended("It is noon.", "said"), State.FOLLOW_UP)
    assert played == []


@pytest.mark.parametrize(("outcome", "cue"), [("silent", "nothing"), ("stopped", "done")])
def test_a_turn_without_a_word_ends_with_a_sound(cues: Cues, played: list[Cue], outcome: Outcome, cue: Cue) -> None:
    cues.watch(ended("", outcome), State.IDLE)
    assert played == [cue]


def test_nobody_has_to_ask_a_second_question(cues: Cues, played: list[Cue]) -> None:
    cues.watch(ended("It is noon.", "said"), State.FOLLOW_UP)
    cues.watch(ev.NothingHeard(), State.IDLE)
    assert played == []


@pytest.mark.parametrize("cue", NOTES)
def test_it_is_short_soft_and_without_a_click(cue: Cue) -> None:
    samples = sound(cue).samples.astype(float)
    assert 0.05 < sound(cue).seconds < 0.5
    assert np.abs(samples).max() < 32_767 * 0.2
    assert np.abs(np.diff(samples)).max() < 32_767 * 0.1
    assert (samples[0], samples[-1]) == (0, 0)


def test_those_that_begin_go_up_and_those_that_end_go_down() -> None:
    steps = {cue: notes[-1][0] - notes[0][0] for cue, notes in NOTES.items()}
    assert {cue for cue, step in steps.items() if step > 0} == {"ready", "heard", "open", "announcement", "call"}
    assert {cue for cue, step in steps.items() if step < 0} == {"nothing", "muted"}
