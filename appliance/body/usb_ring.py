"""The ring of a ReSpeaker XVF3800, which its own processor drives: told its colour over USB.

Requests and numbers are those of Seeed's xvf_host.py (github.com/respeaker/reSpeaker_XVF3800_USB_4MIC_ARRAY). By the
kernel's own interface, linux/usbdevice_fs.h: one call, where libusb would be a package and a thread more.
"""

from __future__ import annotations

import ctypes
import os
import struct
from fcntl import ioctl
from pathlib import Path

from appliance.errors import DeviceMissing

VENDOR, PRODUCT = "2886", "001a"
CONTROL = 0xC018_5500
"""USBDEVFS_CONTROL on a system of 64 bits."""
TO_VENDOR = 0x40
"""bmRequestType: to the device, defined by its vendor."""
LEDS, EFFECT, COLOUR = 20, 12, 16
"""GPO_SERVICER_RESID, LED_EFFECT, LED_COLOR."""
ONE_COLOUR = 3
PATIENCE_MS = 1_000


class _Transfer(ctypes.Structure):
    """struct usbdevfs_ctrltransfer."""

    _fields_ = (
        ("type", ctypes.c_uint8),
        ("request", ctypes.c_uint8),
        ("value", ctypes.c_uint16),
        ("index", ctypes.c_uint16),
        ("length", ctypes.c_uint16),
        ("timeout_ms", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
    )


class UsbRing:
    """A wire for frames of one colour."""

    def __init__(self, sys: Path = Path("/sys"), dev: Path = Path("/dev")) -> None:
        """Raises DeviceMissing."""
        self._open = -1
        try:
            self._open = os.open(_node(sys, dev), os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise _missing(error) from error
        try:
            self._send(EFFECT, struct.pack("B", ONE_COLOUR))
        except DeviceMissing:
            self.close()
            raise

    def write(self, frame: bytes) -> None:
        """Raises DeviceMissing."""
        self._send(COLOUR, struct.pack("<I", int.from_bytes(frame, "big")))

    def close(self) -> None:
        if self._open >= 0:
            os.close(self._open)
        self._open = -1

    def _send(self, command: int, payload: bytes) -> None:
        buffer = ctypes.create_string_buffer(payload, len(payload))
        there = ctypes.addressof(buffer)
        transfer = _Transfer(TO_VENDOR, 0, command, LEDS, len(payload), PATIENCE_MS, there)
        try:
            ioctl(self._open, CONTROL, transfer)
        except OSError as error:
            raise _missing(error) from error


def _node(sys: Path, dev: Path) -> Path:
    """The device's file. Raises OSError."""
    for vendor in sorted(sys.glob("bus/usb/devices/*/idVendor")):
        numbers = [vendor.with_name(name).read_text().strip() for name in ("idVendor", "idProduct", "busnum", "devnum")]
        if numbers[:2] == [VENDOR, PRODUCT]:
            return dev / "bus/usb" / f"{int(numbers[2]):03}" / f"{int(numbers[3]):03}"
    raise FileNotFoundError("no such device is plugged in")


def _missing(error: OSError) -> DeviceMissing:
    return DeviceMissing(
        f"the light of the XVF3800 cannot be used ({error.strerror or error})",
        remedy="plug it in, and see what `appliance doctor` says",
    )
