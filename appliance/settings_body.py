"""The settings of what is soldered or plugged to the board: a button, lamps, a strip of LEDs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator, model_validator

from appliance.settings_thought import Table

Hat = Literal[
    "", "respeaker-2mic", "respeaker-4mic", "respeaker-6mic", "respeaker-xvf3800", "adafruit-voice-bonnet"
]  # fmt: skip


class Body(Table):
    """Pins are named as the library does: GPIO17 or BOARD11 for gpiozero, a line's name or number for gpiochip."""

    pins: Literal["none", "gpiozero", "gpiochip"] = "none"
    """What reaches the button and the light: gpiozero on a Raspberry Pi, gpiochip (libgpiod) on any other board."""
    chip: str = "/dev/gpiochip0"
    """Of the lines, for gpiochip."""
    button_pin: str = ""
    """Wired to ground, unless `button_pull_up` is false; empty is no button."""
    button_pull_up: bool = True
    """False: the button connects the pin to 3.3 V."""
    light_pins: list[str] = Field([])
    """One pin of a single LED, or three of an RGB one: red, green, blue; empty is no light."""
    light_active_high: bool = True
    """False: the LED is lit when its pin is low, as one with a common anode."""
    light_brightness: float = Field(1.0, ge=0.02, le=1)
    """Of any light that can be dimmed; 1 is as bright as it goes."""
    light_quiet: float = Field(0.3, ge=0, le=1)
    """What is left of that in quiet hours (`voice.quiet_from`). At 0 the light is dark then while the box rests, and
    tells nothing of its microphone; while it serves somebody it is lit faintly."""
    hat: Hat = ""
    """A sound hat whose lights and button are known (appliance/hats.toml): the keys of this table that it has, unless
    they are set here as well."""
    strip: Literal["none", "apa102", "ws2812", "xvf3800"] = "none"
    """LEDs in the place of those on `light_pins`: APA102 (DotStar, SK9822), WS2812 (NeoPixel, SK6812), or the ring of a
    ReSpeaker XVF3800 on USB."""
    strip_leds: int = Field(1, ge=1, le=256)
    """How many there are; all show the same."""
    strip_bus: Path = Path("/dev/spidev0.0")
    """The SPI bus that they hang on."""
    strip_pins: list[str] = Field([])
    """Data and clock of an APA102 that hangs on two other pins, in the place of a bus: lines of `chip`."""
    strip_power_pin: str = ""
    """The pin that is high while the LEDs have their supply; empty is none."""

    @model_validator(mode="after")
    def _reached(self) -> Body:
        if self.strip_pins and (self.strip != "apa102" or len(self.strip_pins) != 2):
            raise ValueError("strip_pins: the data and the clock of an apa102; others have none")
        if self.strip_power_pin and self.pins == "none":
            raise ValueError("strip_power_pin: set pins as well, by which it is reached")
        return self

    @property
    def drop_in(self) -> str:
        """The file of systemd/ that lets the service's unit to the strip; empty where it needs none."""
        return "" if self.strip == "none" or self.strip_pins else "usb.conf" if self.strip == "xvf3800" else "spi.conf"

    @field_validator("light_pins")
    @classmethod
    def _one_or_three(cls, pins: list[str]) -> list[str]:
        if len(pins) not in (0, 1, 3):
            raise ValueError("no pin, one, or three (red, green, blue)")
        return pins
