"""The calendar and a real CalDAV server (Radicale): both ways, and broken off at any place."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import httpx
import pytest
from calendar_box import BERLIN, Box, at, event, ics

from appliance.errors import BadSettings, PartMissing
from appliance.skills.calendar.dav import CalDav
from appliance.skills.calendar.sync import Resource, Server, Synchronised, synchronise

USER, PASSWORD = "mia", "hunter2"
STARTS_WITHIN_S = 30
ROOT = Path(__file__).parents[3]


@dataclass
class Radicale:
    home: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{USER}/home/"

    @property
    def password_file(self) -> Path:
        return self.home / "password"

    def start(self) -> None:
        users = self.home / "users"
        users.write_text(f"{USER}:{PASSWORD}\n")
        self.password_file.write_text(f"{PASSWORD}\n")
        self.password_file.chmod(0o600)
        options = {
            "server-hosts": f"127.0.0.1:{self.port}",
            "auth-type": "htpasswd",
            "auth-htpasswd-filename": users,
            "auth-htpasswd-encryption": "plain",
            "auth-delay": 0,
            "storage-filesystem-folder": self.home / "store",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        with (self.home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "radicale", "--config", "", *words], stdout=log, stderr=log
            )
        deadline = time.monotonic() + STARTS_WITHIN_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                self.ask("OPTIONS")
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError((self.home / "log").read_text())

    def ask(self, method: str, name: str = "", content: str = "") -> httpx.Response:
        return httpx.request(method, self.url + name, content=content.encode(), auth=(USER, PASSWORD), timeout=30)

    def put(self, name: str, *events: str) -> None:
        assert self.ask("PUT", name, ics(*events)).status_code in (201, 204)

    def send(self, number: int) -> None:
        self._process.send_signal(number)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def files(self) -> list[Path]:
        return sorted((self.home / "store" / "collection-root" / USER / "home").glob("*.ics"))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Radicale(tmp_path_factory.mktemp("radicale"), port)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def radicale(running: Radicale) -> Radicale:
    """With an empty calendar."""
    running.ask("DELETE")
    assert running.ask("MKCALENDAR").status_code == 201
    return running


@pytest.fixture
def box(tmp_path: Path, radicale: Radicale) -> Box:
    return Box(tmp_path, url=radicale.url)


def sync(box: Box, radicale: Radicale) -> Synchronised:
    return synchronise(CalDav(radicale.url, USER, PASSWORD), box.state)


def test_what_the_server_has_is_told(box: Box, radicale: Radicale) -> None:
    radicale.put("1.ics", event("Dentist", at("20261126T150000"), "DURATION:PT1H"))
    yoga = event("Yoga", at("20260105T180000"), "DURATION:PT1H", "RRULE:FREQ=WEEKLY", uid="yoga")
    moved = event("Yoga", at("20261201T190000"), "RECURRENCE-ID;TZID=Europe/Berlin:20261130T180000", uid="yoga")
    radicale.put("2.ics", yoga, moved)
    assert sync(box, radicale) == Synchronised(sent=0, deleted=0, events=3)
    assert box.on("tomorrow") == "Tomorrow: Dentist at 3 PM."
    assert box.on("next week") == "Next week: Yoga on Tuesday at 7 PM."
    box.clock.set(datetime(2027, 3, 28, 9, tzinfo=BERLIN))
    assert box.on("tomorrow").startswith("Tomorrow: Yoga at 6 PM.")


def test_what_was_added_here_comes_to_the_server_and_back(box: Box, radicale: Radicale) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    box.tools.add_event("yoga", "every monday at six pm")
    box.tools.add_event("fair", "on saturday")
    assert sync(box, radicale) == Synchronised(sent=3, deleted=0, events=3)
    assert len(radicale.files) == 3
    assert box.diary.box.events() == []
    assert sync(box, radicale) == Synchronised(sent=0, deleted=0, events=3)
    assert box.on("tomorrow") == "Tomorrow: Dentist at 3 PM."
    assert box.on("saturday") == "On Saturday: all day Fair."


def test_a_change_and_a_deletion_on_the_server_are_taken_over(box: Box, radicale: Radicale) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    box.tools.add_event("walk", "tomorrow at four")
    sync(box, radicale)
    for file in radicale.files:
        if "Dentist" in file.read_text():
            later = file.read_text().replace("T140000Z", "T160000Z").replace("T150000Z", "T170000Z")
            assert radicale.ask("PUT", file.name, later).is_success
        else:
            assert radicale.ask("DELETE", file.name).is_success
    sync(box, radicale)
    assert box.on("tomorrow") == "Tomorrow: Dentist at 5 PM."
    sync(box, radicale)
    assert len(radicale.files) == 1, "what was deleted there does not come back"


def test_what_was_changed_there_meanwhile_is_not_written_over(radicale: Radicale) -> None:
    """As after a synchronisation that was broken off once the event had been sent."""
    server = CalDav(radicale.url, USER, PASSWORD)
    server.create("1", ics(event("Dentist moved", at("20261126T170000"), uid="1")))
    server.create("1", ics(event("Dentist", at("20261126T150000"), uid="1")))
    (held,) = server.resources()
    assert "Dentist moved" in held.content


def test_what_was_deleted_here_is_deleted_there(box: Box, radicale: Radicale) -> None:
    radicale.put("1.ics", event("Dentist", at("20261126T150000"), "DURATION:PT1H"))
    sync(box, radicale)
    assert box.tools.delete_event("dentist") == "Deleted: Dentist, tomorrow at 3 PM."
    assert box.on("tomorrow") == "You have nothing tomorrow."
    assert sync(box, radicale) == Synchronised(sent=0, deleted=1, events=0)
    assert radicale.files == []
    assert box.diary.box.events() == []
    assert box.on("tomorrow") == "You have nothing tomorrow."


def test_what_was_added_and_deleted_again_is_never_sent(box: Box, radicale: Radicale) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    box.tools.delete_event("dentist")
    assert sync(box, radicale) == Synchronised(sent=0, deleted=0, events=0)
    assert box.diary.box.events() == []


def test_what_cannot_be_read_there_keeps_nothing_else_back(
    box: Box, radicale: Radicale, caplog: pytest.LogCaptureFixture
) -> None:
    radicale.put("1.ics", event("Dentist", at("20261126T150000")))
    server = WithDamage(CalDav(radicale.url, USER, PASSWORD))
    assert synchronise(server, box.state).events == 1
    assert box.on("tomorrow") == "Tomorrow: Dentist at 3 PM."
    assert "damaged.ics is left out" in caplog.text


@dataclass
class WithDamage:
    """A server that also has what no library can read: Radicale takes none in."""

    server: Server

    def resources(self) -> Sequence[Resource]:
        return [Resource("damaged.ics", "BEGIN:VCALENDAR\r\nX"), *self.server.resources()]

    def create(self, uid: str, content: str) -> None:
        self.server.create(uid, content)

    def delete(self, address: str) -> None:
        self.server.delete(address)


class PowerCutError(BaseException):
    pass


@dataclass
class CutOff:
    """The power goes before, or right behind, the n-th request."""

    server: Server
    requests: int
    behind: bool

    def resources(self) -> Sequence[Resource]:
        self._before()
        found = self.server.resources()
        self._behind()
        return found

    def create(self, uid: str, content: str) -> None:
        self._before()
        self.server.create(uid, content)
        self._behind()

    def delete(self, address: str) -> None:
        self._before()
        self.server.delete(address)
        self._behind()

    def _before(self) -> None:
        self.requests -= 1
        if self.requests < 0 and not self.behind:
            raise PowerCutError

    def _behind(self) -> None:
        if self.requests < 0 and self.behind:
            raise PowerCutError


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("requests", range(5))
def test_broken_off_at_any_request_nothing_is_lost_or_doubled(
    box: Box, radicale: Radicale, requests: int, behind: bool
) -> None:
    radicale.put("old.ics", event("Old", at("20261126T090000"), "DURATION:PT1H"))
    sync(box, radicale)
    box.tools.delete_event("old")
    box.tools.add_event("dentist", "tomorrow at three")
    box.tools.add_event("walk", "tomorrow at four")
    with pytest.raises(PowerCutError):
        synchronise(CutOff(CalDav(radicale.url, USER, PASSWORD), requests, behind), box.state)
    told = "Tomorrow: Dentist at 3 PM and Walk at 4 PM."
    assert box.on("tomorrow") == told
    sync(box, radicale)
    assert box.on("tomorrow") == told
    assert len(radicale.files) == 2
    assert box.diary.box.events() == []


@pytest.mark.parametrize("after_s", [0.7, 0.9, 1.1, 1.3, 1.6])
def test_killed_while_it_runs_the_next_one_finishes_it(box: Box, radicale: Radicale, after_s: float) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    box.tools.add_event("walk", "tomorrow at four")
    process = subprocess.Popen([sys.executable, "-m", "appliance", *command(box, radicale)], cwd=ROOT)
    time.sleep(after_s)
    process.kill()
    process.wait()
    assert box.on("tomorrow").startswith("Tomorrow: Dentist at 3 PM and Walk at 4 PM.")
    done = subprocess.run(
        [sys.executable, "-m", "appliance", *command(box, radicale)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("calendar: 2 events on the server; ")
    assert len(radicale.files) == 2
    assert box.diary.box.events() == []


def command(box: Box, radicale: Radicale) -> list[str]:
    config = box.state.parent / "config.toml"
    config.write_text(
        f'state = "{box.state}"\n[calendar]\nurl = "{radicale.url}"\n'
        f'user = "{USER}"\npassword_file = "{radicale.password_file}"\n'
    )
    return ["calendar", "sync", "--config", str(config)]


def test_what_is_added_while_it_runs_stays_to_be_sent(box: Box, radicale: Radicale) -> None:
    """And what was deleted meanwhile is deleted there by the next one."""
    box.tools.add_event("dentist", "tomorrow at three")
    server = Meanwhile(CalDav(radicale.url, USER, PASSWORD), box)
    synchronise(server, box.state)
    assert box.on("tomorrow") == "Tomorrow: Walk at 4 PM."
    assert sync(box, radicale) == Synchronised(sent=1, deleted=1, events=1)
    assert box.on("tomorrow") == "Tomorrow: Walk at 4 PM."


@dataclass
class Meanwhile(WithDamage):
    """Somebody speaks to the box while an event is being sent."""

    box: Box

    def resources(self) -> Sequence[Resource]:
        return self.server.resources()

    def create(self, uid: str, content: str) -> None:
        self.server.create(uid, content)
        self.box.tools.add_event("walk", "tomorrow at four")
        self.box.tools.delete_event("dentist")


def test_a_server_that_is_away_changes_nothing_and_is_told_in_one_line(box: Box, radicale: Radicale) -> None:
    box.tools.add_event("dentist", "tomorrow at three")
    sync(box, radicale)
    box.tools.add_event("walk", "tomorrow at four")
    with pytest.raises(PartMissing, match="cannot be reached"):
        synchronise(CalDav("http://127.0.0.1:9/mia/home/", USER, PASSWORD), box.state)
    assert box.on("tomorrow") == "Tomorrow: Dentist at 3 PM and Walk at 4 PM."


@pytest.mark.parametrize(
    ("address", "password", "said"),
    [("home", "wrong", "refuses the name or the password"), ("nowhere", PASSWORD, "there is no calendar at")],
)
def test_wrong_settings_are_told(radicale: Radicale, tmp_path: Path, address: str, password: str, said: str) -> None:
    with pytest.raises(BadSettings, match=said):
        synchronise(CalDav(radicale.url.replace("home", address), USER, password), tmp_path)


def test_a_file_that_did_not_change_is_not_written_again(box: Box, radicale: Radicale) -> None:
    radicale.put("1.ics", event("Dentist", at("20261126T150000")))
    sync(box, radicale)
    path = box.state / "calendar" / "server.ics"
    before = path.stat().st_mtime_ns
    sync(box, radicale)
    assert path.stat().st_mtime_ns == before


def test_since_when_the_server_was_not_reached_is_said(box: Box, radicale: Radicale) -> None:
    radicale.put("1.ics", event("Dentist", at("20261126T150000")))
    sync(box, radicale)
    last = box.clock.now().timestamp() - 3 * 86_400
    os.utime(box.state / "calendar" / "synced", (last, last))
    said = "Tomorrow: Dentist at 3 PM. I last reached the calendar's server on 22 November at 10 AM."
    assert box.on("tomorrow") == said


def test_a_server_that_was_never_reached_is_said(box: Box) -> None:
    assert box.on("tomorrow") == "You have nothing tomorrow. I have not reached the calendar's server yet."


def test_a_server_that_hangs_is_given_up(radicale: Radicale, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.skills.calendar.dav.TIMEOUT_S", 0.5)
    radicale.send(signal.SIGSTOP)
    try:
        with pytest.raises(PartMissing, match="cannot be reached"):
            synchronise(CalDav(radicale.url, USER, PASSWORD), tmp_path)
    finally:
        radicale.send(signal.SIGCONT)
