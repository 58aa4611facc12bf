"""Settings in, wired appliance out. The only file that names adapters, and loads just those that are asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from appliance import doctor
from appliance import events as ev
from appliance.audio import Samples, Stale, never, silence
from appliance.catalog import SPEECH, TURN_END, WAKE_FEATURES, Catalog
from appliance.chat import Console, quiet
from appliance.errors import ApplianceError, PartMissing, TurnFailed
from appliance.heard import Heard
from appliance.ports import Clock, Microphone, Speaker, Timer
from appliance.ringing import Ringing
from appliance.service import Service, Watcher, nobody
from appliance.settings import Settings
from appliance.states import State
from appliance.turn import Publish, SpokenTurns

if TYPE_CHECKING:
    from appliance.body.volume import Volume
    from appliance.ears.listen import Listener
    from appliance.memory.store import Store
    from appliance.thought.engine import Engine
    from appliance.thought.llama import LlamaCpp
    from appliance.tools.timer_tools import TimerTools
    from appliance.tools.timers import Timers
    from appliance.voice.piper import Piper
    from appliance.voice.speak import Voice
    from appliance.words.whisper import WhisperCpp

log = logging.getLogger(__name__)

TAIL_S = 2.0
"""Silence heard after a recording, beyond the time in which speech may still start."""

Tell = Callable[[str], None]
"""Hears of what takes longer than a second."""


def catalog(settings: Settings) -> Catalog:
    return Catalog(settings.models)


def clock(settings: Settings, start: datetime | None = None) -> Clock:
    """The system's clock, or one that shows `start` now."""
    from appliance.body.clock import ShiftedClock, SystemClock

    return ShiftedClock(start, settings.zone) if start else SystemClock(settings.zone)


def examine(settings: Settings) -> list[doctor.Check]:
    """Every check of doctor.py on this machine."""
    from appliance.body.soundcard import devices

    models = catalog(settings)
    return doctor.examine(settings, models.rows(models.wanted(settings)), devices)


def timers_on_disk(settings: Settings) -> list[Timer]:
    """Soonest first; also while a service holds the database."""
    from appliance.memory.store import Store
    from appliance.memory.timers import SqliteTimers

    if not settings.database.exists():
        return []
    with Store(settings.database, readonly=True) as store:
        return SqliteTimers(store).all()


@contextmanager
def parts(settings: Settings, clock: Clock, tell: Tell = quiet) -> Iterator[Parts]:
    """The appliance in parts; each is loaded when it is first needed and closed with the block."""
    with ExitStack() as stack:
        yield Parts(settings, clock, tell, stack)


class Parts:
    def __init__(self, settings: Settings, clock: Clock, tell: Tell, stack: ExitStack) -> None:
        self.settings, self.clock, self._tell, self._stack = settings, clock, tell, stack
        self._catalog = catalog(settings)
        self._silence: Callable[[], None] = lambda: None

    def hear(
        self,
        samples: Samples,
        *,
        realtime: bool = False,
        wake: bool = True,
        out: Path | None = None,
        aloud: bool = False,
        clean: Samples | None = None,
        watch: Watcher = nobody,
    ) -> Heard:
        """One spoken turn from a recording, through the very service that listens to a microphone.

        samples: shape (n,), 16 000 Hz.  realtime: at the pace of a microphone.  aloud: play the answer if there is a
        speaker.  clean: the recording before noise was added to it, in which the end of speech is found.
        """
        from appliance.body.recording import NullSpeaker, RecordedMicrophone, WavSpeaker

        heard = Heard()
        microphone = RecordedMicrophone(samples, realtime, self.settings.ears.start_timeout_s + TAIL_S)
        device = self._speaker() if aloud else NullSpeaker()
        speaker = WavSpeaker(out, device, realtime) if out else device

        def both(event: ev.Event, state: State) -> None:
            heard.watch(event, state)
            watch(event, state)

        with self._service(microphone, speaker, heard.take, both, paced=realtime) as service:
            rest = (State.IDLE, State.FAULTED)
            first = () if wake else (ev.ButtonPressed(),)
            service.run(lambda: heard.taken is not None or (service.microphone_ended and service.state in rest), *first)
        heard.started_s = microphone.opened_s
        if realtime:
            heard.time(samples if clean is None else clean)
        return heard

    def say(self, text: str, out: Path | None) -> None:
        """Say `text` aloud, into `out`, or both. Raises DeviceMissing, BadAudio."""
        from appliance.body.recording import WavSpeaker
        from appliance.body.soundcard import PyAudioSpeaker

        device = PyAudioSpeaker(self.settings.sound.speaker, self.volume)
        speaker = WavSpeaker(out, self._speaker()) if out else device
        failures: list[ApplianceError] = []
        with self._voice(speaker, failures.append) as voice:
            mouth = voice.begin(never, lambda at_s: None)
            mouth.say(text)
            mouth.finish()
        if failures:
            raise failures[0]

    @contextmanager
    def service(self, publish: Publish, watch: Watcher = nobody) -> Iterator[Service]:
        """The appliance itself, on the sound card."""
        from appliance.body.soundcard import PyAudioMicrophone, PyAudioSpeaker

        sound = self.settings.sound
        microphone, speaker = PyAudioMicrophone(sound.microphone), PyAudioSpeaker(sound.speaker, self.volume)
        with self._service(microphone, speaker, publish, watch, paced=True, first=self._tell_news) as service:
            yield service

    @cached_property
    def volume(self) -> Volume:
        from appliance.body.volume import Volume
        from appliance.memory.values import SqliteValues

        return Volume(SqliteValues(self._store))

    @cached_property
    def timers(self) -> Timers:
        from appliance.memory.timers import SqliteTimers
        from appliance.tools.timers import Timers

        return Timers(SqliteTimers(self._store), self.clock, self.settings.voice.ring_max_s)

    @cached_property
    def console(self) -> Console:
        """Turns in writing, through the same engine, timers and clock."""
        from appliance.voice.text import TextMouth

        return Console(self.engine, self.engine.conversation, self.timers, self._timer_tools, self.clock, TextMouth)

    @cached_property
    def engine(self) -> Engine:
        """With its model loaded and the head of its prompt read."""
        from appliance.thought.conversation import Conversation
        from appliance.thought.engine import Engine
        from appliance.tools import tools
        from appliance.tools.clock import Timekeeper
        from appliance.tools.sound import SoundTools
        from appliance.tools.units import Converter

        settings = self.settings
        conversation = Conversation(settings.thought.conversation_gap_s)
        sound = SoundTools(self.volume, lambda: conversation.last_said, lambda: self._silence())
        made = tools(Timekeeper(self.clock), self._timer_tools, Converter(), sound)
        name = settings.ears.wake_words[0].split("_")[-1].title()
        engine = Engine(self.llm, made, settings.thought, conversation, self.clock, name, settings.place)
        self._tell("reading the instructions (slow the first time only)")
        engine.warm_up()
        return engine

    @cached_property
    def llm(self) -> LlamaCpp:
        from appliance.thought.llama import LlamaCpp
        from appliance.thought.snapshots import Snapshots

        settings = self.settings
        path = self._catalog.path(settings.thought.model)
        self._tell(f"loading {settings.thought.model}")
        model = LlamaCpp(path, settings.thought, Snapshots(settings.state / "snapshots"))
        self._stack.callback(model.close)
        return model

    @cached_property
    def transcriber(self) -> WhisperCpp:
        from appliance.words.whisper import WhisperCpp

        settings = self.settings
        path = self._catalog.path(settings.words.model)
        self._tell(f"loading {settings.words.model}")
        spoken = [word.replace("_", " ") for word in settings.ears.wake_words]
        return WhisperCpp(path, settings.words.language, settings.words.threads, spoken)

    @cached_property
    def synthesizer(self) -> Piper:
        from appliance.voice.piper import Piper

        voice = self.settings.voice
        onnx, config = (self._catalog.path(voice.model, key) for key in ("onnx", "json"))
        self._tell(f"loading {voice.model}")
        return Piper(onnx, config, voice.threads, voice.speed)

    @cached_property
    def listener(self) -> Listener:
        from appliance.ears.listen import Listener
        from appliance.ears.speech import Silero
        from appliance.ears.turn_end import SmartTurn
        from appliance.ears.wake import OpenWakeWord

        ears, path = self.settings.ears, self._catalog.path
        words = {word: path(f"wake/{word}") for word in ears.wake_words}
        features = path(WAKE_FEATURES, "melspectrogram"), path(WAKE_FEATURES, "embedding_model")
        return Listener(OpenWakeWord(words, features), Silero(path(SPEECH)), SmartTurn(path(TURN_END)), ears)

    @cached_property
    def _store(self) -> Store:
        from appliance.memory.store import Store

        return self._stack.enter_context(Store(self.settings.database))

    @cached_property
    def _timer_tools(self) -> TimerTools:
        from appliance.tools.timer_tools import TimerTools

        return TimerTools(self.timers, self.clock)

    def _speaker(self) -> Speaker:
        """The sound card, where there is one that plays."""
        from appliance.body.recording import NullSpeaker
        from appliance.body.soundcard import PyAudioSpeaker, devices

        if any(device.plays for device in devices()):
            return PyAudioSpeaker(self.settings.sound.speaker, self.volume)
        return NullSpeaker()

    def _voice(self, speaker: Speaker, failed: Callable[[ApplianceError], None]) -> Voice:
        from appliance.voice.speak import Voice

        return Voice(self.synthesizer, speaker, failed, self.settings.words.language)

    def _tell_news(self, voice: Voice) -> None:
        """Say, once, what happened while the box was off; and make the sound of apologies while there is time."""
        voice.rehearse([PartMissing.spoken, TurnFailed.spoken])
        mouth = voice.begin(never, lambda at_s: None)
        for sentence in (self._store.notice, self._timer_tools.missed()):
            mouth.say(f"{sentence}\n")
        mouth.finish()
        self.timers.done(*self.timers.missed())

    @contextmanager
    def _service(
        self,
        microphone: Microphone,
        speaker: Speaker,
        publish: Publish,
        watch: Watcher,
        paced: bool,
        first: Callable[[Voice], None] = lambda voice: None,
    ) -> Iterator[Service]:
        from appliance.thought.fastlane import is_stop

        self._warm_up()

        def hear(samples: Samples, stale: Stale) -> str:
            return self.transcriber.transcribe(samples, stale).text

        def turns(post: Callable[[ev.Event], None]) -> SpokenTurns:
            return SpokenTurns(hear, self.engine, voice, is_stop, post, publish, paced)

        with self._voice(speaker, lambda error: log.error("%s", error)) as voice:
            ringing = Ringing(self.timers, self._timer_tools, voice, self.settings.voice.ring_max_s)
            service = Service(microphone, self.listener, turns, ringing, self.settings, watch)
            self._silence = lambda: service.post(ev.StopHeard())
            first(voice)
            yield service

    def _warm_up(self) -> None:
        """Use every model once, so that the first turn is as fast as the others."""
        assert self.engine
        assert self.listener
        self.transcriber.transcribe(silence(1), never)
        self.synthesizer.synthesize("Ready.")
