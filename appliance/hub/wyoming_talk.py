"""What a Wyoming peer asks of the box's ear and voice, one request at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from wyoming.asr import Transcript
from wyoming.event import Event
from wyoming.info import Info
from wyoming.tts import SynthesizeStopped

from appliance.audio import Samples, Speech
from appliance.errors import WrongUse
from appliance.hub import wyoming_wire as wire
from appliance.hub.wyoming_hearing import Listeners, Sink, Sound, ToWake, ToWords
from appliance.hub.wyoming_peer import Peer
from appliance.hub.wyoming_speaking import Clauses, Saying


class Speaking(Protocol):
    """The core's ear and voice; see wyoming_core.py."""

    async def transcribe(self, samples: Samples, peer: str) -> str: ...

    def speak(self, clause: str, peer: str) -> AsyncGenerator[Speech, None]: ...


@dataclass(frozen=True)
class Box:
    """What the peers are given."""

    info: Info
    core: Speaking
    clauses: Callable[[], Clauses]
    listeners: Listeners | None
    """None: it does not listen for wake words."""

    @property
    def language(self) -> str:
        """Of what is transcribed."""
        return self.info.asr[0].models[0].languages[0]


class Talk(Peer):
    def __init__(self, box: Box, reader: wire.Reader, writer: asyncio.StreamWriter, peer: str) -> None:
        super().__init__(reader, writer)
        self._box, self._peer = box, peer
        self._sink: Sink | None = None
        self._sound: Sound | None = None
        self._saying: Saying | None = None
        """Of a text that comes in pieces."""

    async def _take(self, event: Event) -> None:
        if take := TAKERS.get(event.type):  # the protocol has unknown ones passed over
            await take(self, event)

    async def _close(self) -> None:
        self._forget()

    def _forget(self) -> None:
        """Another request begins, or none."""
        sink, self._sink, self._sound = self._sink, None, None
        if sink:
            sink.close()

    async def _describe(self, event: Event) -> None:
        await self._write(self._box.info)

    async def _transcribe(self, event: Event) -> None:
        asked, (model,) = wire.read(wire.Transcribe, event), self._box.info.asr[0].models
        _check("model", asked.name, [model.name])
        _check_language(asked.language, model.languages)
        self._begin(self._to_words())

    def _to_words(self) -> ToWords:
        return ToWords(partial(self._box.core.transcribe, peer=self._peer), self._box.language, self._write)

    async def _detect(self, event: Event) -> None:
        listeners, names = self._box.listeners, wire.read(wire.Detect, event).names
        if listeners is None:
            raise WrongUse("this box listens for no wake words of others", remedy="set wyoming.wake")
        for name in names or []:
            _check("wake word", name, listeners.words)
        self._forget()
        self._begin(ToWake(listeners, await listeners.lend(), names or listeners.words, self._write))

    def _begin(self, sink: Sink) -> None:
        self._forget()
        self._sink = sink

    async def _audio_start(self, event: Event) -> None:
        self._sound = Sound(wire.read(wire.Format, event))

    async def _audio_chunk(self, event: Event) -> None:
        chunk = wire.read(wire.Chunk, event)
        format = wire.Format.model_validate(chunk.model_dump())
        if self._sound is None:  # some peers send no start
            self._sound = Sound(format)
        if self._sound.format != format:
            raise WrongUse("a chunk has another format than the sound before it", remedy="begin with audio-start")
        if self._sink is None:  # and some no request: whoever has a sound wants its words
            self._sink = self._to_words()
        await self._sink.take(self._sound.samples(event.payload or b""), chunk)

    async def _audio_stop(self, event: Event) -> None:
        sink, sound = self._sink, self._sound
        if sink is None:
            await self._write(Transcript("", language=self._box.language))
            return
        await sink.end(sound.samples(b"", last=True) if sound else np.zeros(0, dtype=np.int16))
        self._forget()

    async def _synthesize(self, event: Event) -> None:
        asked = self._asked_to_say(event)
        if self._saying is None:  # else it is the whole once more, for servers that take no pieces
            saying = self._new_saying()
            await saying.take(asked.text)
            await saying.end()

    def _new_saying(self) -> Saying:
        return Saying(partial(self._box.core.speak, peer=self._peer), self._box.clauses(), self._write)

    def _asked_to_say(self, event: Event) -> wire.Synthesize:
        """Raises WrongUse."""
        asked, (model,) = wire.read(wire.Synthesize, event), self._box.info.tts[0].voices
        if asked.voice:
            _check("voice", asked.voice.name, [model.name])
            _check_language(asked.voice.language, model.languages)
        return asked

    async def _synthesize_start(self, event: Event) -> None:
        self._asked_to_say(event)
        self._saying = self._new_saying()

    async def _synthesize_chunk(self, event: Event) -> None:
        if self._saying is not None:
            await self._saying.take(wire.read(wire.Synthesize, event).text)

    async def _synthesize_stop(self, event: Event) -> None:
        saying, self._saying = self._saying, None
        if saying is not None:
            await saying.end()
            await self._write(SynthesizeStopped())


def _check(what: str, name: str | None, known: Sequence[str]) -> None:
    """Raises WrongUse."""
    if name and name not in known:
        raise WrongUse(f"this box has no {what} {name!r}", remedy=f"it has: {', '.join(known)}")


def _check_language(asked: str | None, known: Sequence[str]) -> None:
    """Whether it is the same but for the country. Raises WrongUse."""
    if asked and _tongue(asked) not in map(_tongue, known):
        raise WrongUse(f"this box has no language {asked!r}", remedy=f"it has: {', '.join(known)}")


def _tongue(code: str) -> str:
    """Of a code such as en, en-GB or en_US."""
    return code.replace("_", "-").partition("-")[0].lower()


Taker = Callable[[Talk, Event], Awaitable[None]]
TAKERS: Mapping[str, Taker] = {
    "describe": Talk._describe,
    "ping": Talk._ping,
    "transcribe": Talk._transcribe,
    "detect": Talk._detect,
    "audio-start": Talk._audio_start,
    "audio-chunk": Talk._audio_chunk,
    "audio-stop": Talk._audio_stop,
    "synthesize": Talk._synthesize,
    "synthesize-start": Talk._synthesize_start,
    "synthesize-chunk": Talk._synthesize_chunk,
    "synthesize-stop": Talk._synthesize_stop,
}
"""Event -> what is done with it."""
