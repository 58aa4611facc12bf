"""Calls with other boxes of the house: which rings, when a call begins, and how it ends. No sound is made here.

Nothing that this box hears leaves it but in a call that somebody here asked for by voice, or took by a word or by the
button (Phase.ON), and only in the state TALKING, which the light shows. The other end has no say in that.

What other threads do changes the call alone. The loop looks at it in each round, and is told by an event what state
belongs to it: so none can be lost, and whatever else ends a state ends the call as well.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from threading import Lock
from typing import Protocol

from appliance import events as ev
from appliance.audio import Samples, Stale, as_text, of_text
from appliance.service.far_sound import FarSound
from appliance.service.states import IN_CALL, State

log = logging.getLogger(__name__)

RING_S = 45.0
"""For which a box rings. A judgement: three times "who is it, shall I", with time to answer."""
LONGEST_S = 1_800.0
"""Of a call: a room with a television in it is never silent. A judgement."""
ALIVE_S = 1.5
"""Between two signs of life for the other end, which waits for four of them (bridge/boxes_call.py)."""
RINGS = "rings"
"""The code of a box that rings."""
AWAY = {State.STARTING: "not_now", State.FAULTED: "not_now", State.RESETTING: "not_now", State.MUTED: "muted"}
"""States in which nobody can talk here, and how a call ends or is turned away by them."""


class Phase(Enum):
    ASKED = auto()
    """The other box is asked to ring."""
    THERE = auto()
    """It rings."""
    HERE = auto()
    """This box is called, and nobody has answered."""
    ON = auto()


@dataclass(frozen=True)
class Over:
    """How a call ended."""

    box: str
    why: str
    made: bool
    """Somebody here had made it."""
    here: bool
    """This end ended it."""


@dataclass(eq=False)
class Call:
    id: str
    box: str
    made: bool
    phase: Phase
    ends_s: float = float("inf")
    """Monotonic time at which it ends by itself."""
    greeted: bool = False
    """It was said here that the other end listens."""


NEXT: Mapping[tuple[Phase, State], ev.Event] = {
    (Phase.THERE, State.IDLE): ev.CallMade(),
    (Phase.THERE, State.FOLLOW_UP): ev.CallMade(),
    (Phase.HERE, State.IDLE): ev.CallCame(),
    (Phase.ON, State.IDLE): ev.CallBegan(),
    (Phase.ON, State.FOLLOW_UP): ev.CallBegan(),
    (Phase.ON, State.CALLING): ev.CallBegan(),
    (Phase.ON, State.CALLED): ev.CallBegan(),
}
"""What is to happen where the state is not that of the call. Whoever talks with the box meanwhile is not disturbed."""


class Link(Protocol):
    """The way to the other box; see service/boxes.py."""

    def ring(self, box: str, call: str) -> str: ...

    def say(self, call: str, kind: str, **more: str) -> None: ...


class Calls:
    """At most one at a time. Implements ports.Calls, and boxes.Called."""

    def __init__(self, link: Link, clock: Callable[[], float] = time.monotonic) -> None:
        self._link, self._clock = link, clock
        self.post: Callable[[ev.Event], None] = lambda event: None
        self._state: Callable[[], State] = lambda: State.STARTING
        self._cannot: Callable[[], str] = str
        self._unasked: Stale = lambda: True
        self.far, self.over = FarSound(), list[Over]()
        """`over`: what is still to be told here."""
        self._call: Call | None = None
        self._speaks = False
        """Somebody here is speaking to the other end."""
        self._lock, self._alive_s = Lock(), 0.0

    def serve(
        self, post: Callable[[ev.Event], None], state: Callable[[], State], cannot: Callable[[], str], unasked: Stale
    ) -> None:
        """From now on a service rings and calls.

        cannot: why nobody may be rung here now, as a code of ANSWERS (bridge/boxes_questions.py); empty where one may.
        unasked: see SpokenTurns.
        """
        self.post, self._state, self._cannot, self._unasked = post, state, cannot, unasked

    @property
    def now(self) -> Call | None:
        return self._call

    def ring(self, box: str) -> str:
        """See ports.Calls."""
        if self._unasked():
            return "remote"
        with self._lock:
            if self._call:
                return "busy_here"
            call = self._call = Call(secrets.token_hex(16), box, True, Phase.ASKED)
        answer = self._link.ring(box, call.id)
        with self._lock:
            wanted = self._call is call and not self._unasked()
            if answer == RINGS and wanted:
                call.phase = Phase.THERE if call.phase is Phase.ASKED else call.phase
                call.ends_s = self._clock() + RING_S if call.phase is Phase.THERE else call.ends_s
                return answer
            self._call = None if self._call is call else self._call
        if answer == RINGS:  # nobody here waits for it any more
            self._link.say(call.id, "ended", why="hung_up")
        return "unknown" if answer == RINGS else answer

    def end(self) -> bool:
        """See ports.Calls. Whoever asked for it is told that in another way."""
        ended = self.hang_up("hung_up")
        self.over.clear()
        return ended

    def next_over(self) -> Over | None:
        """The first end that is still to be told here, taken off the list."""
        with suppress(IndexError):  # another thread has told it in another way
            return self.over.pop(0)
        return None

    def take(self, call: str, box: str) -> str:
        """See boxes.Called."""
        state = self._state()
        if why := self._cannot() or AWAY.get(state, ""):
            return why
        with self._lock:
            if self._call or state is not State.IDLE:
                return "busy"
            self._call = Call(call, box, False, Phase.HERE, self._clock() + RING_S)
        self.post(ev.Event())  # which wakes the loop
        return RINGS

    def hear(self, call: str, kind: str, pcm: str = "", why: str = "") -> None:
        """See boxes.Called."""
        with self._lock:
            mine = self._call
            if mine is None or mine.id != call:
                return
            if kind == "took" and mine.made:
                mine.phase, mine.ends_s = Phase.ON, self._clock() + LONGEST_S
            elif kind == "ended":
                self._call = None
        if kind == "ended":
            self._over(Over(mine.box, why, mine.made, here=False))
        elif mine.phase is Phase.ON:
            self._sounds(kind, pcm)
        self.post(ev.Event())

    def lose(self) -> None:
        """See boxes.Called."""
        if call := self._call:
            self.hear(call.id, "ended", why="lost")

    def accept(self, call: Call | None) -> None:
        """Somebody here takes that one."""
        with self._lock:
            if call is None or call is not self._call or call.phase is not Phase.HERE:
                return
            call.phase, call.ends_s = Phase.ON, self._clock() + LONGEST_S
        self._link.say(call.id, "took")
        self.post(ev.Event())

    def hang_up(self, why: str) -> bool:
        """Whether there was a call."""
        with self._lock:
            call, self._call = self._call, None
        if call:
            self._link.say(call.id, "ended", why=why)
            self._over(Over(call.box, why, call.made, here=True))
            self.post(ev.Event())
        return call is not None

    def listens(self) -> None:
        """From now on what is said here goes to the other end."""
        self._speaks = False

    def talk(self, samples: Samples) -> None:
        """A piece of what is said here."""
        call = self._call
        if call and call.phase is Phase.ON:
            self._speaks = True
            self._link.say(call.id, "sound", pcm=as_text(samples))

    def spoke(self) -> None:
        """Whoever spoke here has finished."""
        self._speaks = False
        if call := self._call:
            self._link.say(call.id, "spoke")

    def each_round(self) -> None:
        """Of the service's loop."""
        call, state = self._call, self._state()
        if call is None:
            if state in IN_CALL:
                self.post(ev.CallEnded())
            return
        if self._clock() >= self._alive_s and call.phase is not Phase.ASKED:
            self._alive_s = self._clock() + ALIVE_S
            self._link.say(call.id, "alive")
        if state in AWAY:
            self.hang_up("muted" if state is State.MUTED else "lost")
        elif self._clock() >= call.ends_s:
            self.hang_up("too_long" if call.phase is Phase.ON else "no_answer")
        elif event := NEXT.get((call.phase, state)):
            self.post(event)
        elif state is State.TALKING and self.far.ready and not self._speaks:
            self.post(ev.CallSounds())

    def _sounds(self, kind: str, pcm: str) -> None:
        try:
            self.far.add(of_text(pcm)) if kind == "sound" else self.far.end()
        except ValueError as error:
            log.debug("a box sent no sound: %s", error)

    def _over(self, over: Over) -> None:
        log.info("the call with %s is over: %s", over.box, over.why)
        self.far.clear()
        self.over.append(over)
