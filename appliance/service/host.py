"""The host: who thinks for the box while the box is its satellite. What it hears, and what it answers, turn by turn.

Nothing of the microphone goes to it but the sound of a turn that a wake word or the button opened, from there to the
end of what is said. What goes to it, and what comes of it, is in ports/satellite.py.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from pydantic import BaseModel

from appliance import events as ev
from appliance.audio import Samples, Stale, as_text
from appliance.ports import satellite as wire
from appliance.ports.refusals import Refused
from appliance.ports.satellite import FromHost
from appliance.service.host_turn import HostTurn
from appliance.service.states import SERVING, State
from appliance.service.tap import Tap

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Link:
    """The way to a host."""

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
        self._link: Link | None = None
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

    def attach(self, name: str, tell: Callable[[BaseModel], None], gone: Stale) -> Link:
        """From now on, until it is `gone`, it thinks. Raises Refused."""
        with self._lock:
            if self.there:
                raise Refused("busy", "another host thinks for this box", remedy="end that one first")
            link = self._link = Link(tell, gone)
        log.info("%s thinks for this box from now on", name)
        return link

    def detach(self, link: Link) -> None:
        """That one is gone: the box thinks for itself, also in the turn that runs."""
        if self._link is not link:
            return
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
