"""What the light shows: one table keyed by state, and whether the microphone is open.

Two rules hold for the whole table, so that the light can be trusted without knowing it by heart: with an open
microphone it is never dark, and with a closed one it has dark moments. A lit light that does not blink out means: open.
An owner may give that up for quiet hours: dark while nobody is served.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from threading import Condition, Thread

from appliance import events as ev
from appliance.audio import Frame
from appliance.errors import DeviceMissing
from appliance.ports import Light, Microphone
from appliance.service.states import QUIET, State

log = logging.getLogger(__name__)

TICK_S = 0.04
"""Between two steps of a changing pattern: smooth to the eye."""
JOIN_S = 1.0
FAINT = 0.1
"""Of the patterns' own brightness, where it is to be dark while nobody is served."""

Colour = tuple[float, float, float]
"""Red, green and blue, each 0 to 1."""

WHITE, BLUE, VIOLET, GREEN = (1.0, 0.8, 0.6), (0.0, 0.3, 1.0), (0.7, 0.0, 1.0), (0.0, 1.0, 0.2)
CYAN, YELLOW, ORANGE, RED = (0.0, 0.8, 0.8), (1.0, 0.8, 0.0), (1.0, 0.4, 0.0), (1.0, 0.0, 0.0)
PINK = (1.0, 0.0, 0.4)
"""Of calls with another box."""


@dataclass(frozen=True)
class Pattern:
    colour: Colour
    levels: tuple[float, ...] = (1.0,)
    """Brightness, 0 to 1, one after the other, over and over."""
    step_s: float = 1.0
    """How long each lasts."""
    smooth: bool = False
    """Glide from one to the next."""

    def still_s(self, seconds: float) -> float | None:
        """How long what is to be seen then stays; None where it never changes."""
        if len(self.levels) == 1:
            return None
        return TICK_S if self.smooth else self.step_s - seconds % self.step_s

    def at(self, seconds: float) -> Colour:
        """What is to be seen so long after it began."""
        whole, part = divmod(seconds / self.step_s, 1)
        now, then = (self.levels[(int(whole) + ahead) % len(self.levels)] for ahead in (0, 1))
        level = now + (then - now) * part if self.smooth else now
        red, green, blue = self.colour
        return red * level, green * level, blue * level


@dataclass(frozen=True)
class Look:
    """Of one state: while the microphone is open, and while it is closed."""

    open: Pattern
    closed: Pattern


def _awake(colour: Colour, levels: tuple[float, ...] = (1.0,), step_s: float = 1.0, smooth: bool = False) -> Look:
    """A state that needs the microphone: without one its colour blinks."""
    return Look(Pattern(colour, levels, step_s, smooth), Pattern(colour, (max(levels), 0.0), 0.5))


STILL_OPEN = Pattern(WHITE)
"""The microphone should be closed and is not, or not yet."""

PATTERNS: dict[State, Look] = {
    State.STARTING: _awake(WHITE, (0.1, 0.4), 1.0, smooth=True),
    State.IDLE: _awake(WHITE, (0.1,)),
    State.LISTENING: _awake(BLUE),
    State.THINKING: _awake(VIOLET, (0.3, 1.0), 0.5, smooth=True),
    State.SPEAKING: _awake(GREEN, (0.5, 1.0), 1.0, smooth=True),
    State.FOLLOW_UP: _awake(CYAN),
    State.RINGING: _awake(YELLOW, (1.0, 0.2), 0.25),
    State.CALLING: _awake(PINK, (0.2, 0.7), 1.0, smooth=True),
    State.CALLED: _awake(PINK, (0.9, 0.2), 0.25),
    State.TALKING: _awake(PINK),
    State.PLAYING: _awake(PINK, (0.4, 0.8), 0.5, smooth=True),
    State.MUTED: Look(STILL_OPEN, Pattern(RED, (0.6, *[0.0] * 9), 0.2)),
    State.FAULTED: Look(Pattern(ORANGE, (1.0, 0.3), 0.5), Pattern(ORANGE, (1.0, 0.0, 1.0, *[0.0] * 5), 0.2)),
    State.RESETTING: Look(STILL_OPEN, Pattern(RED, (1.0, 0.0), 0.12)),
}
PRIVATE = _awake(WHITE, (*[0.1] * 9, 0.45), 0.2)
"""In the place of IDLE while nothing is kept of what is said."""

PAIRING = Look(Pattern(BLUE, (0.2, 1.0), 0.4, smooth=True), Pattern(BLUE, (1.0, 0.0, 1.0, *[0.0] * 5), 0.15))
"""In the place of IDLE, MUTED and FAULTED while a new device may come in."""


class StateLight:
    """Shows the state and the microphone on `lamp`. A lamp that is gone costs one warning, and nothing else.

    Start it, or use it as a context manager; its thread only moves the patterns that move.
    """

    def __init__(self, lamp: Light, brightness: float = 1.0) -> None:
        """brightness: as `dim`."""
        self._lamp: Light | None = lamp
        self._state, self._open, self._ails, self._private = State.STARTING, False, False, False
        self._pairs = False
        self._since_s = time.monotonic()
        self._brightness = brightness
        self._changed, self._closing = Condition(), False
        self._thread = Thread(target=self._animate, name="light", daemon=True)

    def __enter__(self) -> StateLight:
        self._show()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def state(self) -> State:
        return self._state

    @property
    def open(self) -> bool:
        """The capture device is open, or about to be."""
        return self._open

    def watch(self, event: ev.Event, state: State) -> None:
        """The service's watcher."""
        self._show(state=state)

    def hears(self, open_: bool) -> None:
        """The capture device is about to open, or has been closed. The lamp has changed when this returns."""
        self._show(open_=open_)

    def ails(self, ails: bool) -> None:
        """Whether something is amiss although the box listens: it rests in the colour of a fault then."""
        if ails is not self._ails:
            self._show(ails=ails)

    def private(self, private: bool) -> None:
        """Whether nothing is kept of what is said: the box rests in a look of its own then."""
        if private is not self._private:
            self._show(private=private)

    def pairs(self, pairs: bool) -> None:
        """Whether a new device may come in by the button."""
        if pairs is not self._pairs:
            self._show(pairs=pairs)

    def dim(self, brightness: float) -> None:
        """Of the patterns' own, 0 to 1. At 0 it is dark while nobody is served, and FAINT while somebody is."""
        if brightness != self._brightness:
            with self._changed:
                self._brightness = brightness
                self._paint()

    def close(self) -> None:
        """Dark; but a microphone that would not close leaves the lamp as it is until the process ends."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)
        if self._lamp and not self._open:
            self._lamp.close()
            self._lamp = None

    def _show(
        self,
        state: State | None = None,
        open_: bool | None = None,
        ails: bool | None = None,
        private: bool | None = None,
        pairs: bool | None = None,
    ) -> None:
        """What is not given stays as it is under the lock: the loop and the ears tell of theirs at the same moment."""
        with self._changed:
            before = self._pattern()
            self._state = self._state if state is None else state
            self._open = self._open if open_ is None else open_
            self._ails = self._ails if ails is None else ails
            self._private = self._private if private is None else private
            self._pairs = self._pairs if pairs is None else pairs
            if self._pattern() is not before:
                self._since_s = time.monotonic()
            self._paint()
            self._changed.notify()

    def _pattern(self) -> Pattern:
        look = self._resting() if self._state is State.IDLE else PATTERNS[self._state]
        if self._pairs and self._state in QUIET:
            look = PAIRING
        return look.open if self._open else look.closed

    def _resting(self) -> Look:
        if self._ails:
            return PATTERNS[State.FAULTED]
        return PRIVATE if self._private else PATTERNS[State.IDLE]

    def _paint(self) -> None:
        if self._lamp is None:
            return
        try:
            self._lamp.set(*(part * self._level() for part in self._pattern().at(time.monotonic() - self._since_s)))
        except DeviceMissing as error:
            log.warning("%s; going on without a light", error)
            self._lamp = None

    def _level(self) -> float:
        return self._brightness or (0 if self._state in QUIET else FAINT)

    def _animate(self) -> None:
        with self._changed:
            while not self._closing and self._lamp:
                self._paint()
                self._changed.wait(self._pattern().still_s(time.monotonic() - self._since_s))


class LitMicrophone:
    """A microphone that cannot be open in the dark: the light is told before it opens and after it closed."""

    def __init__(self, microphone: Microphone, light: StateLight) -> None:
        self._microphone, self._light = microphone, light

    def open(self) -> None:
        """Raises DeviceMissing."""
        self._light.hears(True)
        try:
            self._microphone.open()
        except BaseException:
            self.close()
            raise

    def read(self) -> Frame:
        """Raises DeviceMissing, EOFError."""
        return self._microphone.read()

    def close(self) -> None:
        self._microphone.close()
        self._light.hears(False)
