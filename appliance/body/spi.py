"""An SPI bus that only sends, by the kernel's own interface: linux/spi/spidev.h.

Three calls of it are all that a strip needs; spidev has no wheel for any board, python-periphery brings seven more.
"""

from __future__ import annotations

import os
import struct
from fcntl import ioctl
from pathlib import Path

from appliance.errors import DeviceMissing

SET_MODE, SET_HZ = 0x4001_6B01, 0x4004_6B04
"""SPI_IOC_WR_MODE and SPI_IOC_WR_MAX_SPEED_HZ, the same on arm64 and x86-64."""


class SpiWire:
    def __init__(self, device: Path, hz: int) -> None:
        """`device`: such as /dev/spidev0.0.  hz: bits a second. Raises DeviceMissing."""
        self._device, self._open = device, -1
        try:
            self._open = os.open(device, os.O_RDWR | os.O_CLOEXEC)
            ioctl(self._open, SET_MODE, struct.pack("B", 0))
            ioctl(self._open, SET_HZ, struct.pack("I", hz))
        except OSError as error:
            self.close()
            raise self._missing(error) from error

    def write(self, frame: bytes) -> None:
        """In one transfer: a WS2812 takes a pause for the end. Raises DeviceMissing."""
        try:
            sent = os.write(self._open, frame)
        except OSError as error:
            raise self._missing(error) from error
        if sent < len(frame):
            raise self._missing(OSError(f"took {sent} of {len(frame)} bytes"))

    def close(self) -> None:
        if self._open >= 0:
            os.close(self._open)
        self._open = -1

    def _missing(self, error: OSError) -> DeviceMissing:
        return DeviceMissing(
            f"the light on {self._device} cannot be used ({error.strerror or error})",
            remedy="switch SPI on (dtparam=spi=on in /boot/firmware/config.txt), and see what `appliance doctor` says",
        )
