"""The helper that sets the clock, run for real, without the right to: no test can change this machine's clock."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.body.clock_helper import ask_helper
from appliance.errors import Cancelled
from appliance.ports import ClockSet, WaitedCall, current_call

HELPER = Path(__file__).parents[2] / "systemd/clock"
WITHOUT_THE_RIGHT = ["setpriv", "--bounding-set=-sys_time", "--inh-caps=-sys_time", "--no-new-privs"]
PRETENDED = """
import ctypes, fcntl, runpy, time
from pathlib import Path
notes = Path({notes!r})

class Kernel:
    def __init__(self, name): pass
    def adjtimex(self, fields): return {state}

ctypes.CDLL = Kernel
fcntl.ioctl = lambda chip, what, fields: notes.joinpath("chip").write_bytes(fields)
time.clock_settime = lambda clock, at_s: notes.joinpath("clock").write_text(str(at_s))
runpy.run_path({helper!r}, run_name="__main__")
"""
MOMENT = "2026-03-03T15:10:00+01:00"
FREE, SYNCHRONISED = 5, 0

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a right away")


class Helper:
    """With the kernel's calls noted in a folder in place of made; or, `honest`, with those that this machine has."""

    def __init__(self, folder: Path, state: int = FREE, chip: bool = True, honest: bool = False) -> None:
        self.folder, script = folder, folder / "clock.py"
        text = HELPER.read_text().replace("/run/va-clock/set", str(folder / "set"))
        script.write_text(text.replace("/dev/rtc0", str(folder / "rtc0")).replace("PATIENCE_S = 2", "PATIENCE_S = 1"))
        if chip:
            (folder / "rtc0").touch()
        pretended = PRETENDED.format(notes=str(folder), state=state, helper=str(script))
        run = [str(script)] if honest else ["-c", pretended]
        self.command = [*WITHOUT_THE_RIGHT, "/usr/bin/python3", "-I", *run]

    def ask(self, line: bytes) -> str:
        return subprocess.run(self.command, input=line, capture_output=True, timeout=30, check=False).stdout.decode()

    @property
    def set_to(self) -> datetime | None:
        noted = self.folder / "clock"
        return datetime.fromtimestamp(float(noted.read_text()), UTC) if noted.exists() else None

    @property
    def marked(self) -> bool:
        return (self.folder / "set").exists()


def test_a_time_is_set_on_clock_and_chip_and_marked(tmp_path: Path) -> None:
    helper = Helper(tmp_path)
    assert helper.ask(f"{MOMENT}\n".encode()) == "done\n"
    assert (helper.set_to, helper.marked) == (datetime(2026, 3, 3, 14, 10, tzinfo=UTC), True)
    fields = memoryview((tmp_path / "chip").read_bytes()).cast("i").tolist()
    assert fields[:6] == [0, 10, 14, 3, 2, 126], "struct rtc_time, in UTC"


def test_a_board_without_a_chip_is_set_too(tmp_path: Path) -> None:
    helper = Helper(tmp_path, chip=False)
    helper.folder.joinpath("rtc0").mkdir()
    assert (helper.ask(f"{MOMENT}\n".encode()), helper.marked) == ("done\n", True)


def test_where_a_time_server_sets_it_nobody_else_does(tmp_path: Path) -> None:
    helper = Helper(tmp_path, SYNCHRONISED)
    assert helper.ask(f"{MOMENT}\n".encode()) == "network\n"
    assert (helper.set_to, helper.marked) == (None, False)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"now\n",
        MOMENT.encode(),
        b"2026-03-03T15:10:00\n",
        b"2026-03-03T15:10:00Z\n",
        b"2024-12-31T23:59:59+00:00\n",
        b"2100-01-01T00:00:00+00:00\n",
        b"1970-01-01T00:00:00+00:00\n",
        b"2026-13-03T15:10:00+01:00\n",
        b"2026-02-30T15:10:00+01:00\n",
        b"2026-03-03T25:10:00+01:00\n",
        b"2026-03-03T15:10:00+99:00\n",
        b" 2026-03-03T15:10:00+01:00\n",
        f"{MOMENT}\n{MOMENT}\n".encode(),
        f"{MOMENT}\nrm -rf /\n".encode(),
        "２０26-03-03T15:10:00+01:00\n".encode(),
        b"\0" * 1_000_000,
        b"9" * 1_000_000 + b"\n",
    ],
)
def test_anything_else_sets_nothing(tmp_path: Path, line: bytes) -> None:
    helper = Helper(tmp_path)
    assert helper.ask(line) == "refused\n"
    assert (helper.set_to, helper.marked) == (None, False)


def test_who_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    with subprocess.Popen(Helper(tmp_path).command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as silent:
        assert silent.wait(20) != 0


def test_without_the_right_to_it_refuses_and_marks_nothing(tmp_path: Path) -> None:
    helper, before = Helper(tmp_path, honest=True), time.time()
    assert helper.ask(b"2031-03-03T15:10:00+01:00\n") in ("refused\n", "network\n")
    assert (helper.marked, time.time() - before < 60) == (False, True)


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Callable[[Helper], Path]]:
    """A socket that systemd's own tool holds, one helper for each connection."""
    running: list[subprocess.Popen[bytes]] = []

    def listen(helper: Helper) -> Path:
        path = tmp_path / "socket"
        command = ["systemd-socket-activate", "--accept", "--inetd", f"--listen={path}", *helper.command]
        running.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        ends_s = time.monotonic() + 10
        while not path.exists():
            assert time.monotonic() < ends_s
            time.sleep(0.01)
        return path

    yield listen
    for each in running:
        each.terminate()
        each.wait()


@pytest.mark.parametrize(("state", "became"), [(FREE, ClockSet.DONE), (SYNCHRONISED, ClockSet.NETWORK)])
def test_the_appliance_asks_it_over_a_socket(
    tmp_path: Path, listening: Callable[[Helper], Path], state: int, became: ClockSet
) -> None:
    helper = Helper(tmp_path, state)
    moment = datetime(2026, 3, 3, 15, 10, 0, 123, tzinfo=UTC)
    assert ask_helper(moment, listening(helper)) is became
    assert helper.set_to == (moment.replace(microsecond=0) if became is ClockSet.DONE else None)


def test_a_time_of_another_century_is_refused_over_a_socket(
    tmp_path: Path, listening: Callable[[Helper], Path]
) -> None:
    assert ask_helper(datetime(1999, 3, 3, tzinfo=UTC), listening(Helper(tmp_path))) is ClockSet.REFUSED


def test_where_there_is_no_helper_nobody_sets_it(tmp_path: Path) -> None:
    assert ask_helper(datetime.now(UTC), tmp_path / "socket") is ClockSet.NOBODY


def test_one_that_says_nothing_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.body.clock_helper.PATIENCE_S", 0.2)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        assert ask_helper(datetime.now(UTC) + timedelta(hours=1), tmp_path / "socket") is ClockSet.REFUSED


def test_what_was_given_up_sets_nothing(tmp_path: Path, listening: Callable[[Helper], Path]) -> None:
    helper, call = Helper(tmp_path), WaitedCall()
    path = listening(helper)
    assert call.abandon()
    current_call.set(call)
    try:
        with pytest.raises(Cancelled):
            ask_helper(datetime.now(UTC), path)
    finally:
        current_call.set(None)
    assert helper.set_to is None
