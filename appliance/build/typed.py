"""The whole service without a sound card: it hears typed lines, and its words are handed over as it speaks them.

Everything else is what `appliance run` has: the service loop, the store, the timers, the engine, the model process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property, partial

from appliance.audio import Stale
from appliance.build.behind import LateSynthesizer
from appliance.build.parts import Parts
from appliance.errors import ApplianceError
from appliance.ports import Clock, Ears, Mouth, SoundCard, Speaker, Synthesizer, Transcriber
from appliance.service import heap
from appliance.service.vitals import Part, Vitals
from appliance.settings import Settings
from appliance.simulated import CannedSynthesizer, QuietMicrophone, TypedEars, TypedWords
from appliance.terminal.chat import quiet
from appliance.tts.speak import Voice

Told = Callable[[str], None]
"""Hears each piece of what the box says, just before it sounds; from several threads."""


class TypedParts(Parts):
    def __init__(
        self, settings: Settings, clock: Clock, stack: ExitStack, told: Told, frame_s: float, own_voice: bool
    ) -> None:
        """frame_s: of the microphone (simulated/typed.py). own_voice: Piper's; a tone otherwise."""
        super().__init__(settings, clock, quiet, stack)
        self.ears, self.microphone = TypedEars(), QuietMicrophone(frame_s)
        self._told, self._own_voice = told, own_voice

    def sound_card(self) -> SoundCard:
        from appliance.body.recording import NullSpeaker

        return SoundCard(self.microphone, NullSpeaker(), dict)

    @cached_property
    def listener(self) -> Ears:
        return self.ears

    @cached_property
    def transcriber(self) -> Transcriber:
        return TypedWords(self.ears)

    @cached_property
    def synthesizer(self) -> Synthesizer:
        return super().synthesizer if self._own_voice else CannedSynthesizer()

    def _voice(self, speaker: Speaker, failed: Callable[[ApplianceError | None], None], vitals: Vitals) -> Voice:
        beat, at_work = partial(vitals.beat, Part.PLAYBACK), partial(vitals.at_work, Part.VOICE)
        late = LateSynthesizer(self._late_voice)
        voice = TellingVoice(late, speaker, failed, self.settings.words.language, beat, at_work)
        voice.told = self._told
        return voice


class TellingVoice(Voice):
    """Tells all words that it is given before they sound."""

    told: Told = staticmethod(quiet)

    def begin(self, stale: Stale, started: Callable[[float], None]) -> Mouth:
        return _TellingMouth(super().begin(stale, started), self.told)

    def ring(self, sentences: Sequence[str] = ()) -> None:
        for sentence in sentences:
            self.told(sentence)
        super().ring(sentences)


class _TellingMouth:
    def __init__(self, mouth: Mouth, told: Told) -> None:
        self._mouth, self._told = mouth, told

    def say(self, text: str) -> None:
        self._told(text)
        self._mouth.say(text)

    def finish(self) -> str:
        return self._mouth.finish()


@contextmanager
def typed_parts(
    settings: Settings, clock: Clock, told: Told, frame_s: float, own_voice: bool = False
) -> Iterator[TypedParts]:
    """See TypedParts; closed with the block."""
    heap.share()
    with ExitStack() as stack:
        yield TypedParts(settings, clock, stack, told, frame_s, own_voice)
