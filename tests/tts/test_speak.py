"""Replies are spoken clause by clause and stop at once; timers ring whatever else hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from appliance.audio import Speech, Stale, never
from appliance.errors import ApplianceError, DeviceMissing, TurnFailed
from appliance.settings import RingSound
from appliance.simulated import CannedSynthesizer, RecordingSpeaker
from appliance.tts.ring import LEAST_VOLUME, RINGS, Ring, chime
from appliance.tts.speak import Voice
from appliance.tts.text import TextMouth

CHIME_S = chime().seconds


class Scene:
    """A voice with all that was heard of it."""

    def __init__(self, synthesizer: CannedSynthesizer, speaker: RecordingSpeaker) -> None:
        self.synthesizer, self.speaker = synthesizer, speaker
        self.errors: list[ApplianceError | None] = []
        self.starts: list[float] = []
        self.voice = Voice(synthesizer, speaker, self.errors.append)

    def reply(self, text: str, stale: Callable[[], bool] = never) -> str:
        mouth = self.voice.begin(stale, self.starts.append)
        for word in text.split(" "):
            mouth.say(word + " ")
        return mouth.finish()

    @property
    def chimes(self) -> list[float]:
        return [at_s for at_s, speech in self.speaker.played if speech.seconds == CHIME_S]


def scene(takes_s: float = 0, realtime: bool = False) -> Scene:
    return Scene(CannedSynthesizer(takes_s), RecordingSpeaker(realtime))


@pytest.fixture
def quick() -> Iterator[Scene]:
    one = scene()
    with one.voice:
        yield one


@pytest.fixture
def paced() -> Iterator[Scene]:
    one = scene(realtime=True)
    with one.voice:
        yield one


def eventually(true: Callable[[], object], within_s: float = 3) -> None:
    ends_s = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def test_reply_is_spoken_in_words_and_told_as_written(quick: Scene) -> None:
    assert quick.reply("**It is** 391. See you at 3:30 pm!") == "It is 391. See you at 3:30 pm!"
    assert quick.synthesizer.clauses == ["It is three hundred ninety one.", "See you at three thirty p m!"]
    assert len(quick.speaker.played) == 2


def test_start_is_told_once_with_the_time_of_the_first_sample(quick: Scene) -> None:
    quick.reply("One. Two. Three.")
    assert quick.starts == [quick.speaker.played[0][0]]


def test_next_clause_is_made_while_one_plays() -> None:
    one = scene(takes_s=0.2, realtime=True)
    with one.voice:
        one.reply("Abcdefg. Hijklmn. Opqrstu.")
        gaps = [b - a - s.seconds for (a, s), (b, _) in zip(one.speaker.played, one.speaker.played[1:], strict=False)]
        assert max(gaps) < 0.1


def test_clause_sounds_before_the_whole_of_it_is_made() -> None:
    slow = scene(takes_s=0.4)
    with slow.voice:
        begin_s = time.monotonic()
        assert slow.reply("It is a quarter past nine.") == "It is a quarter past nine."
        assert slow.starts[0] - begin_s < 0.3 < 0.4 <= time.monotonic() - begin_s
    (_, played), *more = slow.speaker.played
    assert played.seconds == pytest.approx(0.05 * len("It is a quarter past nine."), rel=0.01)
    assert not more


def test_voice_that_breaks_within_a_clause_has_said_the_first_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    one = scene()
    whole = one.synthesizer.synthesize

    def torn(clause: str, stale: Stale, hurried: bool) -> Iterator[Speech]:
        yield next(whole(clause))
        raise TurnFailed("no memory", remedy="free some")

    monkeypatch.setattr(one.synthesizer, "synthesize", torn)
    voice = Voice(one.synthesizer, one.speaker, one.errors.append)
    with voice:
        mouth = voice.begin(never, one.starts.append)
        mouth.say("The kettle is on.\n")
        assert mouth.finish() == "The kettle is on."
        eventually(lambda: one.errors)
    assert len(one.starts) == 1
    assert [bool(error) for error in one.errors] == [True], "half a clause is no sign that all is well"


def test_nothing_to_say_ends_at_once(quick: Scene) -> None:
    assert quick.reply("") == ""
    assert quick.reply("😀 ***") == ""
    assert quick.speaker.played == []


def test_stop_is_heard_within_100_ms_and_only_what_was_said_counts(paced: Scene) -> None:
    stop = threading.Event()
    said: list[str] = []
    reply = threading.Thread(target=lambda: said.append(paced.reply("One. " + "Long" * 25 + ". Three.", stop.is_set)))
    reply.start()
    eventually(lambda: len(paced.starts) == 1 and len(paced.speaker.played) == 1)
    time.sleep(0.1)
    stop.set()
    begin_s = time.monotonic()
    reply.join()
    assert time.monotonic() - begin_s < 0.1
    assert said == ["One."]
    eventually(lambda: len(paced.speaker.played) == 2)
    assert paced.speaker.played[1][1].seconds < 0.5
    assert paced.reply("Next.") == "Next."


def test_fixed_sentences_are_made_once(quick: Scene) -> None:
    quick.reply("Sorry, something went wrong.")
    quick.reply("Sorry, something went wrong.")
    assert quick.synthesizer.clauses == ["Sorry, something went wrong."]


def test_ringing_chimes_announces_once_and_leaves_gaps(paced: Scene) -> None:
    paced.voice.ring(["Tea."])
    eventually(lambda: len(paced.chimes) == 2, within_s=5)
    kinds = [speech.seconds == CHIME_S for _, speech in paced.speaker.played]
    assert kinds == [True, False, True]
    assert paced.speaker.played[2][0] - paced.speaker.played[1][0] > 1.0
    assert paced.synthesizer.clauses == ["Tea."]


def test_ringing_is_played_no_softer_than_can_be_heard_and_all_else_is(quick: Scene) -> None:
    quick.reply("One.")
    quick.voice.ring(["Tea."])
    eventually(lambda: len(quick.speaker.played) >= 3)
    assert [speech.least_volume for _, speech in quick.speaker.played[:3]] == [0, LEAST_VOLUME, LEAST_VOLUME]


def test_silence_is_heard_within_100_ms(paced: Scene) -> None:
    paced.voice.ring(["Tea."])
    time.sleep(0.2)
    silenced_s = time.monotonic()
    paced.voice.silence()
    eventually(lambda: paced.speaker.played)
    at_s, heard = paced.speaker.played[0]
    assert at_s + heard.seconds < silenced_s + 0.1
    time.sleep(1.2)
    assert len(paced.speaker.played) == 1


def test_reply_comes_before_the_ringing(paced: Scene) -> None:
    paced.voice.ring()
    time.sleep(0.1)
    asked_s = time.monotonic()
    assert paced.reply("One. Two.") == "One. Two."
    assert paced.starts[0] - asked_s < 0.2
    assert len(paced.chimes) == 0  # the one that was cut short
    eventually(lambda: len(paced.chimes) == 1)


def test_ringing_does_not_wait_for_a_reply_that_hangs(quick: Scene) -> None:
    mouth = quick.voice.begin(never, quick.starts.append)
    mouth.say("One moment please. And then")
    quick.voice.ring()
    eventually(lambda: quick.chimes)


def test_lost_speaker_is_told_once_and_tried_again(quick: Scene) -> None:
    quick.speaker.broken = DeviceMissing("the speaker is gone", remedy="plug it in")
    assert quick.reply("One. Two.") == "One. Two."
    assert len(quick.errors) == 1
    quick.speaker.broken = None
    assert quick.reply("Three.") == "Three."
    assert len(quick.speaker.played) == 1
    assert quick.errors[1:] == [None], "that it is back is told too"


@pytest.mark.parametrize("part", ["speaker", "synthesizer"])
def test_who_waits_for_the_end_knows_of_the_failure(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(clause: str, stale: Stale, hurried: bool) -> Speech:
        raise MemoryError

    def failed(error: ApplianceError | None) -> None:
        time.sleep(0.1)
        one.errors.append(error)

    one = scene()
    if part == "speaker":
        one.speaker.broken = DeviceMissing("the speaker is gone", remedy="plug it in")
    else:
        monkeypatch.setattr(one.synthesizer, "synthesize", refuse)
    with Voice(one.synthesizer, one.speaker, failed) as voice:
        mouth = voice.begin(never, one.starts.append)
        mouth.say("One.\n")
        mouth.finish()
        assert len(one.errors) == 1


def test_only_what_could_be_heard_of_the_ringing_counts(quick: Scene) -> None:
    quick.speaker.broken = DeviceMissing("the speaker is gone", remedy="plug it in")
    quick.voice.ring(["Tea."])
    eventually(lambda: quick.errors)
    assert quick.voice.chimes == 0
    quick.speaker.broken = None
    eventually(lambda: quick.voice.chimes == 2)
    assert len(quick.speaker.played) == 2, "and the tea was told of after the first chime"


def test_chime_that_breaks_off_was_not_heard(quick: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(sound: object, stale: object, started: Callable[[float], None]) -> None:
        started(time.monotonic())
        raise DeviceMissing("the speaker is gone", remedy="plug it in")

    monkeypatch.setattr(quick.speaker, "play", torn)
    quick.voice.ring()
    eventually(lambda: quick.errors)
    eventually(lambda: quick.voice.chimes == 0)


def test_chime_after_one_that_broke_off_counts_for_who_joined_meanwhile(
    quick: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined: list[int] = []

    def torn(sound: object, stale: object, started: Callable[[float], None]) -> None:
        started(time.monotonic())
        joined.append(quick.voice.chimes)
        monkeypatch.undo()
        raise DeviceMissing("the speaker is gone", remedy="plug it in")

    monkeypatch.setattr(quick.speaker, "play", torn)
    quick.voice.ring()
    eventually(lambda: quick.speaker.played)
    assert joined[0] < quick.voice.chimes


def test_broken_synthesizer_does_not_end_the_voice(quick: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(clause: str, stale: Stale, hurried: bool) -> Speech:
        raise MemoryError

    one = Scene(CannedSynthesizer(), RecordingSpeaker())
    monkeypatch.setattr(one.synthesizer, "synthesize", refuse)
    voice = Voice(one.synthesizer, one.speaker, one.errors.append)
    with voice:
        mouth = voice.begin(never, one.starts.append)
        mouth.say("One.")
        mouth.finish()
        voice.ring()
        eventually(lambda: one.chimes)
    assert len([error for error in one.errors if error]) == 1  # a chime that sounds is good news


def test_close_ends_a_reply_and_may_be_repeated(paced: Scene) -> None:
    reply = threading.Thread(target=lambda: paced.reply("Very long words. " * 20))
    reply.start()
    eventually(lambda: paced.starts)
    paced.voice.close()
    paced.voice.close()
    reply.join(timeout=0.5)
    assert not reply.is_alive()


def test_chime_is_short_and_does_not_click() -> None:
    samples = chime().samples
    assert 0.5 < chime().seconds < 1
    assert 8_000 < np.abs(samples).max() < 20_000
    assert max(abs(samples[0]), abs(samples[-1])) < 100


def test_text_mouth_hands_on_clauses_as_they_come() -> None:
    told: list[str] = []
    mouth = TextMouth(told.append)
    mouth.say("**It is** 391. ")
    mouth.say("And")
    assert told == ["It is 391."]
    assert mouth.finish() == "It is 391. And"


def test_text_mouth_says_nothing_once_stale() -> None:
    mouth = TextMouth(stale=lambda: True)
    mouth.say("One. Two.")
    assert mouth.finish() == ""


def test_the_first_chimes_rise_and_then_it_stays_as_loud() -> None:
    ring = Ring("bell")
    ring.start()
    loud = []
    for _ in range(7):
        speech = ring.speech()
        loud.append(int(np.abs(speech.samples).max()))
        ring.played(speech, cut_off=False)
    assert loud[:5] == sorted(set(loud[:5]))
    assert loud[4:] == [loud[4]] * 3
    assert loud[0] < loud[4] / 2
    ring.stop()
    ring.start()
    assert np.abs(ring.speech().samples).max() == loud[0]


@pytest.mark.parametrize("sound", RINGS)
def test_each_ring_is_loud_and_short(sound: RingSound) -> None:
    made = chime(sound)
    assert 0.4 < made.seconds < 1.5
    assert np.abs(made.samples).max() > 32_767 * 0.45
