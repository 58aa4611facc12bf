"""The pins of a Raspberry Pi for gpiozero, by lgpio: needs /dev/gpiochip* and nothing of the system's Python.

Importing lgpio makes a pipe in the folder that LG_WD names, or else in the current one.
"""

from __future__ import annotations

import lgpio
from gpiozero import Factory
from gpiozero.exc import GPIOZeroError
from gpiozero.pins.lgpio import LGPIOFactory

from appliance.errors import DeviceMissing


def factory() -> Factory:
    """Raises DeviceMissing."""
    try:
        return LGPIOFactory()
    except (GPIOZeroError, lgpio.error, OSError) as error:
        remedy = "on another board set body.pins = 'gpiochip'; on a Pi add the user to the group gpio"
        raise DeviceMissing(f"there are no pins of a Raspberry Pi here ({error})", remedy=remedy) from error
