"""Button and light by libgpiod's lines: a Jetson, where gpiozero's pin factories ask for a Raspberry Pi, or any board.

Lines are on or off: colours are kept, brightness is not. The kernel ignores `pull_up` where the pin controller has no
say in it (tegra234): there the button needs a resistor of its own, 10 kOhm to 3.3 V.
"""

from __future__ import annotations

import logging
import os
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from threading import Thread

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

from appliance.errors import DeviceMissing

log = logging.getLogger(__name__)

BOUNCE = timedelta(milliseconds=20)
CONSUMER = "voice-appliance"
REMEDY = "`gpioinfo` lists chips and lines: name some of them in the table [body] of the settings"
DIM = 0.5
"""A colour that has less than this share of the brightest is off: of white all three are lit, of blue one."""


def check(chip: str) -> None:
    """Raises DeviceMissing where `chip` is none, or not ours to use."""
    if not gpiod.is_gpiochip_device(chip) or not os.access(chip, os.R_OK | os.W_OK):
        raise DeviceMissing(f"there is no GPIO chip {chip} that may be used", remedy=f"set body.chip; {REMEDY}")


class ChipLight:
    def __init__(self, chip: str, pins: Sequence[str], active_high: bool) -> None:
        """`pins`: names or numbers of lines of `chip`, such as /dev/gpiochip0. Raises DeviceMissing."""
        self._pins, self._lines = pins, [_line(pin) for pin in pins]
        settings = gpiod.LineSettings(direction=Direction.OUTPUT, active_low=not active_high)
        with _explained("light", chip, pins):
            self._request = gpiod.request_lines(chip, dict.fromkeys(self._lines, settings), CONSUMER)

    def set(self, red: float, green: float, blue: float) -> None:
        brightest = max(red, green, blue)
        levels = (red, green, blue) if len(self._lines) == 3 else (brightest,)
        lit = [Value.ACTIVE if brightest > 0 and brightest * DIM <= level else Value.INACTIVE for level in levels]
        with _explained("light", "the chip", self._pins):
            self._request.set_values(dict(zip(self._lines, lit, strict=True)))

    def close(self) -> None:
        if self._request:
            self._request.set_values(dict.fromkeys(self._lines, Value.INACTIVE))
            self._request.release()


class ChipButton:
    """Edges are waited for in a thread, `pins`."""

    def __init__(self, chip: str, pin: str, pull_up: bool) -> None:
        """Raises DeviceMissing."""
        settings = gpiod.LineSettings(
            edge_detection=Edge.BOTH,
            bias=Bias.PULL_UP if pull_up else Bias.PULL_DOWN,
            active_low=pull_up,
            debounce_period=BOUNCE,
        )
        with _explained("button", chip, [pin]):
            self._request = gpiod.request_lines(chip, {_line(pin): settings}, CONSUMER)
        self._over = os.eventfd(0)
        self._thread: Thread | None = None

    def listen(self, changed: Callable[[bool], None]) -> None:
        self._thread = Thread(target=self._wait, args=(changed,), name="pins", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if not self._request:
            return
        os.eventfd_write(self._over, 1)
        if self._thread:
            self._thread.join()
        self._request.release()
        os.close(self._over)

    def _wait(self, changed: Callable[[bool], None]) -> None:
        try:
            while self._over not in select.select([self._request.fd, self._over], [], [])[0]:
                for event in self._request.read_edge_events():
                    changed(event.event_type is event.Type.RISING_EDGE)  # of the logical line: active is down
        except OSError as error:
            log.error("the button does nothing until a restart: its line is gone (%s)", error)


def _line(pin: str) -> str | int:
    return int(pin) if pin.isdecimal() else pin


@contextmanager
def _explained(part: str, chip: str, pins: Sequence[str]) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # a missing chip, a missing or a busy line
        raise DeviceMissing(
            f"the {part} on {', '.join(pins)} of {chip} cannot be used ({error})", remedy=REMEDY
        ) from error
