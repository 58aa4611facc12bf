"""Strips and rings of LEDs that are sent their colours one behind the other, each shown the same one.

A frame is what is sent for one colour of all LEDs. Whatever is lit at all stays lit in it, however dim: the light is
never dark while the microphone is open.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from appliance.body.absent import NoLight
from appliance.errors import DeviceMissing
from appliance.ports import Light

Colour = tuple[float, float, float]
"""Red, green and blue, each 0 to 1."""
Frame = Callable[[Colour, int], bytes]
"""Of a colour and a number of LEDs."""

APA102_HZ = 4_000_000
"""The data sheet gives no limit; the drivers of Seeed's hats take 8 MHz, Adafruit's library 4 MHz."""
APA102_STEPS = 31
"""Of the brightness that the three colours of one LED share: 5 bits."""
WS2812_HZ = 2_400_000
"""Three bits of 417 ns are one of the chip's: high for 0.42 of 1.25 us is 0, for 0.83 is 1 (data sheet: 0.4, 0.8)."""
WS2812_RESET = bytes(90)
"""300 us of low: then what was sent is shown. The data sheet of 2016 asks for 50 us, chips since 2017 for 280."""

_THREE_BITS = tuple(
    int("".join("110" if byte & 1 << bit else "100" for bit in range(7, -1, -1)), 2).to_bytes(3, "big")
    for byte in range(256)
)
"""Of each byte, highest bit first."""


class Wire(Protocol):
    """What carries frames to the LEDs."""

    def write(self, frame: bytes) -> None:
        """Raises DeviceMissing."""

    def close(self) -> None:
        """May be repeated."""


class StripLight:
    """A `Light` of `leds` LEDs; nothing is sent while nothing changes."""

    def __init__(self, wire: Wire, frame: Frame, leds: int, power: Light | None = None) -> None:
        """power: the pin that switches their supply on, where a hat has one. Raises DeviceMissing."""
        self._wire, self._frame, self._leds, self._power = wire, frame, leds, power or NoLight()
        self._sent = b""
        self._power.set(1, 1, 1)

    def set(self, red: float, green: float, blue: float) -> None:
        frame = self._frame((red, green, blue), self._leds)
        if frame != self._sent:
            self._wire.write(frame)
            self._sent = frame

    def close(self) -> None:
        with suppress(DeviceMissing):
            self.set(0, 0, 0)
        self._wire.close()
        self._power.close()


def apa102(colour: Colour, leds: int) -> bytes:
    """APA102, APA102C, SK9822: 32 bits of 0; for each LED 111, 5 bits of brightness, blue, green, red; then the end.

    An LED hands on what it gets half a clock later, so the last one needs a clock more for every two before it. Unlike
    in the data sheet these are 0: an LED beyond the last one stays dark, and an SK9822 shows a frame only after 32 of
    them (cpldcpu.com, "SK9822", 2016).
    """
    steps = min(APA102_STEPS, math.ceil(max(colour) * APA102_STEPS))
    red, green, blue = (_byte(part * APA102_STEPS / steps) if steps else 0 for part in colour)
    return bytes(4) + bytes((0b1110_0000 | steps, blue, green, red)) * leds + bytes(4 + math.ceil(leds / 16))


def ws2812(colour: Colour, leds: int) -> bytes:
    """WS2812B, SK6812: of each LED green, red and blue, a bit of them in three; on an SPI bus of WS2812_HZ."""
    red, green, blue = (_THREE_BITS[_byte(part)] for part in colour)
    return WS2812_RESET + (green + red + blue) * leds + WS2812_RESET


def one(colour: Colour, leds: int) -> bytes:
    """Red, green and blue, a byte each: for what shows one colour on all of its LEDs by itself."""
    return bytes(map(_byte, colour))


def _byte(part: float) -> int:
    return min(255, max(1, round(part * 255))) if part > 0 else 0
