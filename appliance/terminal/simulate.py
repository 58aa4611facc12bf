"""A button and a light in a terminal, on the real state machine; keys do what a hand, a voice and the world would."""

from __future__ import annotations

import termios
import time
import tty
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer as Later
from typing import TextIO

from appliance import events as ev
from appliance.audio import Utterance, silence
from appliance.service.light import StateLight
from appliance.service.loop import Service
from appliance.simulated import DeadMicrophone, HandSetAlarms, ScriptedEars

MUTE_HOLD_S = 1.7
"""A little longer than the hold that mutes."""
FOR_EVER = 10**9


class Panel:
    """The lamp, drawn: in place on a terminal, else a line for each new state."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._live = out, out.isatty()
        self._last = ""
        self._write(f"{legend()}\n\n")
        self.light: StateLight | None = None
        """What it draws; nothing before there is one."""
        self.down = False

    def set(self, red: float, green: float, blue: float) -> None:
        if self.light is None:
            return
        state, microphone = self.light.state.name.lower(), "open" if self.light.open else "closed"
        told = f"{state:<10} microphone {microphone:<7} button {'down' if self.down else 'up'}"
        if self._live:
            colour = ";".join(
                str(round(255 * level**0.5)) for level in (red, green, blue)
            )  # as bright as an eye sees it
            self._write(f"\r\033[K  \033[38;2;{colour}m\u2b24\033[0m  {told}")
        elif told != self._last:
            self._write(f"({red:.2f} {green:.2f} {blue:.2f})  {told}\n")
        self._last = told

    def close(self) -> None:
        if self._live:
            self._write("\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


class World:
    """Everything that happens to the box; `press` is told of the button's downs and ups."""

    def __init__(
        self,
        service: Service,
        ears: ScriptedEars,
        microphone: DeadMicrophone,
        alarms: HandSetAlarms,
        press: Callable[[bool], None],
    ) -> None:
        self._service, self._ears, self._microphone, self._alarms = service, ears, microphone, alarms
        self._press, self._down = press, False

    def tap(self) -> None:
        self._press(True)
        self._press(False)

    def mute(self) -> None:
        self._press(True)
        Later(MUTE_HOLD_S, self._press, [False]).start()

    def hold(self) -> None:
        self._down = not self._down
        self._press(self._down)

    def wake(self) -> None:
        self._service.post(ev.WakeHeard(word="hey_jarvis", score=1.0, at_s=time.monotonic()))

    def speak(self) -> None:
        now_s = time.monotonic()
        self._service.post(ev.UtteranceEnded(self._turn, Utterance(silence(1)), now_s, now_s))

    def say_nothing(self) -> None:
        self._service.post(ev.NothingHeard(self._turn))

    def time_out(self) -> None:
        self._alarms.end_one()

    def plug(self) -> None:
        self._microphone.misses = 0 if self._microphone.misses else FOR_EVER

    @property
    def over(self) -> bool:
        return self._service.closing

    @property
    def _turn(self) -> int:
        return self._ears.attended[-1][1] if self._ears.attended else 0


KEYS: dict[str, tuple[str, Callable[[World], None]]] = {
    " ": ("press the button", World.tap),
    "m": ("hold it for 1.5 s", World.mute),
    "h": ("hold it down, or let it go", World.hold),
    "w": ("say the wake word", World.wake),
    "s": ("say something", World.speak),
    "n": ("say nothing", World.say_nothing),
    "t": ("a timer ends", World.time_out),
    "u": ("unplug the microphone, or plug it in", World.plug),
}
QUIT = "q"


def legend() -> str:
    told = [f"  {'space' if key == ' ' else key:<6} {text}" for key, (text, _) in KEYS.items()]
    return "\n".join([*told, f"  {'1-9':<6} wait that many seconds", f"  {QUIT:<6} quit"])


@contextmanager
def keys(source: TextIO) -> Iterator[Iterator[str]]:
    """Each as it is typed; or every character of a pipe."""
    if not source.isatty():
        yield iter(source.read())
        return
    before = termios.tcgetattr(source)
    tty.setcbreak(source)
    try:
        yield iter(lambda: source.read(1), "")
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)


def play(world: World, typed: Iterable[str]) -> None:
    """Do what the keys say, until `q`, the last key, or the end of the service."""
    for key in typed:
        if key == QUIT or world.over:
            return
        if key.isdecimal():
            time.sleep(int(key))
        elif key in KEYS:
            KEYS[key][1](world)
