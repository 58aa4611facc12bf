"""Whole stories through the real loop, engine, voice and timers; models, ears and devices are doubles."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from rig import lane_of_skills
from timers_of import timers_of

from appliance import events as ev
from appliance.audio import Stale, Utterance, silence
from appliance.body.clock import SystemClock
from appliance.errors import ApplianceError, DeviceMissing, MuteNotKept, StoreUnusable, TurnFailed
from appliance.ports import Attention, Microphone
from appliance.records import TurnRecord
from appliance.reply.conversation import Conversation
from appliance.reply.dependencies import Dependencies
from appliance.reply.engine import Engine
from appliance.reply.understanding.fastlane import FastLane
from appliance.service.loop import Service
from appliance.service.own_words import OwnWords
from appliance.service.ringing import Ringing
from appliance.service.states import State
from appliance.service.turn import Moments, SpokenTurns
from appliance.settings import Ears, Memory, Settings, Sound, Thought
from appliance.settings import Voice as VoiceSettings
from appliance.simulated import (
    CannedModel,
    CannedSynthesizer,
    DeadMicrophone,
    HandSetVolume,
    MemoryFacts,
    MemoryValues,
    RecordingSpeaker,
    ScriptedEars,
    skill_context,
)
from appliance.skills.loader import load
from appliance.tts.speak import Voice

PATIENCE_S = 10.0
"""Longest any step here may take on a loaded machine."""
DEADLINE_S = 3.0
APOLOGY_S = 2.0
"""Of the plan: the longest from the deadline of a turn to the first sound of the apology."""


class Box:
    """The appliance with canned parts; `says` is what the model will write, a text a turn."""

    def __init__(
        self, *says: str, hangs: bool = False, microphone: Microphone | None = None, rings_s: float = 0
    ) -> None:
        settings = Settings(
            thought=Thought(deadline_s=DEADLINE_S),
            voice=VoiceSettings(ring_max_s=5),
            sound=Sound(retry_s=0.1),
            memory=Memory(final_step=False),
        )
        self.records: list[TurnRecord] = []
        self.watched: Callable[[ev.Event], None] = lambda event: None
        self.errors: list[ApplianceError | None] = []
        self.speaker, self.ears, self.words = RecordingSpeaker(realtime=True), ScriptedEars(), dict[int, str]()
        self.volume, clock = HandSetVolume(), SystemClock(UTC)
        self.model = CannedModel(says, hangs)
        conversation, memory = Conversation(300, results_kept=16), MemoryFacts()
        self.memory = memory
        skills = load(
            skill_context(
                settings=settings,
                clock=clock,
                memory=memory,
                volume=self.volume,
                last_said=lambda: conversation.last_said,
                silence=lambda: self.service.post(ev.StopHeard()),
                close_microphone=lambda: self.service.post(ev.MuteAsked()),
            )
        )
        self.timers = timers_of(skills)
        tools, commands = skills.for_model(), skills.commands()
        needs = Dependencies(self.model, tools, commands, memory, clock, conversation, settings, "Jarvis")
        engine = Engine(replace(needs, lane=lane_of_skills(skills), skill_of=skills.skill_of))
        self.voice = Voice(CannedSynthesizer(), self.speaker, self.errors.append)
        is_stop = FastLane(name="Jarvis").is_stop

        def hear(utterance: Utterance, stale: Stale) -> str:
            return self.words[len(utterance.samples)]

        def publish(record: TurnRecord, _: Moments) -> None:
            self.records.append(record)

        self.service: Service = Service(
            microphone or DeadMicrophone(),
            self.ears,
            lambda post: SpokenTurns(hear, engine, OwnWords(self.voice), is_stop, post, publish, paced=True),
            Ringing(skills.rings.alarms, skills.rings.telling, self.voice, rings_s or settings.voice.ring_max_s),
            settings,
            MemoryValues(),
            lambda event, state: self.watched(event),
        )

    def wake(self) -> None:
        self.service.post(ev.WakeHeard(word="hey_jarvis", score=0.9, at_s=time.monotonic()))
        self.reaches(State.LISTENING)

    def say(self, text: str, called: bool = False) -> None:
        """An utterance in the turn that is listened to now. called: it begins with the wake word."""
        now_s = time.monotonic()
        turn = self.ears.attended[-1][1]
        utterance = replace(self.sound_of(text), called=called)
        self.service.post(ev.UtteranceEnded(turn, utterance, now_s - 0.3, now_s))

    def overhears(self, text: str) -> None:
        self.service.post(ev.Overheard(self.ears.attended[-1][1], self.sound_of(text)))

    def sound_of(self, text: str) -> Utterance:
        samples = silence((len(self.words) + 1) / 10)
        self.words[len(samples)] = text
        return Utterance(samples)

    def reaches(self, state: State) -> None:
        self.until(lambda: self.service.state is state, f"state {state.name}")

    def until(self, true: Callable[[], object], what: str) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < ends_s, f"never: {what}; {self.service.state}"
            time.sleep(0.005)

    def record(self) -> TurnRecord:
        self.until(lambda: bool(self.records), "a record")
        return self.records.pop(0)


@pytest.fixture
def make() -> Iterator[Callable[..., Box]]:
    with ExitStack() as stack:

        def made(*says: str, **options: object) -> Box:
            box = Box(*says, **options)  # type: ignore[arg-type]
            stack.enter_context(box.voice)
            thread = Thread(target=box.service.run)
            thread.start()
            stack.callback(thread.join)
            stack.callback(box.service.stop)
            box.reaches(State.IDLE) if not isinstance(options.get("microphone"), DeadMicrophone) else None
            return box

        yield made


def test_sum_is_answered_aloud_with_one_model_call(make: Callable[..., Box]) -> None:
    box = make('calculate(expression="6 * 7")')
    box.wake()
    box.say("work out six sevens for me")
    box.reaches(State.FOLLOW_UP)
    record = box.record()
    assert record.said == "6 times 7 is 42."
    assert [(step.tool, step.outcome) for step in record.steps] == [("calculate", "ok")]
    assert (record.outcome, record.model.calls, record.heard) == ("said", 1, "work out six sevens for me")
    assert record.ms.endpoint == pytest.approx(300, abs=50)
    assert record.ms.first_audio is not None
    assert record.audio is not None
    assert record.audio.wake_score == 0.9
    assert box.speaker.played


def test_small_talk_streams_and_opens_a_longer_window_after_a_question(make: Callable[..., Box]) -> None:
    box = make("say Fine, thanks. And how are you?")
    box.wake()
    box.say("how are you")
    box.reaches(State.FOLLOW_UP)
    record = box.record()
    assert record.outcome == "asked"
    assert record.said == "Fine, thanks. And how are you?"
    assert record.steps[0].kind == "say"
    assert box.ears.attended[-1][0] is Attention.FOLLOW_UP
    assert box.ears.window_s == Ears().follow_up_question_s > Ears().follow_up_s


def test_answer_in_the_follow_up_window_needs_no_wake_word(make: Callable[..., Box]) -> None:
    box = make("say Yes?", "say Yes?", "say Right.", "say Right.")
    box.wake()
    box.say("jarvis")
    box.reaches(State.FOLLOW_UP)
    box.say("i dug the whole pond on my own")
    box.until(lambda: len(box.records) == 2, "two records")
    first, second = box.records
    assert first.conversation == second.conversation
    assert [message.text for message in box.model.prompts[-1]][-2] == "say Yes?"


def test_own_words_in_the_follow_up_window_lead_back_to_idle_without_a_word(make: Callable[..., Box]) -> None:
    box = make("say The bins go out tonight.", "say Never.")
    box.wake()
    box.say("which bins are these again then")
    box.reaches(State.FOLLOW_UP)
    box.say("go out tonight")
    box.until(lambda: len(box.records) == 2, "two records")
    box.reaches(State.IDLE)
    assert [(record.outcome, record.said) for record in box.records] == [
        ("said", "The bins go out tonight."),
        ("silent", ""),
    ]


def test_whoever_calls_it_may_say_its_own_words(make: Callable[..., Box]) -> None:
    box = make("say The bins go out tonight.", "say Yes.")
    box.wake()
    box.say("which bins are these again then")
    box.reaches(State.FOLLOW_UP)
    box.wake()
    box.say("the bins go out tonight", called=True)
    box.until(lambda: len(box.records) == 2, "two records")
    assert box.records[1].heard == "the bins go out tonight"


def test_prompt_grows_only_at_its_end(make: Callable[..., Box]) -> None:
    box = make('calculate(expression="2 + 2")', "say Indeed.")
    box.wake()
    box.say("now then two and two makes how much")
    box.reaches(State.FOLLOW_UP)
    box.say("is that so")
    box.until(lambda: len(box.records) == 2, "two records")
    first, second = box.model.prompts
    assert second[: len(first)] == first
    assert second[-1].text.startswith("-> 2 plus 2 is 4.\n")


def test_what_was_no_speech_is_ignored(make: Callable[..., Box]) -> None:
    box = make()
    box.wake()
    box.say("")
    box.reaches(State.IDLE)
    assert (box.record().outcome, box.speaker.played) == ("silent", [])


@pytest.mark.parametrize("words", ["Stop!", "Stop, Jarvis!"])
def test_stop_word_ends_a_long_answer_within_300_ms(make: Callable[..., Box], words: str) -> None:
    box = make("say " + "This goes on and on and on. " * 20)
    box.wake()
    box.say("tell me everything")
    box.reaches(State.SPEAKING)
    box.overhears(words)
    stopped_s = time.monotonic()
    box.reaches(State.IDLE)
    record = box.record()
    assert record.outcome == "stopped"
    assert time.monotonic() - stopped_s < 0.3
    assert len(record.said) < 200


def test_stop_that_is_heard_and_not_transcribed_ends_an_answer_within_300_ms(make: Callable[..., Box]) -> None:
    box = make("say " + "This goes on and on and on. " * 20)
    box.wake()
    box.say("tell me everything")
    box.reaches(State.SPEAKING)
    box.service.post(ev.StopSounded(box.ears.attended[-1][1], sure=True))
    stopped_s = time.monotonic()
    box.reaches(State.IDLE)
    assert box.record().outcome == "stopped"
    assert time.monotonic() - stopped_s < 0.3


@pytest.mark.parametrize(
    ("says", "sure"), [("The bus has already gone from here.", False), ("The bus stop is across the road.", True)]
)
def test_what_may_be_stop_or_its_own_word_does_not_end_it(make: Callable[..., Box], says: str, sure: bool) -> None:
    box = make(f"say {says}")
    box.wake()
    box.say("tell me")
    box.reaches(State.SPEAKING)
    box.service.post(ev.StopSounded(box.ears.attended[-1][1], sure=sure))
    box.reaches(State.FOLLOW_UP)
    assert box.record().said == says


def test_stop_that_is_heard_silences_a_ring(make: Callable[..., Box]) -> None:
    box = make()
    box.timers.add("egg", 0.1)
    box.reaches(State.RINGING)
    box.service.post(ev.StopSounded(sure=True))
    box.reaches(State.IDLE)
    assert box.timers.all() == []


def test_talk_across_the_room_does_not_stop_it(make: Callable[..., Box]) -> None:
    box = make("say One moment. This is a fairly long answer, said in full.")
    box.wake()
    box.say("tell me")
    box.reaches(State.SPEAKING)
    box.overhears("stop the car over there")
    box.reaches(State.FOLLOW_UP)
    assert box.record().said.endswith("said in full.")


def test_wake_word_interrupts_an_answer(make: Callable[..., Box]) -> None:
    box = make("say " + "On and on. " * 30, "say Listening.")
    box.wake()
    box.say("my boss was in a foul mood all morning")
    box.reaches(State.SPEAKING)
    box.wake()
    box.say("the bus was late as well")
    box.until(lambda: len(box.records) == 2, "two records")
    assert [record.outcome for record in box.records] == ["stopped", "said"]


def test_hung_model_ends_in_an_apology_and_a_timer_rings_meanwhile(make: Callable[..., Box]) -> None:
    box = make(hangs=True)
    box.timers.add("egg", 0.3)
    box.wake()
    box.say("are you there")
    box.reaches(State.THINKING)
    asked_s = time.monotonic()
    box.until(lambda: bool(box.speaker.played), "a ring while the model hangs")
    assert box.service.state is State.THINKING
    box.reaches(State.SPEAKING)
    assert time.monotonic() - asked_s < DEADLINE_S + APOLOGY_S
    box.until(lambda: box.service.state is State.RINGING, "ringing goes on after the apology")
    box.overhears("stop")
    box.reaches(State.IDLE)
    assert box.timers.all() == []


@pytest.mark.parametrize("over", [State.IDLE, State.LISTENING])
def test_apology_is_stopped_like_any_answer(make: Callable[..., Box], over: State) -> None:
    box = make(hangs=True)
    box.wake()
    box.say("are you there")
    box.reaches(State.SPEAKING)
    attention, turn, *_ = box.ears.attended[-1]
    assert attention is Attention.OVERHEAR
    if over is State.IDLE:
        box.overhears("stop")
    else:
        box.service.post(ev.WakeHeard(turn, "hey_jarvis", 0.9, time.monotonic()))
    box.reaches(over)
    box.until(lambda: bool(box.speaker.played), "the beginning of the apology")
    assert box.speaker.played[0][1].seconds < 1


def test_hung_turn_is_in_the_journal_though_it_never_ends(make: Callable[..., Box]) -> None:
    box = make(hangs=True)
    box.wake()
    box.say("are you there")
    record = box.record()
    assert (record.outcome, record.turn) == ("error", 1)
    box.reaches(State.SPEAKING)
    box.service.post(ev.ButtonPressed())
    box.reaches(State.IDLE)
    assert box.records == [], "and only once"


def test_mute_that_a_restart_would_not_know_of_is_said(
    make: Callable[..., Box], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(key: str, value: str) -> None:
        raise MuteNotKept("the disk is read-only", remedy="replace it")

    box = make()
    monkeypatch.setattr(MemoryValues, "set", lambda self, key, value: refuse(key, value))
    box.service.post(ev.MuteToggled())
    box.reaches(State.MUTED)
    box.until(lambda: bool(box.speaker.played), "that it is not kept")
    box.service.mute()
    with pytest.raises(MuteNotKept):
        box.service.muted(PATIENCE_S)


def test_timer_that_cannot_be_struck_off_the_disk_is_silenced_all_the_same(
    make: Callable[..., Box], monkeypatch: pytest.MonkeyPatch
) -> None:
    box = make()

    def refuse(*timers: object) -> None:
        raise StoreUnusable("the disk is full", remedy="make room")

    box.timers.add("egg", 0.1)
    box.reaches(State.RINGING)
    monkeypatch.setattr(box.timers, "done", refuse)
    box.service.post(ev.ButtonPressed())
    box.reaches(State.IDLE)
    time.sleep(0.7)
    assert box.service.state is State.IDLE


def test_timer_rings_until_it_is_told_to_stop(make: Callable[..., Box]) -> None:
    box = make('set_timer(seconds=1, label="tea")')
    box.wake()
    box.say("one second for the tea")
    assert box.record().said == "Tea timer set for 1 second."
    box.reaches(State.RINGING)
    assert box.ears.attended[-1][0] is Attention.OVERHEAR
    assert box.timers.ringing()
    box.overhears("stop it please")
    box.reaches(State.IDLE)
    assert (box.timers.ringing(), box.timers.all()) == ([], [])


@pytest.mark.parametrize(
    ("event", "rings"),
    [
        (ev.StopHeard(), State.RINGING),
        (ev.ButtonPressed(), State.RINGING),
        (ev.WakeHeard(), State.LISTENING),
        (ev.MuteToggled(), State.MUTED),
    ],
)
def test_timer_that_ends_under_an_answer_that_is_stopped_rings_afterwards(
    make: Callable[..., Box], event: ev.Event, rings: State
) -> None:
    box = make("say " + "This goes on and on and on. " * 20)
    box.wake()
    box.say("tell me everything")
    box.reaches(State.SPEAKING)
    box.timers.add("egg", 0.05)
    box.until(box.timers.ringing, "an egg")
    box.service.post(event)
    box.reaches(rings)
    assert [timer.label for timer in box.timers.all()] == ["egg"]
    if rings is State.LISTENING:
        box.service.post(ev.NothingHeard(box.ears.attended[-1][1]))
    box.until(lambda: bool(box.voice.chimes), "a chime")
    box.service.post(ev.ButtonPressed())
    box.until(lambda: not box.timers.all(), "no egg")


def test_timer_that_was_heard_in_a_muted_box_does_not_ring_again(make: Callable[..., Box]) -> None:
    box = make()
    box.service.post(ev.MuteToggled())
    box.reaches(State.MUTED)
    box.timers.add("egg", 0.05)
    box.until(lambda: bool(box.voice.chimes), "a chime")
    box.service.post(ev.ButtonPressed())
    box.until(lambda: not box.timers.all(), "no egg")
    assert box.service.state is State.MUTED


@pytest.mark.parametrize("state", [State.MUTED, State.FAULTED])
def test_button_ends_a_ring_that_nobody_hears_in_a_box_that_does_not_listen(
    make: Callable[..., Box], state: State
) -> None:
    box = make(microphone=DeadMicrophone(misses=1_000 if state is State.FAULTED else 0))
    box.speaker.broken = DeviceMissing("the speaker is gone", remedy="plug it in")
    if state is State.MUTED:
        box.service.post(ev.MuteToggled())
    box.reaches(state)
    box.timers.add("egg", 0.05)
    box.until(lambda: bool(box.errors), "a chime that fails")
    box.service.post(ev.ButtonPressed())
    box.until(lambda: not box.timers.all(), "no egg")
    assert (box.timers.missed(), box.service.state) == ([], state)


def test_timer_that_rings_without_a_speaker_is_still_to_be_told(make: Callable[..., Box]) -> None:
    box = make()
    box.speaker.broken = DeviceMissing("the speaker is gone", remedy="plug it in")
    box.timers.add("egg", 0.05)
    box.reaches(State.RINGING)
    box.reaches(State.IDLE)
    assert [timer.label for timer in box.timers.missed()] == ["egg"]
    assert box.timers.all() == []


def test_timer_that_rings_with_nobody_there_is_still_to_be_told(make: Callable[..., Box]) -> None:
    box = make(rings_s=1)
    box.timers.add("egg", 0.05)
    box.until(lambda: bool(box.voice.chimes), "a chime")
    box.reaches(State.IDLE)
    assert [(timer.label, timer.rang) for timer in box.timers.missed()] == [("egg", True)]
    assert box.timers.all() == []


@pytest.mark.parametrize("call", ['cancel_timer(label="egg")', 'adjust_timer(minutes=5, label="egg", direction="set")'])
def test_timer_that_is_cancelled_or_set_anew_as_it_rings_falls_silent(
    make: Callable[..., Box], monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    box = make(call)
    generate = box.model.generate

    def after_a_chime(*given: Any, **more: Any) -> Iterator[str]:
        box.until(lambda: bool(box.voice.chimes), "a chime")
        return generate(*given, **more)

    monkeypatch.setattr(box.model, "generate", after_a_chime)
    box.wake()
    box.timers.add("egg", 0.05)
    box.say("five more minutes for the egg" if "adjust" in call else "get rid of the egg")
    assert "egg timer" in box.record().said
    chimes = box.voice.chimes
    box.reaches(State.FOLLOW_UP)
    time.sleep(1.5)
    assert (box.service.state, box.voice.chimes) == (State.FOLLOW_UP, chimes)


def test_ringing_ends_with_the_last_timer_that_rings(make: Callable[..., Box]) -> None:
    box = make()
    box.timers.add("egg", 0.05)
    box.reaches(State.RINGING)
    box.timers.done(*box.timers.all())
    box.reaches(State.IDLE)


def test_timer_that_a_long_answer_covers_rings_after_it(make: Callable[..., Box]) -> None:
    box = make("say " + "This goes on and on and on. " * 3, rings_s=0.2)
    box.wake()
    box.say("tell me everything")
    box.reaches(State.SPEAKING)
    box.timers.add("egg", 0.05)
    box.reaches(State.RINGING)


def test_unstopped_timer_falls_silent_by_itself(make: Callable[..., Box]) -> None:
    box = make()
    box.timers.add("", 0.05)
    box.reaches(State.RINGING)
    assert box.timers.ringing()
    box.reaches(State.IDLE)
    assert not box.timers.ringing()


def test_stop_as_a_command_silences_and_says_nothing(make: Callable[..., Box]) -> None:
    box = make("stop()")
    box.wake()
    box.say("that is enough now thank you")
    box.reaches(State.IDLE)
    assert (box.record().outcome, box.speaker.played) == ("stopped", [])


def test_empty_answer_is_never_silence(make: Callable[..., Box]) -> None:
    box = make("")
    box.wake()
    box.say("hm")
    record = box.record()
    assert record.said == "Sorry, I have no answer to that."
    assert record.outcome == "error"


def test_rambling_is_cut_after_three_sentences(make: Callable[..., Box]) -> None:
    box = make("say One. Two. Three. Four. Five. Six.")
    box.wake()
    box.say("tell me")
    assert box.record().said == "One. Two. Three."


def test_broken_model_is_apologised_for(make: Callable[..., Box], monkeypatch: pytest.MonkeyPatch) -> None:
    box = make()

    def breaks(*_: object) -> Iterator[str]:
        raise TurnFailed("llama.cpp could not decode", remedy="restart")

    monkeypatch.setattr(box.model, "generate", breaks)
    box.wake()
    box.say("hello")
    assert box.record().outcome == "error"
    box.reaches(State.FOLLOW_UP)
    assert box.speaker.played


def test_tool_that_asks_back_opens_a_question(make: Callable[..., Box]) -> None:
    box = make('cancel_timer(label="soup")')
    box.timers.add("tea", 60)
    box.timers.add("egg", 60)
    box.wake()
    box.say("cancel the soup")
    record = box.record()
    assert (record.steps[0].outcome, record.outcome) == ("error", "asked")
    assert "tea" in record.said
    assert "egg" in record.said


def test_microphone_that_vanishes_under_an_answer_cuts_nothing_off(make: Callable[..., Box]) -> None:
    microphone = DeadMicrophone()
    box = make("say One moment. This is a fairly long answer, said in full.", microphone=microphone)
    box.until(lambda: microphone.opened, "an open microphone")
    box.wake()
    box.say("tell me")
    box.reaches(State.SPEAKING)
    microphone.misses = 1_000
    assert box.record().said.endswith("said in full.")
    box.reaches(State.FAULTED)
    microphone.misses = 0
    box.reaches(State.IDLE)


def test_timer_that_ends_while_somebody_speaks_does_not_chime_into_it(make: Callable[..., Box]) -> None:
    box = make()
    box.wake()
    box.timers.add("egg", 0.05)
    box.until(box.timers.ringing, "an egg")
    time.sleep(0.6)
    assert (box.service.state, box.voice.chimes) == (State.LISTENING, 0)
    box.service.post(ev.NothingHeard(box.ears.attended[-1][1]))
    box.reaches(State.RINGING)


def test_timer_waits_while_a_press_would_take_a_call(make: Callable[..., Box]) -> None:
    box = make()
    box.service.post(ev.CallCame())
    box.reaches(State.CALLED)
    box.timers.add("egg", 0.05)
    box.until(box.timers.ringing, "an egg")
    time.sleep(0.6)
    assert (box.service.state, box.voice.chimes) == (State.CALLED, 0)
    box.service.post(ev.CallEnded())
    box.reaches(State.RINGING)


def test_timer_does_not_chime_into_what_goes_to_another_box(make: Callable[..., Box]) -> None:
    box = make()
    box.service.post(ev.CallBegan())
    box.reaches(State.PLAYING)
    box.service.post(ev.CallQuiet())
    box.reaches(State.TALKING)
    box.timers.add("egg", 0.05)
    box.until(box.timers.ringing, "an egg")
    time.sleep(0.6)
    assert (box.service.state, box.voice.chimes) == (State.TALKING, 0)
    box.service.post(ev.NothingHeard())
    box.reaches(State.RINGING)


def test_timer_that_was_heard_in_a_call_rings_on_when_the_other_end_is_gone(make: Callable[..., Box]) -> None:
    box = make()
    box.service.post(ev.CallBegan())
    box.reaches(State.PLAYING)
    box.timers.add("egg", 0.05)
    box.until(lambda: bool(box.voice.chimes), "a chime")
    box.service.post(ev.CallEnded())
    box.reaches(State.RINGING)
    assert [timer.label for timer in box.timers.all()] == ["egg"]


def test_stop_is_heard_while_the_box_tells_something_by_itself(make: Callable[..., Box]) -> None:
    box, heard = make(), list[str]()
    box.watched = lambda event: heard.append(type(event).__name__)
    box.service.post(ev.NewsBegan())
    box.until(lambda: box.ears.attended[-1][0] is Attention.OVERHEAR, "open ears")
    box.overhears("stop")
    box.until(lambda: "StopHeard" in heard, "the stop")
    box.service.post(ev.NewsEnded())
    box.until(lambda: box.ears.attended[-1][0] is Attention.WAKE, "rest")
    assert box.service.state is State.IDLE


def test_timer_that_ends_while_somebody_goes_on_lets_them_finish(make: Callable[..., Box]) -> None:
    box = make("say Yes?", "say Yes?", "say Right.", "say Right.")
    box.wake()
    box.say("jarvis")
    box.reaches(State.FOLLOW_UP)
    box.timers.add("egg", 0.05)
    box.until(box.timers.ringing, "an egg")
    assert box.ears.attended[-1][0] is Attention.FOLLOW_UP
    box.say("i dug the whole pond on my own")
    box.until(lambda: len(box.records) == 2, "an answer")
    assert box.records[-1].heard == "i dug the whole pond on my own"
    box.reaches(State.RINGING)


def test_yes_to_the_fact_that_was_read_out_forgets_it(make: Callable[..., Box]) -> None:
    box = make('forget(what="birthday")')
    box.memory.save("The user's birthday is in May", "user", datetime.now(UTC))
    box.wake()
    box.say("please forget about my birthday")
    record = box.record()
    assert (record.said, record.outcome) == ("Shall I forget this: Your birthday is in May?", "asked")
    box.reaches(State.FOLLOW_UP)
    box.say("yes")
    assert box.record().said == "Forgotten: Your birthday is in May."
    assert box.memory.facts() == []


def test_what_is_not_known_is_not_asked_about(make: Callable[..., Box]) -> None:
    box = make('forget(what="birthday")')
    box.wake()
    box.say("please forget about my birthday")
    assert box.record().said == "I have nothing stored about birthday."


@pytest.mark.parametrize("line", ["forget that", "set a timer for ten minutes. Oh, forget that."])
def test_forget_that_asks_before_an_old_fact_goes(make: Callable[..., Box], line: str) -> None:
    box = make()
    box.memory.save("The user's dog is called Rex", "user", datetime.now(UTC) - timedelta(hours=1))
    box.wake()
    box.say(line)
    assert box.record().said.endswith("Shall I forget this: Your dog is called Rex?")
    assert len(box.memory.facts()) == 1


def test_forget_that_takes_back_what_was_told_just_now(make: Callable[..., Box]) -> None:
    box = make()
    box.memory.save("The user's dog is called Rex", "user", datetime.now(UTC))
    box.wake()
    box.say("forget that")
    assert box.record().said == "Forgotten: Your dog is called Rex."


def test_vanished_microphone_comes_back_by_itself(make: Callable[..., Box]) -> None:
    box = make(microphone=DeadMicrophone(misses=2))
    box.reaches(State.FAULTED)
    box.reaches(State.IDLE)


def test_muted_box_holds_no_microphone(make: Callable[..., Box]) -> None:
    microphone = DeadMicrophone()
    box = make(microphone=microphone)
    box.until(lambda: microphone.opened, "an open microphone")
    box.service.post(ev.MuteToggled())
    box.until(lambda: not microphone.opened, "a closed microphone")
    box.service.post(ev.MuteToggled())
    box.until(lambda: microphone.opened, "an open microphone again")


@pytest.mark.parametrize("state", [State.THINKING, State.SPEAKING])
def test_mute_that_is_asked_for_closes_the_microphone_while_the_box_is_busy(
    make: Callable[..., Box], state: State
) -> None:
    microphone = DeadMicrophone()
    long = "say One moment. This is a fairly long answer, said in full."
    box = make(long, hangs=state is State.THINKING, microphone=microphone)
    box.until(lambda: microphone.opened, "an open microphone")
    box.wake()
    box.say("tell me a story")
    box.reaches(state)
    box.service.mute()
    assert box.service.muted(PATIENCE_S)
    assert (microphone.opened, box.service.state) == (False, State.MUTED)


def test_journal_line_holds_nobodys_words() -> None:
    record = TurnRecord(turn=1, conversation="c-1", heard="my secret", said="your secret")
    assert "secret" not in record.as_log()
    assert "secret" in record.as_json()
