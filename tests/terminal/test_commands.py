"""`appliance timers add 5m` and its like: to the real service while it runs, and on the file under its lock."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from running_service import RunningService, command

from appliance import build, cli
from appliance.doors import client
from appliance.memory import database
from appliance.memory.store import Store
from appliance.ports import Answer
from appliance.terminal import jail
from bench.music_player import Mpd

Run = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-socket-activate") is None, reason="systemd is not here: apt install systemd"
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    made = RunningService(tmp_path_factory.mktemp("service"))
    yield made
    made.end()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str) -> tuple[int, str, str]:
        code = cli.main([*words])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def meet(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """From now on a service runs, and its socket is there."""

    def at(path: Path) -> None:
        monkeypatch.setattr(client, "SOCKET", path)
        monkeypatch.setattr(jail, "service_process", lambda: Path("/proc/self"))

    return at


@pytest.fixture
def service(shared: RunningService, meet: Callable[[Path], None]) -> RunningService:
    meet(shared.socket)
    return shared


def on_disk(state: Path, skill: str) -> list[dict[str, Any]]:
    from appliance.settings import Settings

    settings = Settings(state=state)
    return build.kept_on_disk(settings, skill, build.clock(settings).now()).rows or []


class TestWhileTheServiceRuns:
    def test_what_is_added_is_on_disk_told_and_cancelled(self, service: RunningService, run: Run) -> None:
        assert run("timers", "add", "5m", "pasta", *service.options) == (0, "Pasta timer set for 5 minutes.\n", "")
        assert [row["label"] for row in on_disk(service.state, "timers")] == ["pasta"]
        assert "pasta" in run("timers", *service.options)[1]
        assert "pasta" in run("timers", "cancel", *service.options)[1]
        assert on_disk(service.state, "timers") == []

    def test_a_timer_rings_when_it_should(self, service: RunningService, run: Run) -> None:
        """Nobody can hear it here, so that it is kept to be told of."""
        assert run("timers", "add", "3s", "tea", *service.options)[0] == 0
        service.until(lambda: service.status()["next_ring_s"] is not None)
        service.until(lambda: service.status()["next_ring_s"] is None)
        [tea] = on_disk(service.state, "timers")
        assert (tea["label"], tea["left_s"]) == ("tea", 0)
        run("timers", "cancel", "tea", *service.options)

    def test_an_alarm_is_armed_at_once_and_cancelled(self, service: RunningService, run: Run) -> None:
        assert service.status()["next_ring_s"] is None
        code, out, _ = run("alarms", "add", "7:00 every weekday", "--json", *service.options)
        told = json.loads(out)
        assert (code, told["said"]) == (0, "Alarm set for every weekday at 7 AM.")
        assert told["arguments"] == {"when": "7:00 every weekday"}
        service.until(lambda: service.status()["next_ring_s"] is not None)
        assert len(json.loads(run("alarms", "--json", *service.options)[1])) == 1
        assert run("alarms", "cancel", *service.options)[0] == 0
        service.until(lambda: service.status()["next_ring_s"] is None)

    def test_what_cannot_be_undone_needs_a_yes(self, service: RunningService, run: Run) -> None:
        run("notes", "add", "the gate key is with Ana", *service.options)
        code, _, err = run("notes", "delete", "gate", *service.options)
        assert (code, len(on_disk(service.state, "notes"))) == (2, 1)
        assert err.endswith("the gate key is with Ana; if so, add --yes\n")
        assert run("notes", "delete", "gate", "--yes", *service.options)[0] == 0
        assert on_disk(service.state, "notes") == []

    @pytest.mark.parametrize(
        ("words", "code", "told"),
        [
            ("alarms ring", 2, "choose one of: add WHEN"),
            ("timers add", 2, "give hours, minutes or seconds"),
            ("alarms cancel", 4, "You have no alarms"),
            ("music", 3, "it needs an MPD on this box"),
            ("calendar show", 3, "it needs a calendar"),
            ("do nothing x", 2, "there is no skill 'nothing'"),
            (f"notes add {'x' * 1_001}", 2, "at most 1000 characters"),
            ("do sound set_volume level=999", 2, "can be no more than 100"),
            ("do sound set_volume colour=red", 2, ""),
        ],
    )
    def test_what_is_wrong_is_one_line_with_the_code_that_it_has_without_a_service(
        self,
        service: RunningService,
        run: Run,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        words: str,
        code: int,
        told: str,
    ) -> None:
        monkeypatch.setenv("VOICE_APPLIANCE_MODELS", str(service.state.parent / "none"))  # as the service has
        here = run(*words.split(), *service.options)
        assert (here[0], here[1], here[2].count("\n")) == (code, "", 1)
        assert told in here[2]
        assert run(*words.split(), "--config", "/dev/null", "--state", str(tmp_path))[::2] == here[::2]

    def test_secrets_are_not_kept(self, service: RunningService, run: Run) -> None:
        run("notes", "add", "my card is 4111 1111 1111 1111", *service.options)
        assert "4111" not in str(on_disk(service.state, "notes"))
        run("notes", "delete", "card", "--yes", *service.options)

    def test_callers_at_once_are_all_served(self, service: RunningService, run: Run) -> None:
        things = ["milk", "eggs", "bread"]
        callers = [
            command("lists", "add", "shopping", each, *service.options, socket=service.socket) for each in things
        ]
        assert [caller.communicate(timeout=60) and caller.returncode for caller in callers] == [0, 0, 0]
        [shopping] = on_disk(service.state, "lists")
        assert {each["text"] for each in shopping["entries"]} == {*things}
        run("lists", "clear", "shopping", "--yes", *service.options)

    def test_another_state_folder_is_not_the_services(self, service: RunningService, run: Run, tmp_path: Path) -> None:
        options = ["--config", "/dev/null", "--state", str(tmp_path)]
        assert run("lists", "add", "shopping", "milk", *options)[0] == 0
        assert len(on_disk(tmp_path, "lists")) == 1
        assert on_disk(service.state, "lists") == []

    def test_another_user_is_told_and_changes_nothing(self, service: RunningService) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can become another user")
        service.socket.chmod(0o666)  # as of a group that it belongs to
        for folder in service.socket.parents:
            if str(folder).startswith("/tmp/"):
                folder.chmod(0o755)
        reads = _as_nobody(service, [])
        assert reads == (200, "no timers")
        status, told = _as_nobody(service, ["add", "5m"])
        assert (status, told) == (400, "only root and the service's user may change anything")
        assert on_disk(service.state, "timers") == []


def _as_nobody(service: RunningService, words: list[str]) -> tuple[int, str]:
    """The status and the words of the answer, asked by a child that gave up root."""
    receiving, sending = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            connection = client._OverSocket(service.socket)
            body = {"state": str(service.state), "skill": "timers", "words": words}
            connection.request("POST", "/commands", json.dumps(body))
            answer = connection.getresponse()
            told = json.loads(answer.read())
            os.write(sending, json.dumps([answer.status, told.get("said") or told.get("error")]).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(sending)
    with open(receiving, "rb") as pipe:
        status, told = json.loads(pipe.read())
    return status, told


def test_killed_in_between_nothing_is_lost_that_was_acknowledged(
    tmp_path: Path, meet: Callable[[Path], None], run: Run
) -> None:
    service = RunningService(tmp_path)
    meet(service.socket)
    try:
        killer = threading.Timer(4, service.process.send_signal, [signal.SIGKILL])
        done = list[str]()
        run("timers", *service.options)  # started
        killer.start()
        code = 0
        while code == 0:
            thing = f"thing {len(done)}"
            code, out, err = run("notes", "add", thing, *service.options)
            done += [thing] if out else []
    finally:
        service.end()
    assert err.count("\n") == 1
    assert code in (3, 4)
    kept = [row["text"] for row in on_disk(service.state, "notes")]
    assert kept[: len(done)] == done
    assert len(done) > 2
    assert len(kept) <= len(done) + 1, "and of the last one nobody knows"


class TestDoors:
    def test_a_socket_of_others_is_passed_over(
        self, tmp_path: Path, meet: Callable[[Path], None], run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Beside an installed service anybody has a state folder of his own, and is told of the service's."""

        def refuse(connection: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

        meet(tmp_path / "api.sock")
        monkeypatch.setattr(client._OverSocket, "connect", refuse)
        options = ["--config", "/dev/null", "--state"]
        assert run("lists", "add", "shopping", "milk", *options, str(tmp_path))[0] == 0
        monkeypatch.setattr(Path, "stat", refuse)
        code, _, err = run("lists", "add", "shopping", "milk", *options, str(tmp_path / "shut"))
        assert (code, err.count("run it with sudo")) == (3, 1)

    def test_a_stale_socket_is_told_with_a_remedy(self, tmp_path: Path, meet: Callable[[Path], None], run: Run) -> None:
        path = tmp_path / "api.sock"
        with socket.socket(socket.AF_UNIX) as gone:
            gone.bind(str(path))
        meet(path)
        code, out, err = run("timers", "add", "5m", "--config", "/dev/null", "--state", str(tmp_path))
        assert (code, out, err.count("\n")) == (3, "", 1)
        assert "sudo systemctl restart va-api.socket va" in err
        assert not (tmp_path / "appliance.db").exists()

    def test_nobody_who_answers_is_waited_for_so_long(
        self, tmp_path: Path, meet: Callable[[Path], None], run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        meet(tmp_path / "api.sock")
        config = tmp_path / "config.toml"
        config.write_text("[thought]\ndeadline_s = 1\n[reply]\ntool_timeout_s = 0.1\n")
        monkeypatch.setattr("appliance.doors.commands.START_S", 0)
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(tmp_path / "api.sock"))
            silent.listen()
            code, out, err = run("timers", "add", "5m", "--config", str(config), "--state", str(tmp_path))
        assert (code, out, err.count("\n")) == (4, "", 1)
        assert "whether it was done is not known" in err

    def test_a_full_queue_is_told_at_once(
        self, tmp_path: Path, meet: Callable[[Path], None], run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        meet(path := tmp_path / "api.sock")
        monkeypatch.setattr(client, "PATIENCE_S", 0.2)
        with socket.socket(socket.AF_UNIX) as full, socket.socket(socket.AF_UNIX) as first:
            full.bind(str(path))
            full.listen(0)
            first.connect(str(path))
            code, _, err = run("timers", "add", "5m", "--config", "/dev/null", "--state", str(tmp_path))
        assert (code, err) == (
            4,
            "appliance: the service takes no more commands now; try again in a moment\n",
        )

    def test_an_older_release_is_told_from_one_that_fails(
        self, tmp_path: Path, meet: Callable[[Path], None], run: Run
    ) -> None:
        from appliance.doors.health import HealthDoor

        meet(path := tmp_path / "api.sock")
        with closing(socket.socket(socket.AF_UNIX)) as listener:
            listener.bind(str(path))
            listener.listen()
            with HealthDoor(listener.dup(), {"/healthz": lambda: (True, {})}):
                code, _, err = run("timers", "--config", "/dev/null", "--state", str(tmp_path))
        assert code == 3
        assert "it is of another release" in err


class TestWithoutAService:
    def test_an_announcement_is_a_command_to_its_skill(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        given = list[object]()

        def command(settings: object, clock: object, *what: object) -> Answer:
            given.extend(what)
            return Answer(said="So said.")

        monkeypatch.setattr(build, "command", command)
        assert run("announce", "dinner", "is", "ready") == (0, "So said.\n", "")
        assert given == ["announcements", ["announce", "text=dinner is ready"], False]

    def test_two_processes_take_turns(self, tmp_path: Path) -> None:
        options = ["--config", "/dev/null", "--state", str(tmp_path)]
        things = ["milk", "eggs"]
        nowhere = tmp_path / "none.sock"
        callers = [command("lists", "add", "shopping", each, *options, socket=nowhere, runs=False) for each in things]
        assert [caller.communicate(timeout=60) and caller.returncode for caller in callers] == [0, 0]
        [shopping] = on_disk(tmp_path, "lists")
        assert {each["text"] for each in shopping["entries"]} == {*things}

    def test_nothing_is_acknowledged_that_ends_with_the_process(
        self, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A service goes on in memory, and says so; a command has nothing to go on in."""

        def refused(path: Path) -> None:
            raise OSError(errno.EROFS, "Read-only file system")

        monkeypatch.setattr(database, "opened", refused)
        code, out, err = run("lists", "add", "shopping", "milk", "--config", "/dev/null", "--state", str(tmp_path))
        assert (code, out, err.count("nothing was done; run: appliance doctor")) == (3, "", 1)

    def test_nothing_is_written_beside_another_writer(
        self, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Such as `make run`, which no socket leads to. What is kept can still be told."""
        monkeypatch.setattr(database, "LOCK_S", 0.2)
        options = ["--config", "/dev/null", "--state", str(tmp_path)]
        with Store(tmp_path / "appliance.db"):
            code, _, err = run("lists", "add", "shopping", "milk", *options)
            assert (code, err.count("\n")) == (3, 1)
            assert "another appliance is using it" in err
            assert run("lists", *options) == (0, "nothing\n", "")

    def test_text_from_outside_does_not_steer_the_terminal(self, tmp_path: Path, run: Run) -> None:
        options = ["--config", "/dev/null", "--state", str(tmp_path)]
        run("notes", "add", "red \x1b[31m alert", *options)
        assert "\x1b" not in run("notes", *options)[1]


EVENT = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20260504
SUMMARY:Piano \x1b[31mlesson
END:VEVENT
END:VCALENDAR
"""


class TestWhatIsElsewhere:
    """Music is an MPD's, and events are in files: their verbs run the same tools."""

    def test_music(self, tmp_path: Path, run: Run) -> None:
        mpd = Mpd(tmp_path)
        try:
            (tmp_path / "c.toml").write_text(f'[music]\nplayer = "{mpd.socket}"\n')
            options = ["--config", str(tmp_path / "c.toml"), "--state", str(tmp_path / "state")]
            assert run("music", *options) == (0, "Nothing is playing.\n", "")
            assert run("music", "play", "night", "bus", *options) == (0, "Playing Night Bus.\n", "")
            assert "Paper Moon" in run("music", "playing", *options)[1]
            assert json.loads(run("music", "pause", "--json", *options)[1])["tool"] == "pause_music"
            assert run("music", "pause", *options)[0] == 4, "it is paused already"
            assert run("music", "volume", "45", *options)[0] == 0
        finally:
            mpd.end()
        code, _, err = run("music", *options)
        assert (code, err.count("\n")) == (4, 1)
        assert "systemctl status mpd" in err

    def test_calendar(self, tmp_path: Path, run: Run) -> None:
        (folder := tmp_path / "ics").mkdir()
        (folder / "a.ics").write_text(EVENT)
        (tmp_path / "c.toml").write_text(f'[calendar]\nfolder = "{folder}"\n')
        options = [
            "--config",
            str(tmp_path / "c.toml"),
            "--state",
            str(tmp_path / "state"),
            "--now",
            "2026-05-03T09:00",
        ]
        assert "lesson" in run("calendar", *options)[1]
        code, out, _ = run("calendar", "show", "tomorrow", *options)
        assert (code, "lesson" in out, "\x1b" in out) == (0, True, False)
        told = json.loads(run("calendar", "find", "piano", "lesson", "--json", *options)[1])
        assert told["arguments"] == {"what": "piano lesson"}
        assert run("calendar", "add", "dentist", "on Friday at nine", *options)[0] == 0
        assert "dentist" in run("calendar", "show", "Friday", *options)[1].casefold()
        assert run("calendar", "sync", *options)[0] == 2, "no server is set"
