"""Which of the other boxes are there, and the wakes that they tell: small sealed datagrams.

A box asks each other one every HELLO_S whether it is there ("hello", with a number that was never used); who can seal
the answer with that number ("here") has the house key, and is there now. The answer names the session of the box that
answers. A wake names the session of the box that it goes to and has a number that counts up: nothing that was recorded
is taken a second time, and no box needs to know what time it is. No socket and no clock here.
"""

from __future__ import annotations

import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from appliance.bridge.boxes_seal import Seal

log = logging.getLogger(__name__)

HELLO_S = 2.0
"""Between two questions whether a box is there: it is gone after three that it does not answer."""
GONE_S = 3 * HELLO_S + 0.5
MOST_BYTES = 600
"""Of a datagram; a wake has some 250."""
MOST_SESSIONS = 64
"""Of the others, in one of this box's: with more it begins a new one, and those of before mean nothing."""
MINUTE_S = 60.0
MOST_A_MINUTE = 60
"""Wakes that count from one box: it tells each twice, and hears its wake word once a second at the most, for a minute
at the most where nobody is out to disturb. A judgement."""

Number = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    of: str = Field(max_length=40)
    to: str = Field(max_length=40)


class Hello(_Told):
    kind: Literal["hello"] = "hello"
    number: Number


class Here(_Told):
    kind: Literal["here"] = "here"
    number: Number
    """That of the hello."""
    session: Number


class Woke(_Told):
    kind: Literal["wake"] = "wake"
    session: Number
    """Of the box that it goes to."""
    own: Number
    """Of the box that tells it."""
    count: int = Field(ge=1)
    word: str = Field(max_length=60)
    score: float = Field(ge=0, le=1)
    level_db: float = Field(ge=0, le=100)
    took: bool


MESSAGE: TypeAdapter[Hello | Here | Woke] = TypeAdapter(Annotated[Hello | Here | Woke, Field(discriminator="kind")])


def _number() -> str:
    return secrets.token_hex(8)


@dataclass
class _Other:
    number: str = ""
    """Of the newest hello to it."""
    session: str = ""
    seen_s: float = float("-inf")
    count: int = 0
    """Of the newest wake that went to it."""
    wakes_s: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_A_MINUTE))


class Near:
    def __init__(self, name: str, others: Iterable[str], seal: Seal, clock: Callable[[], float]) -> None:
        """name: of this box.  clock: monotonic seconds."""
        self._name, self._seal, self._clock = name, seal, clock
        self._others = {other: _Other() for other in others}
        self._session = _number()
        self._counts: dict[tuple[str, str], int] = {}
        """Box and its session -> the highest number of its wakes so far."""

    @property
    def present(self) -> list[str]:
        now_s = self._clock()
        return sorted(name for name, other in self._others.items() if now_s - other.seen_s < GONE_S)

    def hellos(self) -> list[tuple[str, bytes]]:
        """To each other box: what is to be sent now."""
        return [(name, self._hello(name)) for name in self._others]

    def wake(self, word: str, score: float, level_db: float, took: bool) -> list[tuple[str, bytes]]:
        """To each that is there."""
        packets = []
        for name in self.present:
            other = self._others[name]
            other.count += 1
            woke = Woke(
                of=self._name, to=name, session=other.session, own=self._session, count=other.count, word=word,
                score=score, level_db=level_db, took=took,
            )  # fmt: skip
            packets.append((name, self._closed(woke)))
        return packets

    def take(self, packet: bytes) -> tuple[list[tuple[str, bytes]], dict[str, Any] | None]:
        """What came in: what is to be sent for it, and the wake that it tells. Anything may come in."""
        told = self._opened(packet)
        if told is None or told.to != self._name or told.of not in self._others:
            return [], None
        match told:
            case Hello():
                here = Here(of=self._name, to=told.of, number=told.number, session=self._session)
                return [(told.of, self._closed(here))], None
            case Here():
                return self._answered(told), None
            case Woke():
                return [], self._woke(told)

    def _opened(self, packet: bytes) -> Hello | Here | Woke | None:
        """None of what no box of this house has sent, or cannot have meant."""
        try:
            read = self._seal.opened(packet) if len(packet) <= MOST_BYTES else None
            return None if read is None else MESSAGE.validate_python(read)
        except (ValidationError, ValueError, RecursionError) as error:
            log.debug("a box sent nonsense: %s", error)
            return None

    def _answered(self, told: Here) -> list[tuple[str, bytes]]:
        other = self._others[told.of]
        if other.number and told.number == other.number:
            other.number, other.session, other.seen_s = "", told.session, self._clock()
        return []

    def _woke(self, told: Woke) -> dict[str, Any] | None:
        key = told.of, told.own
        if told.session != self._session or told.count <= self._counts.get(key, 0):
            return None
        if key not in self._counts and len(self._counts) >= MOST_SESSIONS:
            self._session = _number()
            self._counts.clear()
            return None
        self._counts[key] = told.count
        return self._counted(told)

    def _counted(self, told: Woke) -> dict[str, Any] | None:
        times, now_s = self._others[told.of].wakes_s, self._clock()
        if len(times) == MOST_A_MINUTE and now_s - times[0] < MINUTE_S:
            log.debug("%s wakes too often to be believed", told.of)
            return None
        times.append(now_s)
        return {"box": told.of} | told.model_dump(include={"word", "score", "level_db", "took"})

    def _hello(self, name: str) -> bytes:
        number = self._others[name].number = _number()
        return self._closed(Hello(of=self._name, to=name, number=number))

    def _closed(self, told: _Told) -> bytes:
        return self._seal.closed(told.model_dump())
