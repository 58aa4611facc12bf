"""What the ears make of sound, told with scripted detectors: one letter a frame of 32 ms.

`.` quiet, `s` speech, `W` speech that scores as the wake word, `w` quiet that does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from appliance.audio import FRAME, FRAME_S, Frame
from appliance.ears.calling import patience_frames
from appliance.ears.listen import CALL_S, Listener
from appliance.ears.utterance import frames_of
from appliance.events import (
    Event,
    NothingHeard,
    Overheard,
    SpeechPaused,
    StopSounded,
    UtteranceEnded,
    WakeHeard,
    WakeMissed,
)
from appliance.ports import Attention
from appliance.settings import Ears, WakeWord
from appliance.simulated import ScriptedMicrophone, ScriptedSpeech, ScriptedTurnEnd, ScriptedWake

TURN = 7
EARS = Ears(quiet_min_ms=200, turn_end_quiet_ms=200)
"""As if the turn-end model might end a turn as soon as there is a pause: the stories count frames from there."""
SCORES = {"W": 0.9, "w": 0.9, "l": 0.4}
"""Of the wake word, and of one that is hard to hear."""
WAKE = "WWWW"
"""As many frames as a patience of two needs."""


class Ear:
    """A listener on a scripted sound, whose every sample holds the number of its frame."""

    def __init__(self, sound: str, unfinished: Sequence[float] = (), settings: Ears | None = None) -> None:
        self.turn_end = ScriptedTurnEnd(unfinished)
        self.wake = ScriptedWake([SCORES.get(letter, 0.0) for letter in sound])
        self.speech = ScriptedSpeech([0.9 if letter in "sW" else 0.1 for letter in sound])
        self.listener = Listener(self.wake, self.speech, self.turn_end, settings or EARS)
        self.microphone = ScriptedMicrophone(np.arange(len(sound), dtype=np.int16).repeat(FRAME))

    def attend(self, attention: Attention, window_s: float | None = None) -> None:
        self.listener.attend(attention, TURN, window_s)

    def hear(self, frames: int | None = None) -> list[Event]:
        events: list[Event] = []
        while frames is None or frames > 0:
            try:
                events += self.listener.feed(self.microphone.read())
            except EOFError:
                break
            frames = None if frames is None else frames - 1
        return events


def command(sound: str, unfinished: Sequence[float] = (), settings: Ears | None = None) -> list[Event]:
    """What COMMAND makes of `sound` after the button."""
    ear = Ear(sound, unfinished, settings)
    ear.attend(Attention.COMMAND)
    return ear.hear()


def after_wake(sound: str, late: int = 0) -> list[Event]:
    """What COMMAND makes of `sound`, whose wake word starts it; `late`: frames until somebody attends."""
    start = sound.index("W") + len(WAKE)
    ear = Ear(sound)
    ear.attend(Attention.WAKE)
    assert [type(event) for event in ear.hear(start + late)] == [WakeHeard]
    ear.attend(Attention.COMMAND)
    return ear.hear()


def only(events: list[Event], kind: type[UtteranceEnded]) -> UtteranceEnded:
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, events
    return found[0]


def frames(event: UtteranceEnded | SpeechPaused | Overheard) -> tuple[int, int]:
    """The first and the last frame in an event's samples."""
    assert event.utterance is not None
    return int(event.utterance.samples[0]), int(event.utterance.samples[-1])


def test_wake_word_is_heard_once_and_is_never_out_of_date() -> None:
    ear = Ear("." * 10 + "W" * 10 + "." * 10)
    ear.attend(Attention.WAKE)
    assert ear.hear() == [WakeHeard(0, "hey_jarvis", 0.9, 14 * FRAME_S)]
    assert ear.wake.resets == 1  # after the word


def test_one_high_score_held_for_three_frames_is_not_patience() -> None:
    ear = Ear("." * 10 + "WWW" + "." * 10)
    ear.attend(Attention.WAKE)
    assert [type(event) for event in ear.hear()] == [WakeMissed]


@pytest.mark.parametrize(("sound", "wakes"), [("lllll", 0), ("llllll", 1), ("llwwll", 1), ("lll.lll", 0)])
def test_word_in_noise_scores_less_for_longer(sound: str, wakes: int) -> None:
    ear = Ear("." * 10 + sound + "." * 10)
    ear.attend(Attention.WAKE)
    assert sum(isinstance(event, WakeHeard) for event in ear.hear()) == wakes


@pytest.mark.parametrize(("sound", "score"), [("lllll", 0.4), ("lWW", 0.9), ("WWl", 0.9), ("l", 0.4)])
def test_what_nearly_woke_it_is_told_once_it_is_over(sound: str, score: float) -> None:
    ear = Ear("." * 10 + sound + "." * 10)
    ear.attend(Attention.WAKE)
    assert ear.hear() == [WakeMissed(0, "hey_jarvis", score)]


def test_what_woke_it_did_not_nearly_do_so() -> None:
    ear = Ear("." * 10 + "l" * 40)
    ear.attend(Attention.WAKE)
    assert [type(event) for event in ear.hear()] == [WakeHeard]


def test_a_word_has_its_own_threshold_and_patience() -> None:
    """As set for its name; another word keeps those of all."""
    own = {"hey_jarvis": WakeWord(threshold=0.35, patience=4)}
    for words, wakes in ((own, 1), ({}, 0)):
        ear = Ear("." * 10 + "l" * 5 + "." + "l" * 10, settings=Ears(wake_patience=5, by_word=words))
        ear.attend(Attention.WAKE)
        assert sum(isinstance(event, WakeHeard) for event in ear.hear()) == wakes


@pytest.mark.parametrize(("hops", "frames"), [(1, 1), (2, 4), (3, 6), (4, 9)])
def test_patience_counts_scores_and_not_frames(hops: int, frames: int) -> None:
    assert patience_frames(hops) == frames


def test_wake_word_is_heard_again_after_a_second() -> None:
    ear = Ear(WAKE + "." * 10 + WAKE + "." * 30 + WAKE)
    ear.attend(Attention.WAKE)
    assert [event.at_s for event in ear.hear() if isinstance(event, WakeHeard)] == pytest.approx(
        [4 * FRAME_S, 52 * FRAME_S]
    )


@pytest.mark.parametrize("attention", [Attention.COMMAND, Attention.FOLLOW_UP, Attention.OVERHEAR])
def test_wake_word_counts_while_the_box_is_busy(attention: Attention) -> None:
    ear = Ear("." * 10 + WAKE + "." * 4)
    ear.attend(attention)
    assert ear.hear() == [WakeHeard(TURN, "hey_jarvis", 0.9, 14 * FRAME_S)]


def test_nothing_is_heard_before_anybody_attends_and_after_none() -> None:
    ear = Ear("." * 3 + WAKE * 5)
    assert ear.hear(10) == []
    ear.attend(Attention.NONE)
    assert ear.hear() == []


def test_sound_from_before_a_break_is_not_joined_to_what_follows() -> None:
    ear = Ear("." * 4 + "ssss" + "." + "s" * 10 + "." * 10)
    ear.attend(Attention.WAKE)
    ear.hear(9)
    ear.listener.begin_anew()
    ear.attend(Attention.COMMAND)
    assert frames(only(ear.hear(), UtteranceEnded)) == (9, 25)


def test_what_is_overheard_before_a_gap_is_not_joined_to_what_comes_after_it() -> None:
    ear = Ear("." * 4 + "s" * 8 + "s" * 8 + "." * 20)
    ear.attend(Attention.OVERHEAR)
    ear.hear(12)
    ear.listener.begin_anew()
    (overheard,) = ear.hear()
    assert isinstance(overheard, Overheard)
    assert frames(overheard)[0] == 12


def test_finished_turn_ends_200_ms_after_its_speech() -> None:
    ended = only(command("." * 20 + "s" * 20 + "." * 30), UtteranceEnded)
    assert ended.turn == TURN
    assert frames(ended) == (10, 46)  # from 320 ms before speech to 224 ms after it
    assert ended.speech_ended_s == pytest.approx(40 * FRAME_S)
    assert ended.decided_s == pytest.approx(47 * FRAME_S)


def test_transcript_made_ahead_is_of_the_same_samples() -> None:
    paused, ended = command("." * 5 + "s" * 20 + "." * 40, unfinished=[0.1, 0.1, 0.1, 0.1])
    assert isinstance(paused, SpeechPaused)
    assert isinstance(ended, UtteranceEnded)
    assert paused.utterance is ended.utterance


def test_unfinished_turn_ends_after_800_ms_of_quiet() -> None:
    ended = only(command("s" * 20 + "." * 40, unfinished=[0.1] * 9), UtteranceEnded)
    assert ended.decided_s - ended.speech_ended_s == pytest.approx(25 * FRAME_S)


def test_turn_end_is_asked_again_each_200_ms_about_all_that_was_heard() -> None:
    ear = Ear("s" * 20 + "." * 40, unfinished=[0.1] * 9)
    ear.attend(Attention.COMMAND)
    ear.hear()
    assert [len(sound) // FRAME - 20 for sound in ear.turn_end.asked] == [7, 14, 21]


def test_turn_end_is_asked_after_64_ms_with_silence_for_the_rest() -> None:
    ear = Ear("s" * 20 + "." * 40)
    ear.attend(Attention.COMMAND)
    ear.hear(21)
    assert not ear.turn_end.asked
    ear.hear(1)
    (sound,) = ear.turn_end.asked
    assert len(sound) == 27 * FRAME
    assert sound[22 * FRAME - 1] == 21
    assert not sound[22 * FRAME :].any()


def test_resumed_speech_voids_what_the_turn_end_model_was_asked() -> None:
    """It said "finished" to the first pause, which did not last."""
    ear = Ear("s" * 10 + "." * 3 + "s" * 10 + "." * 20, unfinished=[0.1])
    ear.attend(Attention.COMMAND)
    ended = only(ear.hear(), UtteranceEnded)
    assert len(ear.turn_end.asked) == 3
    assert ended.decided_s - ended.speech_ended_s == pytest.approx(14 * FRAME_S)


def test_first_sound_of_a_word_before_a_stop_is_no_click() -> None:
    """100 ms of speech, 100 ms of quiet, then the rest of the word."""
    events = command("." * 20 + "s" * 3 + "." * 4 + "s" * 10 + "." * 20, settings=Ears(turn_end_quiet_ms=200))
    assert frames(only(events, UtteranceEnded)) == (10, 39)


def test_turn_may_turn_out_finished_when_asked_again() -> None:
    ended = only(command("s" * 20 + "." * 40, unfinished=[0.1, 0.9]), UtteranceEnded)
    assert ended.decided_s - ended.speech_ended_s == pytest.approx(14 * FRAME_S)


def test_resumed_speech_is_the_same_utterance() -> None:
    events = command("s" * 10 + "." * 10 + "s" * 10 + "." * 10, unfinished=[0.1])
    assert [type(event) for event in events] == [SpeechPaused, SpeechPaused, UtteranceEnded]
    assert frames(only(events, UtteranceEnded)) == (0, 36)


def test_pause_shorter_than_200_ms_is_none() -> None:
    assert len(command("s" * 10 + "." * 6 + "s" * 10 + "." * 10)) == 2


def test_endless_speech_is_cut() -> None:
    settings = EARS.model_copy(update={"utterance_max_s": 3})
    ended = only(command("s" * 200, settings=settings), UtteranceEnded)
    assert ended.decided_s == ended.speech_ended_s == pytest.approx(3, abs=FRAME_S)


def test_click_is_not_an_utterance() -> None:
    assert command("." * 20 + "sss" + "." * 40) == []


def test_click_before_the_question_does_not_hide_it() -> None:
    events = command("." * 5 + "sss" + "." * 20 + "s" * 20 + "." * 10)
    assert frames(only(events, UtteranceEnded)) == (18, 54)


def test_nothing_said_is_told_once_when_the_window_ends() -> None:
    settings = EARS.model_copy(update={"start_timeout_s": 2})
    assert command("." * 62, settings=settings) == []
    assert command("." * 200, settings=settings) == [NothingHeard(TURN)]


def test_speech_that_starts_in_the_window_may_end_outside_it() -> None:
    events = command("." * 60 + "s" * 20 + "." * 10, settings=EARS.model_copy(update={"start_timeout_s": 2}))
    assert [type(event) for event in events] == [SpeechPaused, UtteranceEnded]


def test_click_at_the_end_of_the_window_is_nothing() -> None:
    assert command("." * 60 + "sss" + "." * 40, settings=EARS.model_copy(update={"start_timeout_s": 2})) == [
        NothingHeard(TURN)
    ]


def test_after_the_end_only_the_wake_word_counts() -> None:
    events = command("s" * 10 + "." * 10 + "s" * 20 + "." * 10 + "w" * 4 + "." * 300)
    assert [type(event) for event in events] == [SpeechPaused, UtteranceEnded, WakeHeard]


def test_end_of_the_wake_word_is_not_an_utterance() -> None:
    assert after_wake("." * 30 + WAKE + "sss" + "." * 60) == []


def test_question_may_follow_the_wake_word_after_a_second() -> None:
    events = after_wake("." * 30 + WAKE + "sss" + "." * 32 + "s" * 20 + "." * 10)
    assert frames(only(events, UtteranceEnded)) == (59, 95)


@pytest.mark.parametrize("late", [0, 3, 12, 40])
def test_question_in_one_breath_keeps_its_first_word_however_late_somebody_attends(late: int) -> None:
    """The wake event comes after the word's end: the lead-in counts from the event, not from `attend`."""
    ended = only(after_wake("." * 60 + WAKE + "s" * 30 + "." * 20, late), UtteranceEnded)
    assert frames(ended) == (64 - frames_of(CALL_S), 100)
    assert ended.utterance
    assert ended.utterance.called


@pytest.mark.parametrize(("pause", "first", "called"), [(20, 64 - frames_of(CALL_S), True), (40, 94, False)])
def test_question_has_the_whole_wake_word_before_it_or_nothing_of_it(pause: int, first: int, called: bool) -> None:
    ended = only(after_wake("." * 60 + WAKE + "." * pause + "s" * 20 + "." * 10), UtteranceEnded)
    assert frames(ended)[0] == first
    assert ended.utterance
    assert ended.utterance.called is called


def test_wake_word_then_nothing_times_out() -> None:
    assert after_wake("." * 30 + WAKE + "." * 200) == [NothingHeard(TURN)]


def test_button_after_an_old_wake_word_does_not_bring_back_what_was_said_then() -> None:
    ear = Ear("." * 30 + WAKE + "s" * 30 + "." * 60 + "s" * 20 + "." * 10)
    ear.attend(Attention.WAKE)
    ear.hear(30 + 4 + 30 + 55)
    ear.attend(Attention.COMMAND)
    assert frames(only(ear.hear(), UtteranceEnded)) == (114, 150)


def test_follow_up_needs_no_wake_word() -> None:
    ear = Ear("." * 5 + "s" * 20 + "." * 10)
    ear.attend(Attention.FOLLOW_UP)
    assert [type(event) for event in ear.hear()] == [SpeechPaused, UtteranceEnded]


def test_follow_up_does_not_reach_back_into_the_box_own_voice() -> None:
    ear = Ear("s" * 20 + "..." + "s" * 20 + "." * 10)
    ear.attend(Attention.OVERHEAR)
    ear.hear(20)
    ear.attend(Attention.FOLLOW_UP)
    assert frames(only(ear.hear(), UtteranceEnded)) == (20, 49)


def test_follow_up_closes_after_its_own_window() -> None:
    ear = Ear("." * 200)
    ear.attend(Attention.FOLLOW_UP)
    assert ear.hear(93) == []
    assert ear.hear(1) == [NothingHeard(TURN)]


def test_without_a_window_nothing_is_taken_for_a_turn() -> None:
    ear = Ear("s" * 20 + "." * 40, settings=EARS.model_copy(update={"follow_up_s": 0}))
    ear.attend(Attention.FOLLOW_UP)
    assert ear.hear(1) == [NothingHeard(TURN)]
    assert ear.hear() == []


def test_window_may_be_asked_for() -> None:
    ear = Ear("." * 300)
    ear.attend(Attention.FOLLOW_UP, window_s=8)
    assert ear.hear(249) == []
    assert ear.hear(1) == [NothingHeard(TURN)]


@pytest.mark.parametrize("attention", [Attention.WAKE, Attention.COMMAND, Attention.FOLLOW_UP])
def test_stop_is_listened_for_only_while_the_box_is_busy(attention: Attention) -> None:
    scores = [0.99] * 3
    ear = Ear("." * 12)
    ear.listener = Listener(ear.wake, ear.speech, ear.turn_end, EARS, ScriptedWake(scores))
    ear.attend(attention)
    assert ear.hear(6) == []
    ear.attend(Attention.OVERHEAR)
    assert ear.hear(3) == [StopSounded(TURN, False), StopSounded(TURN, False), StopSounded(TURN, True)]


def test_short_word_is_overheard_after_300_ms() -> None:
    ear = Ear("." * 20 + "s" * 10 + "." * 20)
    ear.attend(Attention.OVERHEAR)
    assert ear.hear(39) == []
    (overheard,) = ear.hear(1)
    assert isinstance(overheard, Overheard)
    assert overheard.turn == TURN
    assert frames(overheard) == (10, 39)


def test_each_short_word_is_overheard() -> None:
    ear = Ear(("." * 20 + "s" * 10 + "." * 20) * 2)
    ear.attend(Attention.OVERHEAR)
    assert [type(event) for event in ear.hear()] == [Overheard, Overheard]


@pytest.mark.parametrize("speech", ["s" * 4, "s" * 63, "s" * 40 + "." * 5 + "s" * 30])
def test_clicks_and_conversations_are_not_overheard(speech: str) -> None:
    ear = Ear("." * 20 + speech + "." * 20)
    ear.attend(Attention.OVERHEAR)
    assert ear.hear() == []


def test_new_attention_forgets_the_old_utterance() -> None:
    ear = Ear("." * 5 + "s" * 10 + "." * 40)
    ear.attend(Attention.COMMAND)
    ear.hear(15)
    ear.attend(Attention.WAKE)
    assert ear.hear() == []


def test_pace_makes_no_difference() -> None:
    """A recording is fed as fast as it can be read: only the count of frames matters."""
    ear = Ear("." * 5 + "s" * 20 + "." * 20)
    ear.attend(Attention.COMMAND)
    events = []
    for number in range(40):
        frame = ear.microphone.read()
        events += ear.listener.feed(Frame(frame.samples, at_s=number * 1e-5))
    assert [type(event) for event in events] == [SpeechPaused, UtteranceEnded]


def test_pause_starts_the_work_and_the_turn_ends_later() -> None:
    settings = Ears(quiet_min_ms=160, turn_end_quiet_ms=400)
    ear = Ear("s" * 20 + "." * 40, settings=settings)
    ear.attend(Attention.COMMAND)
    paused, ended = ear.hear()
    assert isinstance(paused, SpeechPaused)
    assert isinstance(ended, UtteranceEnded)
    assert paused.utterance is ended.utterance
    assert ended.decided_s - ended.speech_ended_s == pytest.approx(0.416, abs=0.001)  # 13 frames of 32 ms
