"""The watchdog is fed while ears, loop and voice live, and starves when one hangs: real threads, real socket."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest
from manager import Manager
from nobody import Nobody

from appliance import events as ev
from appliance.audio import Frame, Speech, Stale, Utterance, never, silence
from appliance.body.clock import SystemClock
from appliance.doors.notify import ServiceManager
from appliance.ports import Microphone, Speaker, Synthesizer
from appliance.service import loop
from appliance.service import vitals as signs
from appliance.service.loop import Service
from appliance.service.own_words import OwnWords
from appliance.service.ringing import Ringing
from appliance.service.states import State
from appliance.service.supervision import WORDS, Supervision
from appliance.service.turn import SpokenTurns
from appliance.service.vitals import Part, Vitals
from appliance.settings import Settings, Sound
from appliance.simulated import (
    CannedSynthesizer,
    DeadMicrophone,
    MemoryTimers,
    MemoryValues,
    RecordingSpeaker,
    ScriptedEars,
)
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools
from appliance.tts import speak
from appliance.tts.speak import Voice

PATIENCE_S = 10
LIMIT_S = 1.0
"""After so long without a sign of life a part hangs, here; and the loop looks every 0.1 s."""
STARVED_S = 1.0
"""A fed watchdog hears some 10 words in this."""


class HungMicrophone(DeadMicrophone):
    """Gives silence, until it hangs as a driver does: reading never comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.hang, self.release = Event(), Event()

    def read(self) -> Frame:
        if self.hang.is_set():
            self.release.wait(PATIENCE_S)
        return super().read()


class HungSpeaker(RecordingSpeaker):
    """Swallows a sound and never comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.release = Event()

    def play(self, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        self.release.wait(PATIENCE_S)


class HungSynthesizer(CannedSynthesizer):
    """Never comes back with a piece."""

    def __init__(self) -> None:
        super().__init__()
        self.release = Event()

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        self.release.wait(PATIENCE_S)
        return super().synthesize(clause)


class Watched:
    """A service under a service manager."""

    def __init__(
        self, folder: Path, microphone: Microphone, speaker: Speaker, synthesizer: Synthesizer | None = None
    ) -> None:
        self.manager, self.vitals = Manager(folder / "notify"), Vitals(thought_s=LIMIT_S)
        environment = {"NOTIFY_SOCKET": self.manager.address, "WATCHDOG_USEC": "400000"}
        supervision = Supervision(ServiceManager(environment), self.vitals)
        clock = SystemClock(UTC)
        timers = Timers(MemoryTimers(), clock, 5)
        self.voice = Voice(
            synthesizer or CannedSynthesizer(),
            speaker,
            lambda error: None,
            beat=partial(self.vitals.beat, Part.PLAYBACK),
            at_work=partial(self.vitals.at_work, Part.VOICE),
        )
        self.thinker, self.heard = Nobody(), ""
        self.on_event: Callable[[], object] = lambda: None
        self.on_words: Callable[[], object] = lambda: None
        self.service = Service(
            microphone,
            ScriptedEars(),
            lambda post: SpokenTurns(
                self._hear, self.thinker, OwnWords(self.voice), bool, post, lambda r, m: None, paced=True
            ),
            Ringing(timers, TimerTools(timers, clock), self.voice, 5),
            Settings(sound=Sound(retry_s=60)),
            MemoryValues(),
            self._watch,
            vitals=self.vitals,
            each_round=supervision.each_round,
        )
        self._thread = Thread(target=self.service.run, daemon=True)

    def __enter__(self) -> Watched:
        self.voice.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.service.stop()
        self._thread.join(PATIENCE_S)
        self.voice.close()
        self.manager.close()

    def _hear(self, utterance: Utterance, stale: Stale) -> str:
        with self.vitals.at_work(Part.WORDS):
            self.on_words()
        return self.heard

    def _watch(self, event: ev.Event, state: State) -> None:
        self.on_event()

    def is_fed(self) -> bool:
        return self.manager.count("WATCHDOG", STARVED_S) > 0

    def starves(self) -> bool:
        time.sleep(LIMIT_S + 0.3)
        return not self.is_fed()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "LONGEST_S", LIMIT_S)
    monkeypatch.setattr(signs, "WORK_S", LIMIT_S)
    monkeypatch.setattr(speak, "BEAT_S", 0.1)
    monkeypatch.setattr(loop, "LOOK_S", 0.1)


@pytest.fixture
def well(tmp_path: Path) -> Iterator[Watched]:
    with Watched(tmp_path, DeadMicrophone(), RecordingSpeaker(realtime=True)) as made:
        made.manager.await_field("READY", PATIENCE_S)
        yield made


def test_fed_as_long_as_all_is_well(well: Watched) -> None:
    time.sleep(2 * LIMIT_S)
    assert well.is_fed()
    assert well.vitals.alive() == (True, {"alive": True, "late": []})
    assert well.vitals.ready()[0]


def test_stopped_loop_starves_it(well: Watched) -> None:
    stopped = Event()
    well.on_event = partial(stopped.wait, PATIENCE_S)
    well.service.post(ev.ButtonPressed())
    assert well.starves()
    assert well.vitals.alive() == (False, {"alive": False, "late": ["loop"]})
    assert "loop" in str(well.vitals.ready())
    well.on_event = lambda: None
    stopped.set()
    assert well.manager.await_field("WATCHDOG", PATIENCE_S) == "1"


def test_hung_capture_starves_it(tmp_path: Path) -> None:
    microphone = HungMicrophone()
    with Watched(tmp_path, microphone, RecordingSpeaker()) as box:
        box.manager.await_field("READY", PATIENCE_S)
        microphone.hang.set()
        assert box.starves()
        assert box.vitals.late() == ["capture"]
        microphone.hang.clear()
        microphone.release.set()


def test_hung_playback_starves_it(tmp_path: Path) -> None:
    speaker = HungSpeaker()
    with Watched(tmp_path, DeadMicrophone(), speaker) as box:
        box.manager.await_field("READY", PATIENCE_S)
        box.voice.begin(never, lambda at_s: None).say("Nobody hears this.\n")
        assert box.starves()
        assert box.vitals.late() == ["playback"]
        speaker.release.set()


def test_hung_words_starve_it(well: Watched) -> None:
    release = Event()
    well.on_words = partial(release.wait, PATIENCE_S)
    well.service.post(ev.ButtonPressed())
    well.service.post(ev.UtteranceEnded(utterance=Utterance(silence(1))))
    assert well.starves()
    assert well.vitals.late()[0] == "words", "and the turn waits for them, of course"
    release.set()
    assert well.manager.await_field("WATCHDOG", PATIENCE_S) == "1"


def say(box: Watched) -> None:
    """A turn in which something was heard."""
    box.heard = "what time is it"
    box.service.post(ev.ButtonPressed())
    box.service.post(ev.UtteranceEnded(utterance=Utterance(silence(1))))


def test_hung_thought_starves_it_and_so_does_a_turn_that_waits_behind_it(well: Watched) -> None:
    release = Event()
    well.thinker.on_reply = partial(release.wait, PATIENCE_S)
    say(well)
    assert well.starves()
    assert well.vitals.alive() == (False, {"alive": False, "late": ["thought"]})
    assert "thought" in str(well.vitals.ready())
    say(well)
    well.thinker.on_reply = lambda: None
    release.set()
    assert well.manager.await_field("WATCHDOG", PATIENCE_S) == "1"
    assert well.vitals.late() == []


def test_turns_that_are_answered_or_stopped_do_not_starve_it(well: Watched) -> None:
    well.thinker.on_reply = partial(time.sleep, LIMIT_S / 2)
    for _ in range(4):
        say(well)
        time.sleep(LIMIT_S / 2)
    well.service.post(ev.ButtonPressed())
    time.sleep(2 * LIMIT_S)
    assert well.vitals.late() == []
    assert well.is_fed()


def test_hung_making_of_speech_starves_it(tmp_path: Path) -> None:
    synthesizer = HungSynthesizer()
    with Watched(tmp_path, DeadMicrophone(), RecordingSpeaker(), synthesizer) as box:
        box.manager.await_field("READY", PATIENCE_S)
        box.voice.begin(never, lambda at_s: None).say("Nobody hears this.\n")
        assert box.starves()
        assert box.vitals.late() == ["voice"]
        synthesizer.release.set()


def test_a_long_sound_does_not_starve_it_nor_do_those_that_wait_for_it(well: Watched) -> None:
    sounds = Event()
    well.voice.begin(never, lambda at_s: sounds.set()).say(f"A {'long ' * round(60 * LIMIT_S)}story.\n" * 5)
    assert sounds.wait(PATIENCE_S)
    time.sleep(1.5 * LIMIT_S)
    assert well.is_fed()


def test_lost_microphone_is_ready_all_the_same_and_says_so(tmp_path: Path) -> None:
    with Watched(tmp_path, DeadMicrophone(misses=1_000), RecordingSpeaker()) as box:
        box.manager.await_field("READY", PATIENCE_S)
        status = box.manager.await_field("STATUS", PATIENCE_S, "degraded")
        assert "there is no microphone; plug one in" in status
        time.sleep(2 * LIMIT_S)
        assert box.is_fed(), "a missing microphone is no reason to restart, and neither is waiting 60 s for one"
        well, told = box.vitals.ready()
        assert not well
        assert told["microphone"] == "lost"


@pytest.mark.parametrize(
    ("part", "trouble"),
    [("thinking", "the language model is being loaded"), ("keeping", "My memory card is full.")],
)
def test_what_is_gone_is_told_of_and_is_no_reason_for_a_restart(well: Watched, part: str, trouble: str) -> None:
    setattr(well.vitals, part, lambda: trouble)
    assert trouble in well.manager.await_field("STATUS", PATIENCE_S, "degraded")
    ready, told = well.vitals.ready()
    assert (ready, told["trouble"]) == (False, trouble)
    assert well.is_fed()
    setattr(well.vitals, part, lambda: "")
    assert well.vitals.ready()[0]


def test_loading_asks_for_time_and_nothing_is_ready_or_late_before_the_microphone(tmp_path: Path) -> None:
    manager, vitals = Manager(tmp_path / "notify"), Vitals(clock=iter([0.0, 1e6, 2e6]).__next__)
    supervision = Supervision(ServiceManager({"NOTIFY_SOCKET": manager.address}), vitals)
    supervision.loading("loading a model")
    told = manager.told(1)
    assert told is not None
    assert told["STATUS"] == "loading a model"
    assert int(told["EXTEND_TIMEOUT_USEC"]) >= 180_000_000
    supervision.each_round()
    assert manager.told(0.1) is None
    assert vitals.late() == []
    assert vitals.trouble() == "starting"
    manager.close()


def test_long_hold_of_the_button_is_served_like_anything_else(well: Watched) -> None:
    well.service.post(ev.ResetWarned())
    assert well.manager.await_field("STATUS", PATIENCE_S, WORDS[State.RESETTING])
    assert well.is_fed()
    well.service.post(ev.ResetCancelled())
    assert well.manager.await_field("STATUS", PATIENCE_S, WORDS[State.MUTED])


@pytest.mark.parametrize("state", State)
def test_every_state_has_words(state: State) -> None:
    assert WORDS[state]


def test_status_says_what_it_does_in_words(well: Watched) -> None:
    well.service.post(ev.ButtonPressed())
    assert well.manager.await_field("STATUS", PATIENCE_S, "listening") == "listening"
    well.service.post(ev.MuteToggled())
    assert well.manager.await_field("STATUS", PATIENCE_S, "muted") == "muted"
    ends_s = time.monotonic() + PATIENCE_S
    while well.vitals.microphone != "closed" and time.monotonic() < ends_s:
        time.sleep(0.05)
    assert well.vitals.microphone == "closed"
    assert well.vitals.ready()[0], "muted is a wish, not a fault"
    assert well.service.state is State.MUTED
