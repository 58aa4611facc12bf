"""Ears, words, voice and sound card with their real adapters, each made when it is first asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from appliance.build.kept import Kept
from appliance.build.voices import Voices
from appliance.errors import PartMissing
from appliance.models import choice
from appliance.models.registry import SPEAKER, SPEECH, TURN_END, WAKE_FEATURES, Catalog
from appliance.ports import (
    Clock,
    Ears,
    SoundCard,
    SoundOf,
    Speaker,
    SpeechDetector,
    Synthesizer,
    Transcriber,
    TurnEndDetector,
    WakeDetector,
)
from appliance.ports.speaker import SpeakerId
from appliance.settings import Settings

if TYPE_CHECKING:
    from appliance.body.volume import Volume
    from appliance.ears.heard_phrases import HeardPhrases

log = logging.getLogger(__name__)

Tell = Callable[[str], None]
"""Hears of what takes longer than a second."""


class Senses(Kept):
    def __init__(self, settings: Settings, clock: Clock, tell: Tell, stack: ExitStack) -> None:
        super().__init__(settings, clock, stack)
        self._tell = tell
        self._catalog = Catalog(settings.models)
        self.voices = Voices(settings, self._catalog, tell)
        self._anyway = False
        """Go on without the models that cannot be used: timers have to ring, and much needs no model."""
        self._lacks: dict[str, PartMissing] = {}
        """Part of build/wording.yaml -> why it is not there."""

    @cached_property
    def transcriber(self) -> Transcriber:
        from appliance.stt.whisper import WhisperCpp

        settings = self.settings
        path = self._catalog.path(choice.words(settings))
        self._tell(f"loading {choice.words(settings)}")
        spoken = [word.replace("_", " ") for word in settings.ears.wake_words]
        return WhisperCpp(path, settings.words.language, settings.words.threads, spoken, self.sound_of)

    def sound_of(self, words: str) -> str:
        """A `SoundOf`, made when it is first asked: most lines in writing never do."""
        return self._sounds(words)

    @cached_property
    def _sounds(self) -> SoundOf:
        from appliance.stt.soundclass import SoundClasses

        return SoundClasses(self.settings.words.language)

    @cached_property
    def synthesizer(self) -> Synthesizer:
        return self.voices.make(self._anyway)

    @cached_property
    def listener(self) -> Ears:
        from appliance.ears.absent import NoSpeech, NoTurnEnd, NoWake
        from appliance.ears.listen import Listener
        from appliance.ears.speech import Silero
        from appliance.ears.stopping import StopHubert
        from appliance.ears.turn_end import SmartTurn
        from appliance.ears.words import detector

        ears, path = self.settings.ears, self._catalog.path
        wake: WakeDetector = NoWake()
        speech: SpeechDetector = NoSpeech()
        turn_end: TurnEndDetector = NoTurnEnd()
        stop: WakeDetector | None = None
        with self._without("wake word"):
            words = {word: self._catalog.paths(f"wake/{word}") for word in ears.wake_words}
            wake, stop = detector(words, path(WAKE_FEATURES)), StopHubert(path(WAKE_FEATURES))
        with self._without("speech"):
            speech = Silero(path(SPEECH))
        with self._without("turn end"):
            turn_end = SmartTurn(path(TURN_END))
        return Listener(wake, speech, turn_end, ears, stop)

    @cached_property
    def speaker_id(self) -> SpeakerId:
        """Raises PartMissing."""
        from appliance.ears.known_voices import KnownVoices
        from appliance.ears.voice_print import DVector

        encoder, settings = DVector(self._catalog.path(SPEAKER)), self.settings
        return KnownVoices(encoder, self.voice_prints, settings.speaker.likeness, settings.words.language)

    @cached_property
    def heard_phrases(self) -> HeardPhrases:
        from appliance.ears.heard_phrases import HeardPhrases

        return HeardPhrases(lambda: self.speaker_id, self.voice_prints, self.clock.monotonic)

    @contextmanager
    def _without(self, part: str) -> Iterator[None]:
        """Go on if the part's model cannot be used, and note why. Raises PartMissing where that may not be."""
        try:
            yield
        except PartMissing as error:
            if not self._anyway:
                raise
            log.error("going on without this: %s", error)
            self._lacks[part] = error

    def sound_card(self) -> SoundCard:
        """Of the service: opened when it is first used."""
        from appliance.body.soundcard import PyAudioMicrophone, PyAudioSpeaker

        sound = self.settings.sound
        microphone, speaker = PyAudioMicrophone(sound.microphone), PyAudioSpeaker(sound.speaker, self.volume)
        return SoundCard(microphone, speaker, lambda: {"microphone": microphone.name, "speaker": speaker.name})

    def speaker(self, volume: Volume) -> Speaker:
        """The sound card, where there is one that plays."""
        from appliance.body.portaudio import devices
        from appliance.body.recording import NullSpeaker
        from appliance.body.soundcard import PyAudioSpeaker

        if any(device.plays for device in devices()):
            return PyAudioSpeaker(self.settings.sound.speaker, volume)
        return NullSpeaker()
