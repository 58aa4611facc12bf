"""The real models on synthetic speech: tests/recordings, by Piper (joe) and espeak-ng (scottish, harvest)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from appliance.audio import FRAME, Samples, read_wav
from appliance.ears.in_series import InSeries
from appliance.ears.listen import CALL_S, Listener
from appliance.ears.microwake import MicroWake
from appliance.ears.speech import Silero
from appliance.ears.turn_end import SmartTurn, log_mel
from appliance.ears.utterance import CALL_PAUSE_S
from appliance.ears.wakehubert import HOP, WINDOW, WakeHubert
from appliance.ears.words import HUBERT, LIKELY, MICRO, PERHAPS, detector
from appliance.errors import ModelDamaged, ModelMissing
from appliance.events import Event, NothingHeard, SpeechPaused, UtteranceEnded, WakeHeard
from appliance.ports import Attention, WakeDetector
from appliance.settings import Ears
from appliance.simulated import ScriptedMicrophone

ModelPath = Callable[..., Path]
RECORDINGS = Path(__file__).parents[1] / "recordings"


def recording(name: str) -> Samples:
    return read_wav(RECORDINGS / f"{name}.wav")


def room(seconds: float, level: float = 20) -> Samples:
    """The faint noise of a room; `level`: standard deviation in int16 steps."""
    return np.random.default_rng(1).normal(0, level, round(seconds * 16_000)).astype(np.int16)


@pytest.fixture(scope="module")
def wake(model: ModelPath) -> WakeDetector:
    return detector({"hey_jarvis": _files(model, "hey_jarvis")}, model("wake/features"))


def _files(model: ModelPath, word: str) -> dict[str, Path]:
    return {key: model(f"wake/{word}", key) for key in (MICRO, HUBERT)}


@pytest.fixture(scope="module")
def turn_end(model: ModelPath) -> SmartTurn:
    return SmartTurn(model("smart-turn-v3.2"))


@pytest.fixture
def silero(model: ModelPath) -> Silero:
    return Silero(model("silero-vad"))


def scores(wake: WakeDetector, sound: Samples, step: int = FRAME) -> list[float]:
    wake.reset()
    return [wake.score(sound[at : at + step])[1] for at in range(0, len(sound) - step + 1, step)]


@pytest.mark.parametrize("name", ["hey_jarvis", "hey_jarvis_scottish", "hey_jarvis_tokyo"])
def test_its_word_is_heard_loud_and_soft(wake: WakeDetector, name: str) -> None:
    sound = np.concatenate([room(2), recording(name), room(1)])
    assert max(scores(wake, sound)) > 0.6
    assert max(scores(wake, (sound // 10).astype(np.int16))) > 0.5


def test_two_in_series_score_no_higher_than_either(model: ModelPath, wake: WakeDetector) -> None:
    files = _files(model, "hey_jarvis")
    first = MicroWake("hey_jarvis", files[MICRO], PERHAPS)
    second = WakeHubert({"hey_jarvis": files[HUBERT]}, model("wake/features"), {"hey_jarvis": LIKELY})
    sound = np.concatenate([room(2), recording("hey_jarvis"), room(1)])
    assert max(scores(wake, sound)) <= min(max(scores(first, sound)), max(scores(second, sound)) + 0.01)


def test_the_second_is_not_asked_as_long_as_the_first_says_no(model: ModelPath) -> None:
    asked = list[int]()

    def look(window: Samples) -> dict[str, float]:
        asked.append(len(window))
        return {"hey_jarvis": 0.0}

    both = InSeries(MicroWake("hey_jarvis", model("wake/hey_jarvis", MICRO), PERHAPS), look)
    assert max(scores(both, np.concatenate([room(3), recording("tokyo")]))) == 0.0
    assert not asked
    scores(both, np.concatenate([room(2), recording("hey_jarvis")]))
    assert set(asked) == {WINDOW}


def test_windows_of_the_second_are_those_that_hops_end(model: ModelPath) -> None:
    """What it is shown afterwards is what it would have been shown at the time."""
    second = WakeHubert({"hey_jarvis": model("wake/jarvis", HUBERT)}, model("wake/features"))
    shown = list[Samples]()

    class Late:
        """Says the word so long after it was said."""

        heard = 0

        def reset(self) -> None: ...

        def score(self, frame: Samples) -> tuple[str, float]:
            self.heard += 1
            return "hey_jarvis", float(self.heard > 100)

    def look(window: Samples) -> dict[str, float]:
        shown.append(window)
        return second.scores(window)

    sound = np.concatenate([room(2), recording("hey_jarvis"), room(2)])
    both = InSeries(Late(), look)
    scores(both, sound)
    assert shown
    for window in shown:
        ends = range(-(-WINDOW // HOP) * HOP, len(sound) + 1, HOP)
        assert any(np.array_equal(window, sound[end - WINDOW : end]) for end in ends)


def test_nothing_fires_just_after_a_reset(wake: WakeDetector) -> None:
    scores(wake, recording("hey_jarvis"))  # ends in the middle of the wake word's high scores
    assert max(scores(wake, room(1.5))) < 0.1
    assert max(scores(wake, room(1.5, level=2_000))) < 0.3
    assert max(scores(wake, recording("multiply"))) < 0.3
    assert scores(wake, recording("yes")) == scores(wake, recording("yes"))


@pytest.mark.parametrize("word", ["alexa", "hey_jarvis"])
def test_other_words_are_not_the_wake_word(model: ModelPath, word: str) -> None:
    wake = detector({word: _files(model, word)}, model("wake/features"))
    for name in ("harvest", "tokyo", "multiply", "yes"):
        assert max(scores(wake, np.concatenate([room(2), recording(name), room(1)]))) < 0.4


def test_second_wake_word_changes_no_score(model: ModelPath, wake: WakeDetector) -> None:
    words = {name: _files(model, name) for name in ("hey_jarvis", "alexa")}
    both = detector(words, model("wake/features"))
    sound = np.concatenate([room(2), recording("hey_jarvis")])
    one, two = scores(wake, sound), scores(both, sound)
    assert max(one) == pytest.approx(max(two), abs=1e-6)


def test_missing_and_broken_models_are_told(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        SmartTurn(tmp_path / "nothing.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(ModelDamaged):
        SmartTurn(broken)


def test_speech_is_told_from_noise(silero: Silero) -> None:
    def share(sound: Samples) -> float:
        silero.reset()
        frames = sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME)
        return float(np.mean([silero.probability(frame) > 0.5 for frame in frames]))

    assert share(recording("multiply")) > 0.8
    assert share(room(2)) == 0
    assert share(room(2, level=3_000)) < 0.05


def test_reset_speech_detector_is_as_new(silero: Silero) -> None:
    frames = recording("yes")[: 10 * FRAME].reshape(-1, FRAME)
    first = [silero.probability(frame) for frame in frames]
    silero.reset()
    assert [silero.probability(frame) for frame in frames] == first


def test_finished_sentence_sounds_finished_and_a_hesitation_does_not(turn_end: SmartTurn) -> None:
    for name in ("tokyo", "multiply", "yes", "hey_jarvis_tokyo"):
        assert turn_end.probability(np.concatenate([recording(name), room(0.2)])) > 0.5
    assert turn_end.probability(np.concatenate([recording("timer_unfinished"), room(0.2)])) < 0.2


def test_only_the_last_8_s_decide(turn_end: SmartTurn) -> None:
    ending = np.concatenate([room(6), recording("multiply"), room(0.2)])[-8 * 16_000 :]
    assert turn_end.probability(np.concatenate([recording("stop"), ending])) == turn_end.probability(ending)


def test_mel_of_a_tone_peaks_in_its_band() -> None:
    def tone(hz: float) -> NDArray[np.float32]:
        return np.sin(2 * np.pi * hz * np.arange(16_000) / 16_000).astype(np.float32)

    # slaney's scale: 3 mel a 200 Hz up to 1 kHz, and 80 bands over 45.245 mel
    for hz, mel in ((400, 6), (1_000, 15), (6_400, 42)):
        mels = log_mel(tone(hz))
        assert mels.shape == (80, 100)
        assert abs(int(mels[:, 50].argmax()) - (mel / 45.245 * 81 - 1)) <= 1


class Box:
    """Real ears; attends to a command once it wakes, as the service does."""

    def __init__(self, wake: WakeDetector, silero: Silero, turn_end: SmartTurn) -> None:
        self.listener = Listener(wake, silero, turn_end, Ears())

    def hear(self, sound: Samples, late: int = 2) -> list[Event]:
        """`late`: frames that the service takes to answer the wake word."""
        microphone = ScriptedMicrophone(sound)
        self.listener.attend(Attention.WAKE, 0)
        events: list[Event] = []
        countdown = -1
        while True:
            try:
                new = self.listener.feed(microphone.read())
            except EOFError:
                return events
            events += new
            countdown = late if any(isinstance(event, WakeHeard) for event in new) else countdown - 1
            if countdown == 0:
                self.listener.attend(Attention.COMMAND, 1)


@pytest.fixture
def box(wake: WakeDetector, silero: Silero, turn_end: SmartTurn) -> Box:
    return Box(wake, silero, turn_end)


def test_question_in_one_breath_is_heard_whole(box: Box) -> None:
    sound = np.concatenate([room(2), recording("hey_jarvis_tokyo"), room(2)])
    woke, *_, ended = box.hear(sound)
    assert isinstance(woke, WakeHeard)
    assert isinstance(ended, UtteranceEnded)
    assert ended.utterance is not None
    assert ended.utterance.called
    assert 2.4 < ended.utterance.seconds < 3.3  # all of the recording, and no more than 0.7 s before it
    assert ended.decided_s - ended.speech_ended_s < 0.5
    assert ended.speech_ended_s == pytest.approx(2 + 2.4 - 0.05, abs=0.15)


@pytest.mark.parametrize("pause_s", [0.4, 1.0, 3.0])
@pytest.mark.parametrize("name", ["hey_jarvis", "hey_jarvis_scottish"])
def test_question_after_a_pause_is_one_utterance(box: Box, name: str, pause_s: float) -> None:
    sound = np.concatenate([room(2), recording(name), room(pause_s), recording("multiply"), room(2)])
    events = box.hear(sound)
    assert [type(event) for event in events if not isinstance(event, SpeechPaused)] == [WakeHeard, UtteranceEnded]
    ended = events[-1]
    assert isinstance(ended, UtteranceEnded)
    assert ended.utterance is not None
    assert ended.utterance.called == (pause_s <= CALL_PAUSE_S)  # which counts from the event
    before_s = CALL_S - 0.2 + pause_s if ended.utterance.called else 0.3  # the wake event comes up to 0.4 s late
    assert ended.utterance.seconds == pytest.approx(2.2 + before_s + 0.2, abs=0.3)


def test_wake_word_alone_times_out(box: Box) -> None:
    events = box.hear(np.concatenate([room(2), recording("hey_jarvis"), room(6)]))
    assert [type(event) for event in events] == [WakeHeard, NothingHeard]


def test_hesitation_is_waited_for(box: Box) -> None:
    sound = [room(2), recording("hey_jarvis"), room(0.8), recording("timer_unfinished"), room(0.5), recording("yes")]
    events = box.hear(np.concatenate([*sound, room(2)]))
    assert [type(event) for event in events if not isinstance(event, SpeechPaused)] == [WakeHeard, UtteranceEnded]
    ended = events[-1]
    assert isinstance(ended, UtteranceEnded)
    assert ended.utterance is not None
    assert ended.utterance.seconds > 2.0 + 0.5 + 0.5  # both parts and the pause between them


def test_nobody_said_the_wake_word(box: Box) -> None:
    assert box.hear(np.concatenate([room(2), recording("harvest"), room(1), recording("multiply"), room(2)])) == []
