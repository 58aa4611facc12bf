"""An utterance that may not be over: transcribed and read ahead, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Event

import pytest

from appliance.audio import Stale, Utterance, never, silence
from appliance.errors import Cancelled
from appliance.ports import Mouth, Order, OrderOutcome
from appliance.records import TurnRecord
from appliance.service.own_words import OwnWords
from appliance.service.turn import Moments, SpokenTurns
from appliance.simulated import CannedSynthesizer, RecordingSpeaker
from appliance.tts.speak import Voice

PATIENCE_S = 10.0


class Reader:
    """A `Thinker` that reads ahead until it is let go, or its line is void."""

    def __init__(self) -> None:
        self.read, self.voided, self.replied = list[str](), list[str](), list[str]()
        self.speakers = list[str]()
        self.let_go = Event()

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None:
        if not heard:
            return
        self.read.append(heard)
        while not self.let_go.wait(0.005):
            if stale():
                self.voided.append(heard)
                raise Cancelled

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        self.replied.append(heard)
        self.speakers.append(speaker)
        return TurnRecord(turn=turn, conversation="", heard=heard, outcome="silent")

    def carry_out(self, order: Order) -> tuple[OrderOutcome, str]:
        return "done", ""

    def await_answer(self, order: Order) -> None: ...

    def after(self, stale: Stale) -> None: ...

    def reflect(self, stale: Stale) -> bool:
        return False


class Turns:
    """`words` of a sound are those of its length; it is heard once its event is set."""

    def __init__(self, voice: Voice) -> None:
        self.reader, self.words, self.heard = Reader(), dict[int, tuple[str, Event]](), list[str]()
        self.turns = SpokenTurns(
            self._hear, self.reader, OwnWords(voice), bool, lambda event: None, lambda r, m: None, paced=True,
            who=lambda utterance: f"voice of {utterance.seconds:g} s",
        )  # fmt: skip

    def sound(self, text: str, at_once: bool = True) -> Utterance:
        samples = silence((len(self.words) + 1) / 10)
        self.words[len(samples)] = text, Event()
        if at_once:
            self.words[len(samples)][1].set()
        return Utterance(samples)

    def _hear(self, utterance: Utterance, stale: Stale) -> str:
        text, ready = self.words[len(utterance.samples)]
        while not ready.wait(0.005):
            if stale():
                raise Cancelled
        self.heard.append(text)
        return text


@pytest.fixture
def box() -> Iterator[Turns]:
    with Voice(CannedSynthesizer(), RecordingSpeaker(), lambda error: None) as voice:
        turns = Turns(voice)
        yield turns
        turns.reader.let_go.set()
        turns.turns.close()


def until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.005)


def test_words_of_a_pause_are_read_ahead_and_then_replied_to(box: Turns) -> None:
    sound = box.sound("how deep is the sea")
    box.turns.prepare(sound, never)
    until(lambda: box.reader.read == ["how deep is the sea"])
    box.turns.reply(1, sound, never, Moments())
    time.sleep(0.05)
    assert not box.reader.voided, "the reply needs what is being read"
    box.reader.let_go.set()
    until(lambda: box.reader.replied == ["how deep is the sea"])
    assert box.heard == ["how deep is the sea"]
    assert box.reader.speakers == [f"voice of {sound.seconds:g} s"]


def test_speech_that_goes_on_voids_what_is_read(box: Turns) -> None:
    box.turns.prepare(box.sound("how deep"), never)
    until(lambda: box.reader.read == ["how deep"])
    box.turns.prepare(box.sound("how deep is the sea"), never)
    until(lambda: box.reader.voided == ["how deep"])
    until(lambda: box.reader.read == ["how deep", "how deep is the sea"])
    assert not box.reader.replied


def test_speech_that_goes_on_voids_what_is_transcribed(box: Turns) -> None:
    box.turns.prepare(box.sound("how deep", at_once=False), never)
    box.turns.prepare(box.sound("how deep is the sea"), never)
    until(lambda: box.reader.read == ["how deep is the sea"])
    assert box.heard == ["how deep is the sea"]


def test_words_that_come_after_the_decision_are_not_read_twice(box: Turns) -> None:
    sound = box.sound("how deep is the sea", at_once=False)
    box.turns.prepare(sound, never)
    box.turns.reply(1, sound, never, Moments())
    box.words[len(sound.samples)][1].set()
    until(lambda: box.reader.replied == ["how deep is the sea"])
    assert not box.reader.read


def test_turn_that_ended_reads_nothing_ahead(box: Turns) -> None:
    over = Event()
    box.turns.prepare(box.sound("how deep is the sea"), over.is_set)
    until(lambda: bool(box.reader.read))
    over.set()
    until(lambda: bool(box.reader.voided))


def test_noise_is_not_read(box: Turns) -> None:
    box.turns.prepare(box.sound(""), never)
    until(lambda: box.heard == [""])
    time.sleep(0.05)
    assert not box.reader.read
