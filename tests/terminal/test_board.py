"""What the doctor sees of the board itself, on trees like the kernel's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("node", ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware"], ids=["pi 4", "pi 5"])
@pytest.mark.parametrize("flags", ["1", "50005", "50000"])
def test_weak_supply_is_told_by_the_firmware_of_every_pi(tmp_path: Path, node: str, flags: str) -> None:
    throttled = tmp_path / "devices/platform" / node / "get_throttled"
    throttled.parent.mkdir(parents=True)
    throttled.write_text(f"{flags}\n")
    assert "power supply" in board.temperature(tmp_path).remedy
    throttled.write_text("0\n")
    assert board.temperature(tmp_path).fine


def test_weak_supply_is_told_by_the_sensor_where_the_firmware_tells_none(tmp_path: Path) -> None:
    for number, (name, alarm) in enumerate([("cpu_thermal", "1"), ("rpi_volt", "1")]):
        sensor = tmp_path / f"class/hwmon/hwmon{number}"
        sensor.mkdir(parents=True)
        (sensor / "name").write_text(f"{name}\n")
        (sensor / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert board.temperature(tmp_path).found == "the supply voltage is too low"
    (tmp_path / "class/hwmon/hwmon1/in0_lcrit_alarm").write_text("0\n")
    assert board.temperature(tmp_path).fine, "another sensor's alarm is not the supply's"


@pytest.mark.parametrize(
    ("controllers", "fine"), [("cpuset cpu io memory pids\n", True), ("cpuset cpu io pids\n", False), (None, True)]
)
def test_kernel_that_limits_no_memory_is_told_with_a_remedy(
    tmp_path: Path, controllers: str | None, fine: bool
) -> None:
    """None: no unified tree, as in a container or on an old system: nothing is known, and nothing is claimed."""
    group = tmp_path / "fs/cgroup"
    group.mkdir(parents=True)
    if controllers:
        (group / "cgroup.controllers").write_text(controllers)
    check = board.memory(tmp_path)
    assert check.fine is fine
    assert ("cgroup_enable=memory" in check.remedy) is not fine


HOT = "mkdir thermal_zone0; echo 91000 >thermal_zone0/temp"
WEAK = "mkdir -p soc/soc:firmware; echo 50005 >soc/soc:firmware/get_throttled"


@pytest.mark.parametrize(
    ("folder", "made", "remedy"),
    [("/sys/class/thermal", HOT, "fan"), ("/sys/devices/platform", WEAK, "power supply")],
    ids=["hot", "weak"],
)
def test_the_doctor_itself_says_so(tmp_path: Path, folder: str, made: str, remedy: str) -> None:
    """The real command, where the kernel's own folder has other files in it: in a mount namespace."""
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    script = f'mount -t tmpfs none {folder}; (cd {folder}; {made}); exec "$@"'
    doctor = [sys.executable, "-m", "appliance", "doctor", "--json", "--state", str(tmp_path)]
    done = subprocess.run([*alone, "sh", "-ec", script, "sh", *doctor], capture_output=True, text=True, timeout=300)
    assert done.stdout, done.stderr
    (check,) = [each for each in json.loads(done.stdout)["checks"] if each["part"] == "temperature"]
    assert not check["fine"]
    assert remedy in check["remedy"]
