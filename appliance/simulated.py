"""An in-memory adapter for every port: the shortest documentation of the port, and what logic is tested with."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from appliance.audio import FRAME, FRAME_S, RATE_HZ, Frame, Samples, Speech, Stale, silence
from appliance.errors import ApplianceError, BadArgument, Cancelled, DeviceMissing
from appliance.events import Event
from appliance.ports import Attention, Fact, FactKind, Grammar, Memory, Message, ModelFacts, Rates, Timer, Usage


class ScriptedMicrophone:
    """A `Microphone` that hears one recording, at any pace; a last piece shorter than a frame is left out."""

    def __init__(self, recording: Samples) -> None:
        self._recording = recording
        self._frames = 0

    def open(self) -> None:
        """Goes on where it was closed."""

    def read(self) -> Frame:
        start = self._frames * FRAME
        if start + FRAME > len(self._recording):
            raise EOFError
        self._frames += 1
        return Frame(self._recording[start : start + FRAME], self._frames * FRAME_S)

    def close(self) -> None: ...


class ScriptedWake:
    """A `WakeDetector` that gives these scores, one a frame, then 0."""

    def __init__(self, scores: Sequence[float] = (), word: str = "hey_jarvis") -> None:
        self._scores = iter(scores)
        self._word = word
        self.resets = 0

    def score(self, frame: Samples) -> tuple[str, float]:
        return self._word, next(self._scores, 0.0)

    def reset(self) -> None:
        self.resets += 1


class ScriptedSpeech:
    """A `SpeechDetector` that gives these probabilities, one a frame, then 0."""

    def __init__(self, probabilities: Sequence[float] = ()) -> None:
        self._probabilities = iter(probabilities)
        self.resets = 0

    def probability(self, frame: Samples) -> float:
        return next(self._probabilities, 0.0)

    def reset(self) -> None:
        self.resets += 1


class ScriptedTurnEnd:
    """A `TurnEndDetector` that gives these probabilities, one a question, then 1."""

    def __init__(self, probabilities: Sequence[float] = ()) -> None:
        self._probabilities = iter(probabilities)
        self.asked: list[Samples] = []

    def probability(self, utterance: Samples) -> float:
        self.asked.append(utterance)
        return next(self._probabilities, 1.0)


class HandSetClock:
    """A `Clock` that moves when told to. `set` moves the wall clock only, as a time server or an owner does."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._monotonic = 1_000.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def pass_time(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds

    def set(self, now: datetime) -> None:
        self._now = now


class MemoryTimers:
    """A `TimerStore` that keeps them as long as it lives."""

    def __init__(self) -> None:
        self._timers: dict[int, Timer] = {}
        self._last = 0

    def add(self, label: str, seconds: float, due: datetime) -> Timer:
        self._last += 1
        self._timers[self._last] = Timer(self._last, label, seconds, due)
        return self._timers[self._last]

    def move(self, timer_id: int, due: datetime) -> None:
        self._timers[timer_id] = replace(self._timers[timer_id], due=due)

    def remove(self, timer_id: int) -> None:
        self._timers.pop(timer_id, None)

    def all(self) -> list[Timer]:
        return sorted(self._timers.values(), key=lambda timer: timer.due)


class MemoryValues:
    """A `ValueStore` that keeps them as long as it lives."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        return self._values.get(key)

    def set(self, key: str, value: str) -> None:
        self._values[key] = value


class MemoryFacts:
    """A `MemoryStore` that keeps them as long as it lives. The more words of three letters are shared, the better."""

    def __init__(self) -> None:
        self._facts: dict[int, Fact] = {}
        self._exchanges: list[Memory] = []
        self._last = 0

    def save(self, text: str, kind: FactKind, at: datetime) -> Fact:
        same = self._same(text, kind)
        self._last += not same
        fact = Fact(same[0] if same else self._last, text, kind, at)
        self._facts[fact.id] = fact
        return fact

    def update(self, fact_id: int, text: str, at: datetime) -> Fact:
        known = self._known(fact_id)
        for double in self._same(text, known.kind):
            del self._facts[double]
        self._facts[fact_id] = replace(known, text=text, at=at)
        return self._facts[fact_id]

    def forget(self, fact_id: int) -> None:
        del self._facts[self._known(fact_id).id]

    def forget_exchanges(self, topic: str) -> None:
        about = set(_words(topic))
        self._exchanges = [each for each in self._exchanges if not about <= set(_words(each.text))]

    def facts(self, kind: FactKind | None = None) -> list[Fact]:
        newest = sorted(self._facts.values(), key=lambda fact: (fact.at, fact.id), reverse=True)
        return [fact for fact in newest if kind in (None, fact.kind)]

    def nearest(self, query: str, limit: int) -> list[Fact]:
        found = [fact for fact in self.facts() if fact.kind != "rule" and _shared(query, fact.text)]
        return sorted(found, key=lambda fact: -_shared(query, fact.text))[:limit]

    def add_exchange(self, conversation: str, heard: str, said: str, at: datetime) -> None:
        self._exchanges.append(Memory(at, f'User: "{heard}" Answer: "{said}"'))

    def search(
        self, query: str, limit: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Memory]:
        known = self._exchanges + [Memory(fact.at, fact.text) for fact in self.facts() if fact.kind != "rule"]
        found = [each for each in known if (not since or since <= each.at) and (not until or each.at < until)]
        best = sorted(found, key=lambda memory: -_shared(query, memory.text))[:limit]
        return sorted((each for each in best if _shared(query, each.text)), key=lambda each: each.at, reverse=True)

    def _known(self, fact_id: int) -> Fact:
        if fact_id not in self._facts:
            raise BadArgument(f"There is no fact number {fact_id}.")
        return self._facts[fact_id]

    def _same(self, text: str, kind: FactKind) -> list[int]:
        return [fact.id for fact in self.facts(kind) if _words(fact.text) == _words(text)]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower()) or [text]


def _shared(query: str, text: str) -> int:
    return sum(len(word) > 2 for word in set(_words(query)) & set(_words(text)))


class HandSetVolume:
    """A volume knob."""

    def __init__(self, level: int = 50) -> None:
        self.level = level

    def set(self, level: int) -> None:
        self.level = level


class CannedSynthesizer:
    """A `Synthesizer` whose speech is a tone of 50 ms a character; remembers what it was given."""

    def __init__(self, takes_s: float = 0) -> None:
        self._takes_s = takes_s
        self.clauses: list[str] = []

    def synthesize(self, clause: str) -> Speech:
        self.clauses.append(clause)
        time.sleep(self._takes_s)
        tone = 8_000 * np.sin(2 * np.pi * 440 / RATE_HZ * np.arange(len(clause) * RATE_HZ // 20))
        return Speech(tone.astype(np.int16), RATE_HZ)


class RecordingSpeaker:
    """A `Speaker` that keeps what it plays: at once, or at the pace of sound. Raises `broken` while it is set."""

    def __init__(self, realtime: bool = False) -> None:
        self._realtime = realtime
        self.broken: ApplianceError | None = None
        self.played: list[tuple[float, Speech]] = []
        """(monotonic seconds at its start, what was heard of it)."""

    def play(self, speech: Speech, stale: Stale, started: Callable[[float], None]) -> None:
        if self.broken:
            raise self.broken
        start_s = time.monotonic()
        started(start_s)
        while self._realtime and not stale() and time.monotonic() - start_s < speech.seconds:
            time.sleep(0.005)
        heard_s = time.monotonic() - start_s if self._realtime else speech.seconds
        self.played.append((start_s, Speech(speech.samples[: round(heard_s * speech.rate_hz)], speech.rate_hz)))

    def close(self) -> None: ...


class CannedModel:
    """A `LanguageModel` that writes the given texts, one a call, a character at a time; `hangs`: until it is stale."""

    def __init__(self, texts: Sequence[str] = (), hangs: bool = False, parameters: int = 1_500_000_000) -> None:
        self._texts, self._hangs = list(texts), hangs
        self._hangs_once = False
        self.prompts: list[list[Message]] = []
        self.grammars: list[Grammar | None] = []
        self.facts, self.rates = ModelFacts(parameters, 32_768, tools=True), Rates(1_000, 100)

    def more(self, *texts: str) -> None:
        """Write these as well."""
        self._texts += texts

    def hangs_once(self, *then: str) -> None:
        """Hang in the next call, and write `then` in those that follow."""
        self._hangs = self._hangs_once = True
        self.more(*then)

    def pin(self, head: Sequence[Message]) -> None: ...

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None: ...

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        self.prompts.append(list(prompt))
        self.grammars.append(grammar)
        while self._hangs and not stale():
            time.sleep(0.01)
        if self._hangs_once:
            self._hangs = self._hangs_once = False
            raise Cancelled
        for character in self._texts.pop(0) if self._texts else "":
            if stale():
                raise Cancelled
            usage.generated_tokens += 1
            yield character

    def close(self) -> None: ...


class ScriptedEars:
    """`Ears` that hear what the test says they hear; `attended` is what was asked of them."""

    def __init__(self) -> None:
        self.attended: list[tuple[Attention, int]] = []

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        self.attended.append((attention, turn))

    def feed(self, frame: Frame) -> list[Event]:
        return []


class DeadMicrophone:
    """A `Microphone` that is not there for the first `misses` attempts, then silent."""

    def __init__(self, misses: int = 0) -> None:
        self.misses, self.opened = misses, False

    def open(self) -> None:
        if self.misses:
            self.misses -= 1
            raise DeviceMissing("there is no microphone", remedy="plug one in")
        self.opened = True

    def read(self) -> Frame:
        time.sleep(FRAME_S)
        return Frame(silence(FRAME_S), time.monotonic())

    def close(self) -> None:
        self.opened = False
