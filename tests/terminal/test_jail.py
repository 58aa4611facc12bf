"""What the doctor sees of jail and pins: on trees like the kernel's, and on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from appliance.settings import Body, Settings
from appliance.terminal import doctor, jail

HELD = "Name:\tpython\nUid:\t990\t990\t990\t990\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n"
HEADER = "Inter-|   Receive\n face |bytes\n"


def service(root: Path, status: str = f"{HELD}Seccomp:\t2\n", net: str = "    lo: 0\n", options: str = "ro") -> Path:
    group = root / "sys/fs/cgroup/system.slice/va.service"
    process = root / "proc/4321"
    for folder in (group, process / "net"):
        folder.mkdir(parents=True)
    (group / "cgroup.procs").write_text("4400\n4321\n")
    (process / "status").write_text(status)
    (process / "net/dev").write_text(HEADER + net)
    (process / "mountinfo").write_text(f"22 1 8:1 / / {options},relatime shared:1 - ext4 /dev/sda rw\n")
    return root


def test_held_service_is_fine(tmp_path: Path) -> None:
    check = doctor._jail(service(tmp_path))
    assert check.fine
    assert not check.remedy


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"net": "    lo: 0\n  eth0: 0\n"}, "it can reach the network"),
        ({"options": "rw"}, "it may write to the system"),
        ({"status": f"{HELD}Seccomp:\t0\n"}, "no system call is refused"),
        ({"status": f"{HELD}Seccomp:\t2\n".replace("990", "0")}, "it runs as root"),
        ({"status": f"{HELD}Seccomp:\t2\n".replace("NoNewPrivs:\t1", "NoNewPrivs:\t0")}, "it may gain privileges"),
        ({"status": f"{HELD}Seccomp:\t2\n".replace("CapBnd:\t00", "CapBnd:\t01")}, "it has capabilities"),
    ],
)
def test_each_opening_is_named_with_a_remedy(tmp_path: Path, change: dict[str, str], told: str) -> None:
    check = doctor._jail(service(tmp_path, **change))
    assert not check.fine
    assert check.found.startswith(told)
    assert "make install" in check.remedy


def test_a_way_to_a_model_server_is_fine_where_one_is_set_and_missed_where_not(tmp_path: Path) -> None:
    shut, way_out = service(tmp_path / "shut"), service(tmp_path / "open", net="    lo: 0\n  eth0: 0\n")
    check = doctor._jail(shut, server=True)
    assert (check.fine, check.found) == (False, "a server is set, but the unit has no network")
    assert "lan.conf" in check.remedy
    assert doctor._jail(way_out, server=True).fine
    both = service(tmp_path / "both", net="    lo: 0\n  eth0: 0\n", options="rw")
    assert doctor._jail(both, server=True).found == "it may write to the system"


def test_no_service_and_one_that_ended(tmp_path: Path) -> None:
    check = doctor._jail(tmp_path)
    assert check.fine
    assert "make install" in check.remedy
    (service(tmp_path) / "proc/4321/status").unlink()
    assert not doctor._jail(tmp_path).fine


def test_this_very_process_is_not_in_jail() -> None:
    """The real /proc: tests have a network or may write, or both."""
    assert jail.openings(Path("/proc") / str(os.getpid()))


def test_pins_that_may_not_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    check = doctor._pins(Settings(body=Body(pins="gpiochip")), tmp_path)
    assert not check.fine
    assert "group gpio" in check.remedy
