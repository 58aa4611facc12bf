"""What the doctor finds of a strip of LEDs: by the device files, for the running service holds the device itself."""

from __future__ import annotations

import os
from pathlib import Path

from appliance.settings import Body
from appliance.terminal.check import Check

LET_IN = (
    "sudo install -D -m 644 -t /etc/systemd/system/va.service.d /opt/va/current/systemd/{0}; "
    "sudo systemctl daemon-reload; restart the service"
)
"""How the service is let to the device: the drop-in of systemd/release, for settings that were changed since."""
SPI_ON = "write dtparam=spi=on into /boot/firmware/config.txt, and start the board again"


def check(body: Body, root: Path = Path("/")) -> list[Check]:
    """Nothing where no strip is wanted."""
    if body.strip == "none":
        return []
    where = "USB" if body.strip == "xvf3800" else " and ".join(body.strip_pins) or str(body.strip_bus)
    fault, remedy = _usb(root) if where == "USB" else ("", "") if body.strip_pins else _spi(body.strip_bus, root)
    if not fault and (drop_in := body.drop_in) and _shut_out(root, drop_in):
        fault, remedy = "the service's unit does not let it in", LET_IN.format(drop_in)
    count = "the ring" if where == "USB" else f"{body.strip_leds} LEDs"
    return [Check("strip", not fault, f"{body.hat or body.strip}, {count} on {where}{fault and ': '}{fault}", remedy)]


def _spi(bus: Path, root: Path) -> tuple[str, str]:
    """What is wrong with it, and the remedy."""
    if not (device := root / bus.relative_to("/")).exists():
        others = ", ".join(f"/dev/{each.name}" for each in sorted((root / "dev").glob("spidev*")))
        return f"it is not there; there is {others or 'no SPI bus'}", "set body.strip_bus" if others else SPI_ON
    if not os.access(device, os.R_OK | os.W_OK):
        return "it may not be used", "add the service's user to the group spi"
    return "", ""


def _usb(root: Path) -> tuple[str, str]:
    found = {vendor.read_text().strip() for vendor in root.glob("sys/bus/usb/devices/*/idVendor")}
    return ("", "") if "2886" in found else ("no ReSpeaker is plugged in", "plug it in")


def _shut_out(root: Path, drop_in: str) -> bool:
    units = root / "etc/systemd/system"
    return (units / "va.service").exists() and not (units / "va.service.d" / drop_in).exists()
