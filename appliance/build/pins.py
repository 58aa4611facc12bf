"""Button and light on the pins that the settings name. What is not there costs one warning, and nothing else."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from appliance import events as ev
from appliance.body.absent import NoButton
from appliance.build.adapters import cannot
from appliance.errors import ApplianceError, DeviceMissing
from appliance.ports import Button, Light, ValueStore
from appliance.service.states import State
from appliance.service.watcher import Watcher
from appliance.settings import Body
from appliance.wording import said

if TYPE_CHECKING:
    from gpiozero import Factory

log = logging.getLogger(__name__)

PRESSED = "pressed"
"""The value that is kept once the button was felt."""

T = TypeVar("T")


class Pins(Protocol):
    """What reaches the pins of a board."""

    def led(self, pins: Sequence[str], active_high: bool = True) -> Light:
        """Raises DeviceMissing."""

    def button(self, body: Body) -> Button:
        """Raises DeviceMissing."""


@contextmanager
def opened(body: Body, folder: Path) -> Iterator[tuple[Light, Button]]:
    """`folder`: where lgpio may make its pipe."""
    pins: Pins = _NoPins()
    try:
        if body.pins != "none":
            pins = {"gpiozero": _gpiozero, "gpiochip": _GpiochipPins}[body.pins](body, folder)
    except DeviceMissing as error:
        log.warning("%s; going on without them", error)
    with (
        closing(_or(lambda: _light(body, pins), _NoPins().led)) as light,
        closing(_or(lambda: pins.button(body) if body.button_pin else NoButton(), NoButton)) as button,
    ):
        yield light, button


def _light(body: Body, pins: Pins) -> Light:
    """Raises DeviceMissing."""
    if body.strip != "none":
        from appliance.build.strips import strip

        return strip(body, pins.led)
    return (pins if body.light_pins else _NoPins()).led(body.light_pins, body.light_active_high)


def _or(make: Callable[[], T], absent: Callable[[], T]) -> T:
    try:
        return make()
    except DeviceMissing as error:
        log.warning("%s; going on without it", error)
        return absent()


class _NoPins:
    def led(self, pins: Sequence[str] = (), active_high: bool = True) -> Light:
        from appliance.body.absent import NoLight

        return NoLight()

    def button(self, body: Body) -> Button:
        return NoButton()


def _gpiozero(body: Body, folder: Path) -> Pins:
    """Raises DeviceMissing."""
    os.environ.setdefault("LG_WD", str(folder))
    try:
        from appliance.body.lgpio_pins import factory
    except ImportError:
        log.info("lgpio has no build for this Python: libgpiod it is, which does not dim")
        return _GpiochipPins(body, folder)
    return _GpiozeroPins(factory())


class _GpiozeroPins:
    def __init__(self, factory: Factory) -> None:
        self._factory = factory

    def led(self, pins: Sequence[str], active_high: bool = True) -> Light:
        from appliance.body.gpio import GpioLight

        return GpioLight(pins, active_high, self._factory)

    def button(self, body: Body) -> Button:
        from appliance.body.gpio import GpioButton

        return GpioButton(body.button_pin, body.button_pull_up, self._factory)


class _GpiochipPins:
    def __init__(self, body: Body, folder: Path) -> None:
        """Raises DeviceMissing."""
        from appliance.body.gpiochip import check

        check(body.chip)
        self._chip = body.chip

    def led(self, pins: Sequence[str], active_high: bool = True) -> Light:
        from appliance.body.gpiochip import ChipLight

        return ChipLight(self._chip, pins, active_high)

    def button(self, body: Body) -> Button:
        from appliance.body.gpiochip import ChipButton

        return ChipButton(self._chip, body.button_pin, body.button_pull_up)


def felt(kept: ValueStore) -> Watcher:
    """A watcher that keeps that there is a button, once it was pressed: a pin tells nobody whether one hangs on it."""
    known = False

    def watch(event: ev.Event, state: State) -> None:
        nonlocal known
        if known or not isinstance(event, ev.ButtonPressed):
            return
        with suppress(ApplianceError):  # then the next press tells it
            if not kept.get(PRESSED):
                kept.set(PRESSED, "yes")
            known = True

    return watch


def if_felt(mute: Callable[[], None], kept: ValueStore, button: Button, language: str) -> Callable[[], None]:
    """Mute by word, where a button was felt that can end it. Raises CannotBeDone elsewhere."""
    if isinstance(button, NoButton):
        return cannot(said("no_button", language))
    return lambda: (mute if kept.get(PRESSED) else cannot(said("unfelt", language)))()
