"""What the doctor sees of the board itself, on trees like the kernel's."""

from __future__ import annotations

from pathlib import Path

from appliance.terminal import board
from appliance.terminal.check import Check


def test_temperature_and_supply(tmp_path: Path) -> None:
    assert board.temperature(tmp_path).found == "no sensor here"
    for number, reading in enumerate(("45000\n", "61500\n", "")):
        zone = tmp_path / f"class/thermal/thermal_zone{number}"
        zone.mkdir(parents=True)
        (zone / "temp").write_text(reading)
    assert board.temperature(tmp_path) == Check("temperature", True, "62 degrees Celsius")
    (tmp_path / "class/thermal/thermal_zone0/temp").write_text("83000\n")
    assert "fan" in board.temperature(tmp_path).remedy
    throttled = tmp_path / "devices/platform/soc/soc:firmware/get_throttled"
    throttled.parent.mkdir(parents=True)
    throttled.write_text("50005\n")
    assert "power supply" in board.temperature(tmp_path).remedy
    throttled.write_text("0\n")
    assert "fan" in board.temperature(tmp_path).remedy
