"""sd_notify against a real socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from manager import Manager

from appliance.doors.notify import ServiceManager


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(tmp_path / "notify")
    yield made
    made.close()


def test_fields_are_told_in_one_message_a_line_each(ear: Manager) -> None:
    manager = ServiceManager({"NOTIFY_SOCKET": ear.address})
    manager.tell(READY=1, STATUS="no microphone;\nplug one in")
    assert ear.told(1) == {"READY": "1", "STATUS": "no microphone; plug one in"}


def test_children_cannot_speak_for_the_service(ear: Manager) -> None:
    environment = {"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1", "HOME": "/"}
    ServiceManager(environment)
    assert environment == {"HOME": "/"}


def test_watchdog_is_taken_up_only_when_it_is_meant_for_this_process() -> None:
    ours = str(os.getpid())
    assert ServiceManager({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": ours}).watchdog_s == 20
    assert ServiceManager({"WATCHDOG_USEC": "20000000"}).watchdog_s == 20
    assert ServiceManager({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}).watchdog_s is None
    assert ServiceManager({}).watchdog_s is None


def test_an_abstract_socket_is_one_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as abstract:
        abstract.bind(f"\0va-test-{os.getpid()}")
        abstract.settimeout(1)
        ServiceManager({"NOTIFY_SOCKET": f"@va-test-{os.getpid()}"}).tell(WATCHDOG=1)
        assert abstract.recv(100) == b"WATCHDOG=1"


def test_nobody_who_listens_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ServiceManager({}).tell(READY=1)
    assert not caplog.messages
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell(READY=1)
    assert "does not listen" in caplog.text
