"""The host: who thinks for the box while the box is its satellite. What it hears, and what it answers, turn by turn.

Nothing of the microphone goes to it but the sound of a turn that a wake word or the button opened, from there to the
end of what is said. What goes to it, and what comes of it, is in ports/satellite.py.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from threading import Condition, Lock

import numpy as np
from pydantic import BaseModel

from appliance import events as ev
from appliance.audio import Samples, Speech, Stale, Utterance, as_text, of_text, silence
from appliance.ports import satellite as wire
from appliance.ports.refusals import Refused
from appliance.ports.satellite import SILENT_S, FromHost
from appliance.service.states import State
from appliance.service.tap import Tap

log = logging.getLogger(__name__)

AHEAD_S = 4.0
"""Sound of an answer that is taken before it is played."""
LOOK_S = 0.05
"""Between two looks at whether a turn went stale, or its host shows no life: neither has a bell."""
SERVING = (State.LISTENING, State.THINKING, State.SPEAKING)
"""States in which a turn of the host can be."""


class End(Enum):
    """How a turn of the host ended."""

    OUT = "the answer is out"
    NOTHING = "there were no words"
    ELSEWHERE = "another box answers"
    STALE = "nobody waits for it any more"
    FAILED = "the host could not do it"
    LOST = "the host shows no life"


ENDS = {"end": End.OUT, "nothing": End.NOTHING, "elsewhere": End.ELSEWHERE, "failed": End.FAILED}
"""What the host says -> how its turn ends with that."""
BEGUN = ("words", "answer", "sound")


class HostTurn:
    """One turn that the host hears. Written by the door's threads and the ears', read by the one that answers."""

    def __init__(self, number: int, stale: Stale, clock: Callable[[], float]) -> None:
        self.number, self.stale, self._clock = number, stale, clock
        self.words: str | None = None
        """What the host has understood; None before that."""
        self.said = ""
        self.begun = False
        """It may have done something: its words, its answer or a sound have come."""
        self._heard = list[Samples]()
        self._sound = deque[Speech]()
        self._end: End | None = None
        self._alive_s = clock()
        self._changed = Condition()

    @property
    def utterance(self) -> Utterance:
        """What the host has heard."""
        return Utterance(np.concatenate([silence(0), *self._heard]))

    def hear(self, samples: Samples) -> None:
        self._heard.append(samples)

    def take(self, told: FromHost, gone: Stale) -> None:
        """Waits while there is more sound than is needed. Raises ValueError for a sound that is none."""
        with self._changed:
            self._alive_s = self._clock()
            self.begun = self.begun or told.what in BEGUN
            if told.what == "words":
                self.words = told.text
            elif told.what == "answer":
                self.said = told.text
            elif told.what == "sound":
                self._sound.append(Speech(of_text(told.pcm), told.rate))
            else:
                self._end = self._end or ENDS.get(told.what)
            self._changed.notify_all()
        while self._ahead_s() > AHEAD_S and not (gone() or self._over()):
            with self._changed:
                self._changed.wait(LOOK_S)

    def lose(self) -> None:
        """The host is gone: it hears and answers no more of this."""
        with self._changed:
            self._end = self._end or End.LOST
            self._changed.notify_all()

    def end(self) -> End | None:
        """How it ended; None while it goes on. Sound that has come already is still to be played."""
        if self.stale():
            return End.STALE
        if self._end is None and self._clock() - self._alive_s > SILENT_S:
            self.lose()
        return self._end

    def sounds(self) -> bool:
        """Wait for the first sound of the answer, or for an end without one. Whether there is any."""
        with self._changed:
            while not self._sound and not self._over():
                self._changed.wait(LOOK_S)
            return bool(self._sound) and not self.stale()

    def pieces(self) -> Iterator[Speech]:
        """Its sound, each piece as it comes, to the turn's end."""
        while self.sounds():
            with self._changed:
                piece = self._sound.popleft()
                self._changed.notify_all()
            yield piece

    def _over(self) -> bool:
        return self.end() is not None

    def _ahead_s(self) -> float:
        return sum(piece.seconds for piece in list(self._sound))


@dataclass(frozen=True)
class _Link:
    tell: Callable[[BaseModel], None]
    gone: Stale


class Host:
    """Of a service: `begin` and `watch` are of its loop, `attach`, `detach` and `take` of the door."""

    def __init__(
        self,
        tap: Tap,
        post: Callable[[ev.Event], None],
        listening: Callable[[], bool],
        rang: Callable[[str, float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """listening: whether the box hears somebody who has called it, and what it hears may leave it.

        rang: a timer of that name and length (s), which the host was asked for, has ended.
        """
        self._tap, self._post, self._listening, self._rang, self._clock = tap, post, listening, rang, clock
        self._link: _Link | None = None
        self._turn: HostTurn | None = None
        self._hears = False
        """The turn's sound goes to it."""
        self._lock = Lock()

    @property
    def there(self) -> bool:
        """Whether it is there."""
        link = self._link
        return link is not None and not link.gone()

    @property
    def hears(self) -> bool:
        """Whether it hears what is being said now."""
        turn = self._turn
        return self._hears and turn is not None and turn.end() is None

    def attach(self, name: str, tell: Callable[[BaseModel], None], gone: Stale) -> None:
        """From now on, until it is `gone`, it thinks. Raises Refused."""
        with self._lock:
            if self.there:
                raise Refused("busy", "another host thinks for this box", remedy="end that one first")
            self._link = _Link(tell, gone)
        log.info("%s thinks for this box from now on", name)

    def detach(self) -> None:
        """It is gone: the box thinks for itself, also in the turn that runs."""
        if turn := self._turn:
            turn.lose()
        log.info("the host is gone: this box thinks for itself")

    def take(self, told: FromHost, gone: Stale) -> None:
        """What the host has to say. Raises ValueError."""
        if told.what == "timer":
            self._rang(told.text, told.seconds)
            return
        turn = self._turn
        if turn is None or turn.number != told.turn:
            return  # it came too late
        if told.what == "heard" and self._hears:
            now_s = self._clock()
            self._post(ev.UtteranceEnded(turn.number, turn.utterance, now_s, now_s))
        turn.take(told, gone)

    def begin(self, number: int, event: ev.Event, stale: Stale) -> HostTurn | None:
        """Somebody has called: the host hears what follows. None where it is not there."""
        self._close()
        if not (self.there and self._listening()):
            return None
        turn = self._turn = HostTurn(number, stale, self._clock)
        word, since_s = (event.word, event.at_s) if isinstance(event, ev.WakeHeard) else ("", self._clock())
        self._say(wire.Called(turn=number, word=word))
        self._hears = True

        def wanted() -> bool:
            return self._listening() and turn.end() is None

        def give(samples: Samples) -> None:
            turn.hear(samples)
            self._say(wire.HostSound(turn=number, pcm=as_text(samples)))

        self._tap.open(since_s, wanted, give)
        return turn

    def turn(self, number: int) -> HostTurn | None:
        """The one of that number, while it is not over."""
        turn = self._turn
        return turn if turn and turn.number == number else None

    def watch(self, event: ev.Event, state: State) -> None:
        """The service's watcher: where nobody is listened to, nothing is heard; what nobody waits for is over."""
        if state is not State.LISTENING:
            self._quiet()
        if self._turn and (self._turn.stale() or state not in SERVING):
            self._close()

    def close(self, turn: HostTurn, answered: bool) -> None:
        """That turn is over, unless it is already."""
        with self._lock:
            if self._turn is not turn:
                return
            self._turn = None
        self._say(wire.Over(turn=turn.number, answered=answered))

    def _close(self) -> None:
        self._quiet()
        if turn := self._turn:
            self.close(turn, answered=False)

    def _quiet(self) -> None:
        hears, self._hears = self._hears, False
        if hears:
            self._tap.close()
            if turn := self._turn:
                self._say(wire.Quiet(turn=turn.number))

    def _say(self, told: BaseModel) -> None:
        if link := self._link:
            link.tell(told)
