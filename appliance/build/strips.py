"""The strip of LEDs that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from appliance.ports import Light
from appliance.settings import Body

if TYPE_CHECKING:
    from appliance.body.strips import Frame, Wire

Led = Callable[[Sequence[str]], Light]
"""A light on pins that are high while it is lit."""


def strip(body: Body, led: Led) -> Light:
    """Raises DeviceMissing."""
    from appliance.body.strips import StripLight

    with ExitStack() as stack:
        wire, frame = _pinned(body) if body.strip_pins else _DRIVERS[body.strip](body)
        stack.enter_context(closing(wire))
        power = stack.enter_context(closing(led([body.strip_power_pin]))) if body.strip_power_pin else None
        light = StripLight(wire, frame, body.strip_leds, power)
        stack.pop_all()
    return light


def _pinned(body: Body) -> tuple[Wire, Frame]:
    from appliance.body.clocked import PinWire
    from appliance.body.strips import apa102

    return PinWire(body.chip, body.strip_pins), apa102


def _apa102(body: Body) -> tuple[Wire, Frame]:
    from appliance.body.spi import SpiWire
    from appliance.body.strips import APA102_HZ, apa102

    return SpiWire(body.strip_bus, APA102_HZ), apa102


def _ws2812(body: Body) -> tuple[Wire, Frame]:
    from appliance.body.spi import SpiWire
    from appliance.body.strips import WS2812_HZ, ws2812

    return SpiWire(body.strip_bus, WS2812_HZ), ws2812


def _xvf3800(body: Body) -> tuple[Wire, Frame]:
    from appliance.body.strips import one
    from appliance.body.usb_ring import UsbRing

    return UsbRing(), one


_DRIVERS = {"apa102": _apa102, "ws2812": _ws2812, "xvf3800": _xvf3800}
