"""The unit files, judged by systemd's own tools; and what they promise, kept in step with the code."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from appliance import settings_file
from appliance.body.clock_helper import SOCKET
from appliance.doors.hub_lines import HUB, SPEECH
from appliance.hub import wifi
from appliance.service import ends
from appliance.service.loop import LOOK_S
from appliance.service.supervision import LOADING_S
from appliance.service.vitals import LONGEST_S
from appliance.settings import Hub, Settings
from appliance.terminal.jail import UNIT
from appliance.tts.speak import BEAT_S

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(each.name for each in SYSTEMD.iterdir() if each.suffix in (".service", ".socket", ".timer"))
PYTHON = "/opt/va/current/bin/python"

pytestmark = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="apt install systemd")


def directives(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", (SYSTEMD / name).read_text(), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units in a folder, with a Python that is there."""
    for name in UNITS:
        (tmp_path / name).write_text((SYSTEMD / name).read_text().replace(PYTHON, sys.executable))
    return tmp_path


def analyze(*words: str | Path, load: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"SYSTEMD_UNIT_PATH": f"{load}:"}  # with the system's own
    return subprocess.run(
        ["systemd-analyze", *map(str, words)], env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("drop_in", ["", "chrony.conf", "jetson.conf", "lan.conf", "spi.conf", "usb.conf"])
def test_verify_finds_nothing(installed: Path, drop_in: str) -> None:
    if drop_in:
        (installed / "va.service.d").mkdir()
        shutil.copy(SYSTEMD / drop_in, installed / "va.service.d")
    done = analyze("verify", "--man=no", *(installed / name for name in UNITS), load=installed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_verify_does_find_a_mistake(installed: Path) -> None:
    unit = installed / "va.service"
    unit.write_text(unit.read_text().replace("ProtectSystem=strict", "ProtectSystme=strict"))
    assert "ProtectSystme" in analyze("verify", "--man=no", unit, load=installed).stderr


NETWORKED = ["va-bridge.service", "va-calendar.service", "va-discord.service", "va-wyoming.service"]
EXPOSED = {
    "va-bridge.service": 11,
    "va-calendar.service": 12,
    "va-clock@.service": 15,
    "va-discord.service": 12,
    "va-wyoming.service": 11,
}
"""Tenths of the units that need a network, and of the one that sets the clock: that takes root, to whom the clock chip
belongs, and a capability. Any other has at most 10."""


@pytest.mark.parametrize("name", [name for name in UNITS if name.endswith(".service")])
def test_exposure_is_at_most_one_of_ten(installed: Path, name: str) -> None:
    threshold = f"--threshold={EXPOSED.get(name, 10)}"
    done = analyze("security", "--offline=true", threshold, "--no-pager", installed / name, load=installed)
    assert done.returncode == 0, done.stdout


def test_only_four_units_have_a_network_and_they_are_off_until_somebody_wants_them() -> None:
    services = [name for name in UNITS if name.endswith(".service")]
    assert [name for name in services if "PrivateNetwork" not in directives(name)] == NETWORKED
    enabled = "".join((SYSTEMD / name).read_text() for name in ("install", "release", "va.service"))
    assert not re.search("va-(bridge|calendar|discord|hub|wyoming)", enabled)


def test_the_calendar_is_synchronised_in_the_state_folder_alone() -> None:
    unit = directives("va-calendar.service")
    assert (unit["User"], unit["StateDirectory"], unit["ProtectSystem"]) == (["va"], ["va"], ["strict"])
    assert "ReadWritePaths" not in unit
    assert unit["ExecStart"][0].endswith("-I -m appliance calendar sync'")
    assert directives("va-calendar.timer")["OnUnitInactiveSec"] == ["15min"]


def test_the_bridge_has_nothing_of_the_appliance_but_its_settings_and_reaches_no_further_than_the_home() -> None:
    unit, door = directives("va-bridge.service"), directives("va-bridge.socket")
    assert (unit["User"], unit["Group"], unit["ProtectSystem"]) == (["va-bridge"], ["va-bridge"], ["strict"])
    assert not {"SupplementaryGroups", "StateDirectory", "ReadWritePaths", "BindPaths"} & unit.keys()
    state = settings_file.load(SYSTEMD / "config.toml").state
    assert f"-{state}" in unit["InaccessiblePaths"][0].split()
    assert unit["ReadOnlyPaths"] == ["/run"]
    assert unit["IPAddressDeny"] == ["any"]
    (lan,) = directives("lan.conf")["IPAddressAllow"]
    assert unit["IPAddressAllow"] == [lan]
    assert unit["ExecStart"][0].endswith("-I -m appliance bridge run'")
    assert (door["SocketUser"], door["SocketMode"]) == (directives("va.service")["User"], ["0600"])
    assert f"{unit['User'][0]} " in (SYSTEMD / "sysusers.conf").read_text()


def test_the_hub_comes_in_where_nobody_else_may_and_only_where_it_is_wanted() -> None:
    door, kept = directives("va-hub-core.socket"), (SYSTEMD / "sysusers.conf").read_text()
    assert (door["SocketUser"], door["SocketGroup"], door["SocketMode"]) == (["va-hub"], ["root"], ["0600"])
    assert re.search(r"^u va-hub ", kept, re.MULTILINE)
    assert (door["Service"], door["FileDescriptorName"]) == (["va.service"], [HUB])
    assert Path(door["ListenStream"][0]).parent == Path(directives("va-api.socket")["ListenStream"][0]).parent
    enabled = "".join((SYSTEMD / name).read_text() for name in ("install", "release", "va.service"))
    assert "va-hub-core" not in enabled


def test_who_speaks_wyoming_has_nothing_of_the_appliance_but_its_settings_its_models_and_its_door() -> None:
    unit, bridge = directives("va-wyoming.service"), directives("va-bridge.service")
    assert (unit["User"], unit["Group"], unit["ProtectSystem"]) == (["va-wyoming"], ["va-wyoming"], ["strict"])
    assert not {"SupplementaryGroups", "StateDirectory", "ReadWritePaths", "BindPaths"} & unit.keys()
    state = settings_file.load(SYSTEMD / "config.toml").state
    assert f"-{state}" in unit["InaccessiblePaths"][0].split()
    assert unit["ReadOnlyPaths"] == ["/run"]
    assert unit["IPAddressDeny"] == ["any"]
    (home,), (reached,) = bridge["IPAddressAllow"], unit["IPAddressAllow"]
    assert {*reached.split()} == {*home.split(), "multicast"}
    assert unit["ExecStart"][0].endswith("-I -m appliance wyoming run'")
    assert f"{unit['User'][0]} " in (SYSTEMD / "sysusers.conf").read_text()
    door = directives("va-speech.socket")
    assert (door["SocketUser"], door["SocketGroup"], door["SocketMode"]) == (unit["User"], ["root"], ["0600"])
    assert (door["Service"], door["FileDescriptorName"]) == (["va.service"], [SPEECH])
    assert door["ListenStream"] == [str(Settings().wyoming.core_socket)]
    assert "va-speech" not in "".join((SYSTEMD / name).read_text() for name in ("install", "release", "va.service"))


def test_the_hub_has_no_network_but_the_port_that_systemd_opened_to_the_home() -> None:
    unit, door = directives("va-hub.service"), directives("va-hub.socket")
    assert (unit["User"], unit["Group"], unit["StateDirectory"]) == (["va-hub"], ["va-hub"], ["va-hub"])
    assert (unit["PrivateNetwork"], unit["RestrictAddressFamilies"]) == (["yes"], ["AF_UNIX"])
    assert not {"SupplementaryGroups", "ReadWritePaths", "BindPaths"} & unit.keys()
    assert f"-{settings_file.load(SYSTEMD / 'config.toml').state}" in unit["InaccessiblePaths"][0].split()
    assert unit["ExecStart"][0].endswith("-I -m appliance hub run'")
    assert door["ListenStream"] == [str(Hub().port)]
    assert door["IPAddressDeny"] == ["any"]
    (lan,) = directives("lan.conf")["IPAddressAllow"]
    assert door["IPAddressAllow"] == [lan]
    assert 'u va-hub - "Voice appliance hub" /var/lib/va-hub' in (SYSTEMD / "sysusers.conf").read_text()


def test_users_and_folders_can_be_made(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give folders away")
    (tmp_path / "etc").mkdir()
    for command, file in ((["systemd-sysusers"], "sysusers.conf"), (["systemd-tmpfiles", "--create"], "tmpfiles.conf")):
        words = [*command, f"--root={tmp_path}", str(SYSTEMD / file)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "srv/va/models").is_dir()
    assert re.search(r"^va:x:\d+:\d+:Voice appliance:/var/lib/va:", (tmp_path / "etc/passwd").read_text(), re.MULTILINE)


def test_groups_of_the_units_are_made_by_sysusers() -> None:
    made = set(re.findall(r"^[gu] (\S+)", (SYSTEMD / "sysusers.conf").read_text(), re.MULTILINE))
    for name in [*UNITS, "jetson.conf", "spi.conf"]:
        for groups in directives(name).get("SupplementaryGroups", []):
            assert set(groups.split()) <= made, "a group that is not there stops the start: status 216"


def test_where_memory_runs_out_the_model_goes_and_the_service_stays() -> None:
    assert directives("va.service")["OOMPolicy"] == ["continue"]


@pytest.mark.parametrize("lives", [True, False])
def test_what_was_said_is_said_again_only_where_it_worked_for_a_while(tmp_path: Path, lives: bool) -> None:
    """The line that waits, as the service starts it: it ends with the service, by SIGTERM to the whole group."""
    (after,) = directives("va.service")["ExecStartPost"]
    command = shlex.split(after.removeprefix("-").replace("/run/va-degraded", str(tmp_path)).replace("600", "0.5"))
    told = tmp_path / "told"
    told.touch()
    with subprocess.Popen(command, start_new_session=True) as shell:
        assert shell.wait(10) == 0, "ready is not kept waiting"
        assert told.exists()
        if not lives:
            os.killpg(shell.pid, signal.SIGTERM)
    time.sleep(1.5)
    assert told.exists() is not lives


@pytest.mark.parametrize(("result", "cause"), [("watchdog", "watchdog"), ("success", "asked"), ("oom-kill", "memory")])
def test_how_it_ended_is_counted_at_the_next_start(tmp_path: Path, result: str, cause: str) -> None:
    (after,) = directives("va.service")["ExecStopPost"]
    command = shlex.split(after.removeprefix("-").replace("$$", "$"))
    assert ends.count(tmp_path) == {}, "the first start"
    subprocess.run(command, env={"SERVICE_RESULT": result, "STATE_DIRECTORY": str(tmp_path)}, check=True, timeout=10)
    assert ends.count(tmp_path) == {cause: 1}


@pytest.mark.parametrize("other", ["va-degraded.service", "va-check@.service"])
def test_services_are_held_alike(other: str) -> None:
    """No other unit gets more than the service, and what is tried out meets what the service will meet."""
    core, degraded = directives("va.service"), directives(other)
    jail = re.compile(
        r"(Protect|Restrict|Private|IPAddress|SystemCall|Capab|Ambient|NoNew|Memory\w*Deny|Lock|Device|Key|UMask)"
    )
    names = [name for name in core if jail.match(name)]
    assert len(names) >= 20
    assert {name: degraded.get(name) for name in names} == {name: core[name] for name in names}


def test_models_are_read_through_weekly_behind_everything_else() -> None:
    """The timer starts the service of its name, and the appliance the timer: no installer has to know of it."""
    assert directives("va-verify.timer")["OnCalendar"][0].startswith("Sun")
    assert "va-verify.timer" in directives("va.service")["Wants"][0].split()
    verify = directives("va-verify.service")
    assert (verify["Nice"], verify["IOSchedulingClass"]) == (["19"], ["idle"])
    assert verify["ExecStart"] == [f"{PYTHON} -I -m appliance models verify"]
    models = settings_file.load(SYSTEMD / "config.toml").models
    assert verify["ReadWritePaths"] == [str(models)]
    assert "User" not in verify, "only root may write there"


def test_what_sets_the_clock_may_do_nothing_else_and_is_the_groups() -> None:
    clock, door = directives("va-clock@.service"), directives("va-clock.socket")
    assert (clock["CapabilityBoundingSet"], clock["ReadWritePaths"]) == (["CAP_SYS_TIME"], [str(SOCKET.parent)])
    assert (clock["DeviceAllow"], clock["RestrictAddressFamilies"]) == (["char-rtc w"], ["none"])
    assert not any("CAP_SYS_TIME" in (SYSTEMD / name).read_text() for name in ("va.service", "va-degraded.service"))
    assert (door["SocketUser"], door["SocketGroup"], door["SocketMode"]) == (["root"], ["va"], ["0660"])
    assert door["ListenStream"] == [str(SOCKET)]
    assert "va-clock.socket" in directives("va.service")["Wants"][0].split(), "no installer has to know of it"
    (script,) = re.findall(r"(\S+)$", clock["ExecStart"][0])
    assert f"644 clock               {script}" in (SYSTEMD / "files").read_text()
    assert str(SOCKET.parent / "set") in (SYSTEMD / "clock").read_text()


def test_what_joins_a_network_may_do_nothing_else_and_is_the_hubs() -> None:
    unit, door = directives("va-wifi@.service"), directives("va-wifi.socket")
    assert (unit["CapabilityBoundingSet"], unit["RestrictAddressFamilies"]) == ([""], ["AF_UNIX"])
    assert (unit["PrivateNetwork"], unit["ReadWritePaths"]) == (["yes"], [str(wifi.SOCKET.parent)])
    hidden = {*unit["InaccessiblePaths"][0].split()}
    assert hidden > {*directives("va-hub.service")["InaccessiblePaths"][0].split()}
    assert (door["SocketUser"], door["SocketGroup"], door["SocketMode"]) == (["va-hub"], ["root"], ["0600"])
    assert door["ListenStream"] == [str(wifi.SOCKET)]
    assert directives("va-hub.service")["Wants"] == ["va-wifi.socket"], "off where there is no hub"
    (script,) = re.findall(r"(\S+)$", unit["ExecStart"][0])
    text = (SYSTEMD / "wifi").read_text()
    assert f"644 wifi                {script}" in (SYSTEMD / "files").read_text()
    longest_s = sum(int(each) for each in re.findall(r"JOIN_S, KEEP_S, LIST_S = (\d+), \d+, (\d+)", text)[0])
    assert longest_s < wifi.JOIN_S < int(unit["RuntimeMaxSec"][0])


def test_what_runs_as_root_may_not_write_to_run() -> None:
    """Which ProtectSystem=strict leaves open (tests/systemd/test_booted_units.py): units may lie there."""
    of_root = [name for name in UNITS if name.endswith(".service") and "User" not in directives(name)]
    assert of_root == ["va-clock@.service", "va-verify.service", "va-wifi@.service"]
    assert [directives(name).get("ReadOnlyPaths") for name in of_root] == [["/run"]] * 3


def test_watchdog_is_shorter_than_the_promised_30_s_and_longer_than_any_honest_silence() -> None:
    watchdog_s = int(directives("va.service")["WatchdogSec"][0])
    assert watchdog_s / 4 + LOOK_S < watchdog_s / 2
    assert watchdog_s + LONGEST_S <= 30
    assert BEAT_S < LONGEST_S / 2


def test_slow_failures_are_counted_as_well_as_quick_ones() -> None:
    """Or a start that hangs each time would go on for ever, in silence."""
    unit = directives("va.service")
    slowest_s = LOADING_S + int(unit["TimeoutStopSec"][0]) + int(unit["RestartSec"][0])
    loaded_s = 60  # the models before it, on a Raspberry Pi 4
    assert unit["StartLimitIntervalSec"] == ["1h"]
    assert int(unit["StartLimitBurst"][0]) * (loaded_s + slowest_s) <= 3_600


def test_the_doctor_looks_for_the_unit_that_there_is() -> None:
    assert UNIT in UNITS


def test_installed_settings_are_valid_and_where_the_units_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOICE_APPLIANCE_MODELS", raising=False)
    chosen = settings_file.load(SYSTEMD / "config.toml")
    assert chosen.state == Path("/var/lib") / directives("va.service")["StateDirectory"][0]
    for file in ("ring", "check"):
        assert str(chosen.state) in (SYSTEMD / file).read_text()
    assert f"d {chosen.models} " in (SYSTEMD / "tmpfiles.conf").read_text()
