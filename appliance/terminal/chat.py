"""A conversation in writing: with a person at a terminal, or a turn a line with a program."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from threading import Event, Lock, Thread
from typing import Any, Literal, Protocol, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.audio import Stale, never
from appliance.errors import ApplianceError, WrongUse, first_fault
from appliance.ports import Clock, KeptAlarms, MemoryStore, Mouth, Orders, Thinker, Wording
from appliance.records import TurnRecord
from appliance.service.orders import DueOrders
from appliance.service.ringing import strike_off
from appliance.wording import FALLBACK

BELL_S = 0.5
"""Pause between two looks at the timers."""


class Dialogue(Protocol):
    """What the engine remembers of the turns so far."""

    id: str

    def begin(self) -> None:
        """Start a new one."""


class MovableClock(Clock, Protocol):
    """A clock that was started with a time of its own."""

    def move(self, to: datetime) -> None: ...


Said = Callable[[str], None]
"""Hears each clause of an answer as it comes."""


def quiet(text: str) -> None:
    """For those who do not want to be told."""


class Console:
    """Turns in writing: the appliance without ears and voice."""

    def __init__(
        self,
        thinker: Thinker,
        dialogue: Dialogue,
        alarms: KeptAlarms[Any],
        telling: Wording[Any],
        clock: Clock,
        memory: MemoryStore,
        mouth: Callable[[Said, Stale], Mouth],
        orders: Sequence[Orders] = (),
        language: str = FALLBACK,
    ) -> None:
        """orders: what is to be done later, of each skill that keeps some."""
        self._orders = DueOrders(orders, lambda work: work(thinker), language)
        self._busy = Lock()
        """Of whoever uses the thinker."""
        self._thinker, self._dialogue, self._alarms, self._telling = thinker, dialogue, alarms, telling
        self._clock, self._memory, self._mouth = clock, memory, mouth
        self._turn = 0

    def ask(self, text: str, said: Said = quiet, channel: str = "chat", speaker: str = "") -> TurnRecord:
        """One turn, with what follows it. Raises ApplianceError."""
        record = self.answer(text, said, channel, speaker)
        self.settle(never)
        return record

    def answer(self, text: str, said: Said = quiet, channel: str = "chat", speaker: str = "") -> TurnRecord:
        """One turn; `settle` is due. Raises ApplianceError."""
        self._turn += 1
        with self._busy:
            return self._thinker.reply(self._turn, text, channel, self._mouth(said, never), never, speaker)

    def settle(self, stale: Stale) -> None:
        """What follows a turn and nobody waits for; abandoned once stale."""
        with self._busy:
            self._thinker.after(stale)

    def read_ahead(self, stale: Stale) -> None:
        """Have read what is known of the next prompt. Where talk is read for itself, all else would wait for it later:
        10 s after 48 turns of talk (2 EPYC cores, 2026-11-25)."""
        with suppress(ApplianceError):  # the next turn meets it, and tells
            self._thinker.expect(stale, aloud=False)

    def seed(self, facts: Iterable[str]) -> None:
        """Store them as facts about the user."""
        for fact in facts:
            self._memory.save(fact, "user", self._clock.now())

    def new_conversation(self) -> None:
        self._dialogue.begin()

    def move_clock(self, to: datetime) -> None:
        """Raises WrongUse unless the clock was started with a time of its own."""
        if not hasattr(self._clock, "move"):
            raise WrongUse("the clock is the system's and cannot be moved", remedy="start with --now 2026-05-04T07:30")
        cast(MovableClock, self._clock).move(to)

    def ring_due(self) -> list[TurnRecord]:
        """A record for each timer that ended since the last call, one for those missed before, and one for what came of
        orders for later: done with then."""
        missed, due = self._alarms.missed(), self._alarms.due()
        sentences = [*filter(None, [self._telling.missed(missed)]), *map(self._telling.sentence, due)]
        strike_off(self._alarms, [*missed, *due])
        sentences += filter(None, [self._carry_out()])
        return [TurnRecord(turn=0, conversation=self._dialogue.id, said=said, outcome="said") for said in sentences]

    def _carry_out(self) -> str:
        """What came of orders whose time has come; left for the next time while a turn is answered."""
        if not self._busy.acquire(blocking=False):
            return ""
        try:
            self._orders.each_round()
            if told := self._orders.sentence():
                self._orders.told()
            return told
        finally:
            self._busy.release()

    def forget_timers(self) -> None:
        self._alarms.done(*self._alarms.all(), *self._alarms.missed())


class Line(BaseModel):
    """One turn as a program asks for it."""

    model_config = ConfigDict(extra="forbid")

    say: str = ""
    new: bool = False
    channel: Literal["voice", "chat", "satellite", "guest"] = "chat"
    speaker: str = Field("", max_length=60)
    """Who speaks, on a channel where that is not the owner."""
    now: datetime | None = None
    seed: list[str] = []
    """Facts to store first."""


def json_lines(console: Console, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """A record per turn, and one per timer that rang or was missed; a line that cannot be used gives an object with
    `error`."""
    for text in lines:
        if not text.strip():
            continue
        try:
            for record in _turn(console, _line(text)):
                write(record.as_json())
        except ApplianceError as error:
            write(json.dumps({"error": error.what, "remedy": error.remedy}))


def _line(text: str) -> Line:
    if not text.lstrip().startswith("{"):
        return Line(say=text.strip())
    try:
        return Line.model_validate_json(text)
    except ValidationError as error:
        raise WrongUse(first_fault(error, "the line"), remedy=f"keys: {', '.join(Line.model_fields)}") from None


def _turn(console: Console, line: Line) -> Iterable[TurnRecord]:
    if line.new:
        console.new_conversation()
    if line.now:
        console.move_clock(line.now)
    console.seed(line.seed)
    yield from console.ring_due()
    if line.say:
        yield console.ask(line.say, channel=line.channel, speaker=line.speaker)


def terminal(console: Console, read: Callable[[], str | None], write: Callable[[str], None]) -> None:
    """Until `read` gives None. Timers ring in between."""
    over = Event()
    settling = _Settling(console, over)

    def bell() -> None:
        while not over.wait(BELL_S):
            for record in console.ring_due():
                write(f"\a{record.said}")

    Thread(target=bell, name="bell", daemon=True).start()
    try:
        while (text := read()) is not None:
            settling.stop()
            if text.strip():
                _answer(console, text.strip(), write)
                settling.start()
    finally:
        over.set()
        settling.join()


class _Settling:
    """What follows a turn, while the next line is being typed."""

    def __init__(self, console: Console, over: Event) -> None:
        """over: there is no next line; the turn is still kept, but nothing is read ahead."""
        self._console, self._over = console, over
        self._stopped, self._thread = Event(), Thread()

    def start(self) -> None:
        self._stopped = Event()
        self._thread = Thread(target=self._settle, args=(self._stopped.is_set,), name="settling", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self.join()

    def _settle(self, stale: Stale) -> None:
        self._console.settle(stale)
        self._console.read_ahead(lambda: stale() or self._over.is_set())

    def join(self) -> None:
        if self._thread.ident is not None:
            self._thread.join()


def _answer(console: Console, text: str, write: Callable[[str], None]) -> None:
    try:
        console.answer(text, write)
    except ApplianceError as error:
        write(f"({error})")
