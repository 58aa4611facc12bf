"""Two pins in the place of a bus, by libgpiod: for LEDs with a clock of their own, such as APA102."""

from __future__ import annotations

from collections.abc import Sequence

import gpiod
from gpiod.line import Direction, Value

from appliance.body.gpiochip import CONSUMER, REMEDY
from appliance.errors import DeviceMissing

LOW, HIGH = Value.INACTIVE, Value.ACTIVE


class PinWire:
    """The kernel is called twice a bit: with three LEDs some 350 times a frame, which the 25 frames a second of a
    breathing light make some percent of a core of a Pi. Nothing is sent while nothing changes."""

    def __init__(self, chip: str, pins: Sequence[str]) -> None:
        """`pins`: of the data and of the clock, by name or number. Raises DeviceMissing."""
        self._pins = pins
        data, clock = (int(pin) if pin.isdecimal() else pin for pin in pins)
        self._bits = [{data: value, clock: LOW} for value in (LOW, HIGH)]
        self._tick = {clock: HIGH}
        settings = gpiod.LineSettings(direction=Direction.OUTPUT, output_value=LOW)
        try:
            self._request = gpiod.request_lines(chip, {data: settings, clock: settings}, CONSUMER)
        except (OSError, ValueError) as error:
            raise self._missing(error) from error

    def write(self, frame: bytes) -> None:
        """Highest bit first; the LED reads as the clock rises. Raises DeviceMissing."""
        put = self._request.set_values
        try:
            for byte in frame:
                for bit in range(7, -1, -1):
                    put(self._bits[byte >> bit & 1])
                    put(self._tick)
            put(self._bits[0])
        except (OSError, ValueError) as error:
            raise self._missing(error) from error

    def close(self) -> None:
        if self._request:
            self._request.release()

    def _missing(self, error: Exception) -> DeviceMissing:
        return DeviceMissing(f"the light on {' and '.join(self._pins)} cannot be used ({error})", remedy=REMEDY)
