"""Button and light on the pins that the settings name. What is not there costs one warning, and nothing else."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from appliance import events as ev
from appliance.body.absent import NoButton
from appliance.build.adapters import cannot
from appliance.errors import ApplianceError, DeviceMissing
from appliance.ports import Button, Light, ValueStore
from appliance.service.states import State
from appliance.service.watcher import Watcher
from appliance.settings import Body
from appliance.wording import said

log = logging.getLogger(__name__)

PRESSED = "pressed"
"""The value that is kept once the button was felt."""

T = TypeVar("T")
Makers = tuple[Callable[[], Light], Callable[[], Button]]


@contextmanager
def opened(body: Body, folder: Path) -> Iterator[tuple[Light, Button]]:
    """`folder`: where lgpio may make its pipe."""
    from appliance.body.absent import NoLight

    try:
        make_light, make_button = _makers(body, folder)
    except DeviceMissing as error:
        log.warning("%s; going on without a button and a light", error)
        make_light, make_button = NoLight, NoButton
    with closing(_or(make_light, NoLight)) as light, closing(_or(make_button, NoButton)) as button:
        yield light, button


def _or(make: Callable[[], T], absent: Callable[[], T]) -> T:
    try:
        return make()
    except DeviceMissing as error:
        log.warning("%s; going on without it", error)
        return absent()


def _makers(body: Body, folder: Path) -> Makers:
    """Raises DeviceMissing where there are no pins at all."""
    from appliance.body.absent import NoLight

    makers: Makers = NoLight, NoButton
    if body.pins != "none":
        makers = {"gpiozero": _gpiozero, "gpiochip": _gpiochip}[body.pins](body, folder)
    return makers[0] if body.light_pins else NoLight, makers[1] if body.button_pin else NoButton


def _gpiozero(body: Body, folder: Path) -> Makers:
    os.environ.setdefault("LG_WD", str(folder))
    try:
        from appliance.body.lgpio_pins import factory
    except ImportError:
        log.info("lgpio has no build for this Python: libgpiod it is, which does not dim")
        return _gpiochip(body, folder)
    from appliance.body.gpio import GpioButton, GpioLight

    pins = factory()
    return (
        lambda: GpioLight(body.light_pins, body.light_active_high, pins),
        lambda: GpioButton(body.button_pin, body.button_pull_up, pins),
    )


def _gpiochip(body: Body, folder: Path) -> Makers:
    from appliance.body.gpiochip import ChipButton, ChipLight, check

    check(body.chip)
    return (
        lambda: ChipLight(body.chip, body.light_pins, body.light_active_high),
        lambda: ChipButton(body.chip, body.button_pin, body.button_pull_up),
    )


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
