"""The units around the service under a real systemd, in their own sandboxes; installed and removed as on a box."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator

import pytest
from booted import Booted
from installed import PYTHON, Boot, as_va, booted, in_place_of, wheelhouse_of_a_box

SOON_S = 30
CALENDAR = "http://127.0.0.1:5232/mia/home/"
PRETENDED = """
import runpy, time
time.clock_settime = lambda clock, at_s: open("/run/va-clock/noted", "w").write(str(int(at_s)))
import ctypes
class Free:
    def __init__(self, name): pass
    def adjtimex(self, fields): return 5
ctypes.CDLL = Free
runpy.run_path("/usr/local/lib/va/clock.real", run_name="__main__")
"""
"""The helper with the clock's two system calls noted: this machine's clock is no namespace's own."""
COPY = """
from datetime import UTC, datetime
from pathlib import Path
from appliance.memory.backups import back_up
from appliance.memory.store import Store
database = Path("/var/lib/va/appliance.db")
Store(database).close()
print(back_up(database, datetime.now(UTC)).path.name)
"""
ASK = """
from datetime import datetime
from appliance.body.clock_helper import ask_helper
print(ask_helper(datetime.fromisoformat("2026-03-03T15:10:00+01:00")).name)
"""
ASK_HUB = """
import sys, urllib.error, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})
try:
    with urllib.request.urlopen(request, timeout=60) as answer:
        print(answer.status)
except urllib.error.HTTPError as error:
    print(error.code)
"""
STARTED = ("va.service", "va-api.socket", "va-clock.socket", "va-backup.timer", "va-verify.timer")


wheels = pytest.fixture(scope="module")(wheelhouse_of_a_box)
boot = pytest.fixture(scope="module")(booted)


@pytest.fixture(scope="module")
def system(boot: Boot) -> Booted:
    return boot()


def await_state(system: Booted, unit: str, state: str) -> None:
    ends_s = time.monotonic() + SOON_S
    while (found := system.show(unit, "ActiveState")) != state:
        assert time.monotonic() < ends_s, (found, system.journal(unit))
        time.sleep(0.1)


def test_install_starts_sockets_and_timers_but_not_what_reaches_a_network(system: Booted) -> None:
    assert {unit: system.show(unit, "ActiveState") for unit in STARTED} == dict.fromkeys(STARTED, "active")
    assert system.show("va-calendar.timer", "UnitFileState") == "disabled"
    assert system.show("va-calendar.timer", "ActiveState") == "inactive"
    assert system.show("va-bridge.socket", "UnitFileState") == "disabled"
    assert system.show("va-bridge.socket", "ActiveState") == "inactive"
    assert system.show("va-wyoming.service", "UnitFileState") == "disabled"
    assert system.show("va-wyoming.service", "ActiveState") == "inactive"
    assert system.show("va-hub.socket", "UnitFileState") == "disabled"
    assert system.show("va-hub.socket", "ActiveState") == "inactive"
    for timer in ("va-backup.timer", "va-verify.timer"):
        assert system.show(timer, "NextElapseUSecRealtime"), f"{timer} would never start anything"


@pytest.fixture
def pretended(system: Booted) -> Iterator[Booted]:
    with in_place_of(system, "/usr/local/lib/va/clock", PRETENDED):
        yield system
    system.run("rm", "-f", "/run/va-clock/noted", "/run/va-clock/set")


def test_clock_is_set_for_the_services_user_and_marked(pretended: Booted) -> None:
    assert as_va(pretended, ASK) == "DONE"
    assert pretended.run("cat", "/run/va-clock/noted") == "1772547000"
    assert pretended.run("stat", "-c", "%U %a", "/run/va-clock/set").split()[0] == "root"
    assert as_va(pretended, "import os; print(os.path.exists('/run/va-clock/set'))") == "True"


@pytest.mark.parametrize("line", ["now", "2026-03-03T15:10:00+01:00; reboot", "1999-03-03T15:10:00+01:00", ""])
def test_anything_but_a_time_is_refused(pretended: Booted, line: str) -> None:
    code = f"""
import socket
with socket.socket(socket.AF_UNIX) as door:
    door.connect("/run/va-clock/socket")
    door.sendall({line!r}.encode() + b"\\n")
    door.shutdown(socket.SHUT_WR)
    print(door.recv(64).decode())
"""
    assert as_va(pretended, code) == "refused"
    assert pretended.attempt("test", "-e", "/run/va-clock/noted").returncode == 1


def test_nobody_else_may_ask_for_another_time(pretended: Booted) -> None:
    done = pretended.run("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", PYTHON, "-I", "-c", ASK)
    assert done.strip() == "NOBODY"
    assert pretended.attempt("test", "-e", "/run/va-clock/noted").returncode == 1


def test_honest_helper_asks_the_kernel_in_its_sandbox(system: Booted) -> None:
    """Which refuses here: a booted system has no right to the clock. Or a time server sets this machine's."""
    before = time.time()
    answer, told = as_va(system, ASK), system.journal("va-clock@*")
    assert answer in ("REFUSED", "NETWORK")
    assert "Traceback" not in told
    assert answer == "NETWORK" or "Operation not permitted" in told
    assert abs(time.time() - before) < 60
    assert system.attempt("test", "-e", "/run/va-clock/set").returncode == 1


@pytest.fixture
def stick(system: Booted) -> Iterator[Booted]:
    system.run("mount", "-t", "tmpfs", "-o", "mode=755", "none", "/srv/va-backup")
    yield system
    system.run("umount", "/srv/va-backup")


def test_copy_is_put_on_a_stick_that_is_the_services(stick: Booted) -> None:
    name = as_va(stick, COPY)
    stick.run("chown", "va:va", "/srv/va-backup")
    stick.start("va-backup.service")
    assert stick.run("stat", "-c", "%U %a %n", f"/srv/va-backup/{name}") == f"va 600 /srv/va-backup/{name}\n"


def test_stick_that_is_not_the_services_is_told_of(stick: Booted) -> None:
    as_va(stick, COPY)
    assert stick.attempt("systemctl", "start", "va-backup.service").returncode != 0
    (told,) = [line for line in stick.journal("va-backup.service").splitlines() if "/srv/va-backup cannot" in line]
    assert "Permission denied" in told
    assert "chown" in told, f"no remedy for this: {told}"


def test_without_a_stick_nothing_is_copied_and_the_journal_says_why(system: Booted) -> None:
    as_va(system, COPY)
    system.start("va-backup.service")
    assert system.show("va-backup.service", "ConditionResult") == "no"
    assert "/srv/va-backup" in system.journal("va-backup.service")
    assert system.run("ls", "-A", "/srv/va-backup") == ""


@pytest.fixture
def settled(system: Booted) -> Iterator[Booted]:
    """With settings that name a calendar server, which is not there."""
    config = "/etc/voice-appliance/config.toml"
    system.write("/var/lib/va/password", "hunter2\n", "600")
    system.run("chown", "va:va", "/var/lib/va/password")
    before = system.run("cat", config)
    named = f'[calendar]\nurl = "{CALENDAR}"\nuser = "mia"\npassword_file = "/var/lib/va/password"'
    system.write(config, f"{before}\n{named}\n")
    yield system
    system.write(config, before)


@pytest.fixture
def calendar(settled: Booted) -> Iterator[Booted]:
    """With a real Radicale, which only the booted system's loopback leads to."""
    settled.write("/opt/users", "mia:hunter2\n")
    words = ["--server-hosts=127.0.0.1:5232", "--auth-type=htpasswd", "--auth-htpasswd-filename=/opt/users"]
    words += ["--auth-htpasswd-encryption=plain", "--auth-delay=0", "--storage-filesystem-folder=/opt/calendars"]
    settled.run("systemd-run", "--quiet", "--unit=radicale", sys.executable, "-m", "radicale", "--config=", *words)
    yield settled
    settled.run("systemctl", "stop", "radicale.service")


EVENT = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:test
BEGIN:VEVENT
UID:dentist
DTSTAMP:20260303T090000Z
DTSTART:20260310T090000Z
DTEND:20260310T100000Z
SUMMARY:dentist
END:VEVENT
END:VCALENDAR
"""
REQUEST = """
import sys, time, httpx
ends_s = time.monotonic() + 30
while True:
    try:
        print(httpx.request(*sys.argv[1:3], content=sys.stdin.read(), auth=("mia", "hunter2"), timeout=30).status_code)
        break
    except httpx.TransportError:
        if time.monotonic() > ends_s: raise
        time.sleep(0.1)
"""


def test_calendar_is_synchronised_as_the_services_user(calendar: Booted) -> None:
    ask = [PYTHON, "-I", "-c", REQUEST]
    assert calendar.run(*ask, "MKCALENDAR", CALENDAR).strip() == "201"
    assert calendar.run(*ask, "PUT", f"{CALENDAR}dentist.ics", text=EVENT).strip() == "201"
    calendar.run("systemctl", "enable", "--now", "va-calendar.timer")
    calendar.start("va-calendar.service")
    found = calendar.run("grep", "-rl", "--include=*.ics", "UID:dentist", "/var/lib/va").split()
    assert found, calendar.journal("va-calendar.service")
    assert calendar.run("stat", "-c", "%U", *found) == "va\n"
    assert calendar.show("va-calendar.timer", "ActiveState") == "active"


def test_calendar_without_its_server_fails_with_one_line_and_is_tried_again(settled: Booted) -> None:
    settled.run("systemctl", "enable", "--now", "va-calendar.timer")
    assert settled.attempt("systemctl", "start", "va-calendar.service").returncode != 0
    told = settled.journal("va-calendar.service")
    assert "Traceback" not in told
    assert [line for line in told.splitlines() if "calendar server" in line and "; " in line], told
    assert settled.show("va-calendar.timer", "NextElapseUSecMonotonic")


def counted(system: Booted) -> dict[str, int]:
    await_state(system, "va.service", "active")
    found: dict[str, int] = json.loads(system.run("cat", "/run/va-work/counted"))
    return found


def test_how_the_service_ended_is_written_and_counted_at_the_next_start(system: Booted) -> None:
    before = counted(system)
    process = system.show("va.service", "MainPID")
    system.run("systemctl", "stop", "va.service")
    assert system.run("cat", "/var/lib/va/last-end") == "success\n"
    assert system.run("stat", "-c", "%U %a", "/var/lib/va/last-end") == "va 600\n"
    system.run("systemctl", "start", "va.service")
    asked = counted(system)
    assert asked.get("asked", 0) == before.get("asked", 0) + 1
    process = system.show("va.service", "MainPID")
    system.run("kill", "-KILL", process)
    ends_s = time.monotonic() + SOON_S
    while system.show("va.service", "MainPID") in (process, "0"):
        assert time.monotonic() < ends_s
        time.sleep(0.1)
    assert counted(system) == {**asked, "signal": asked.get("signal", 0) + 1}


def test_doctor_is_run_in_the_services_sandbox_and_what_is_wrong_is_a_finding(system: Booted) -> None:
    found = json.loads(system.run("/opt/repository/systemd/release", "check", "doctor"))
    assert found
    assert system.show("va-check@doctor.service", "Result") == "success"
    assert system.run("stat", "-c", "%U", "/run/va-check-doctor.json") == "root\n"


NOTING = """#!/bin/sh
echo '{"user": "'$(id -un)'", "home": "'$HOME'", "words": "'$*'", "sent": "'$(cat /proc/net/dev | grep -c :)'"}'
"""
"""In place of the release's Python: a spoken turn needs the models."""


def test_turn_is_tried_out_as_the_services_user_in_a_state_of_its_own(system: Booted) -> None:
    python = system.run("realpath", "--no-symlinks", PYTHON).strip()
    with in_place_of(system, python, NOTING):
        found = json.loads(system.run("/opt/repository/systemd/release", "check", "turn"))
    assert (found["user"], found["home"], found["sent"]) == ("va", "/var/lib/va/.turn", "1"), "more than a loopback"
    assert "hear --json --state /var/lib/va/.turn" in found["words"]
    assert system.attempt("test", "-e", "/var/lib/va/.turn").returncode == 1


PRY = "for place in /etc /opt /run /run/lock /var/lib; do touch $place/pried 2>/dev/null && echo pried: $place; done"


def test_what_runs_as_root_writes_nowhere_but_to_its_own(system: Booted) -> None:
    """Root's file rights are all there: what holds it is the sandbox alone."""
    helper = f"import subprocess\nsubprocess.run(['/bin/sh', '-c', '{PRY}; echo tried'])\n"
    with in_place_of(system, "/usr/local/lib/va/clock", helper):
        talk = "import socket; s = socket.socket(socket.AF_UNIX); s.connect('/run/va-clock/socket'); s.shutdown(1)"
        assert as_va(system, f"{talk}; print(s.makefile().read())") == "tried"
    with in_place_of(system, PYTHON, f"#!/bin/sh\n{PRY}; echo tried\n"):
        system.start("va-verify.service")
    told = system.journal("va-verify.service")
    assert "tried" in told
    assert "pried" not in told


def nothing_is_left(box: Booted) -> None:
    units = ("va.*", "va-*.service", "va-*.timer", "va-*.socket")
    assert box.run("systemctl", "list-units", "--all", "--no-legend", "--plain", *units) == ""
    assert box.attempt("systemctl", "list-unit-files", "--no-legend", *units).stdout == ""
    assert box.run("sh", "-c", "ls -d /etc/systemd/system/*.wants/va* 2>/dev/null || :") == ""


def test_uninstall_leaves_nothing_that_runs_or_would_be_started(boot: Boot) -> None:
    box = boot()
    box.run("systemctl", "enable", "--now", "va-calendar.timer")
    box.run("/opt/repository/systemd/uninstall")
    nothing_is_left(box)
    assert box.run("sh", "-c", "ls -d /run/va* 2>/dev/null || :") == ""
    box.run("/opt/repository/systemd/uninstall")


def test_first_release_that_failed_leaves_nothing_that_runs_or_would_be_started(boot: Boot) -> None:
    box = boot()
    box.run("systemctl", "enable", "--now", "va-calendar.timer")
    box.run("/opt/repository/systemd/release", "undo")
    nothing_is_left(box)


def test_the_hub_answers_from_a_jail_without_a_network(system: Booted) -> None:
    """It has no appliance to ask here: 503, and 401 for a token that is not known."""
    token = system.run("/usr/local/bin/appliance", "hub", "token", "add", "page", "--as", "owner").strip()
    system.run("systemctl", "start", "va-hub.socket")

    def asked(path: str, token: str) -> str:
        return system.run(PYTHON, "-I", "-c", ASK_HUB, f"http://127.0.0.1:8770{path}", token).strip()

    answers = [asked("/healthz", ""), asked("/api/v0/status", token), asked("/api/v0/status", "va_wrong")]
    assert answers == ["200", "503", "401"], system.journal("va-hub.service")
    pid = system.show("va-hub.service", "MainPID")
    links = system.run("cat", f"/proc/{pid}/net/dev").splitlines()
    assert [line.split(":")[0].strip() for line in links[2:]] == ["lo"]
    [kept] = system.run("find", "/var/lib/va-hub", "-name", "tokens.json", "-printf", "%u %m").splitlines()
    assert kept == "va-hub 600"
    system.run("systemctl", "stop", "va-hub.socket", "va-hub.service")
