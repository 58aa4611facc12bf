"""Button and light on a Raspberry Pi, by gpiozero."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress

from gpiozero import PWMLED, Factory
from gpiozero import Button as PushButton
from gpiozero.exc import GPIOZeroError

from appliance.errors import DeviceMissing, explained

BOUNCE_S = 0.02
"""Contacts of a push button are still after 10 ms (datasheets say 5 to 10)."""


class GpioLight:
    """One PWM pin per colour: a single LED, or the red, green and blue of one."""

    def __init__(self, pins: Sequence[str], active_high: bool, factory: Factory) -> None:
        """Raises DeviceMissing."""
        self._open = ExitStack()
        with ExitStack() as stack, _explained("light", ", ".join(pins)):
            self._leds = [
                stack.enter_context(PWMLED(pin, active_high=active_high, pin_factory=factory)) for pin in pins
            ]
            self._open = stack.pop_all()

    def set(self, red: float, green: float, blue: float) -> None:
        levels = (red, green, blue) if len(self._leds) == 3 else [max(red, green, blue)]
        with _explained("light", "its pins"):
            for led, level in zip(self._leds, levels, strict=True):
                led.value = level

    def close(self) -> None:
        with suppress(GPIOZeroError):
            self._open.close()


class GpioButton:
    def __init__(self, pin: str, pull_up: bool, factory: Factory) -> None:
        """Raises DeviceMissing."""
        with _explained("button", pin):
            self._button = PushButton(pin, pull_up=pull_up, bounce_time=BOUNCE_S, pin_factory=factory)

    def listen(self, changed: Callable[[bool], None]) -> None:
        self._button.when_pressed = lambda: changed(True)
        self._button.when_released = lambda: changed(False)

    def close(self) -> None:
        with suppress(GPIOZeroError):
            self._button.close()


def _explained(part: str, pins: str) -> AbstractContextManager[None]:
    """A pin library below gpiozero raises errors of its own, of no common family."""
    return explained(
        lambda error: DeviceMissing(
            f"the {part} on {pins} cannot be used ({type(error).__name__}: {error})",
            remedy=f"correct the pins of the {part} in the table [body] of the settings",
        )
    )
