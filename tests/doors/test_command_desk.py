"""Commands at the health socket: given as they should be, and as they should not."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from appliance.doors import client, commands
from appliance.doors.commands import LONGEST, WAITING, CommandDesk
from appliance.doors.health import HealthDoor
from appliance.errors import OtherState, PartMissing, TurnFailed
from appliance.ports import Answer, Command

COMMAND = Command(state="/s", skill="lists", words=["add", "shopping", "milk"])
PATIENCE_S = 10.0


class Door:
    """Carries out nothing but to say how many words there were; once `free`."""

    def __init__(self, path: Path, listener: socket.socket, stack: ExitStack) -> None:
        self.path, self.free, self.done = path, Event(), list[tuple[Command, bool]]()
        self.free.set()
        self.desk = stack.enter_context(CommandDesk())
        stack.enter_context(HealthDoor(listener, {"/healthz": lambda: (True, {})}, {commands.PATH: self.desk.take}))

    def carry_out(self, command: Command, may_act: bool) -> Answer:
        self.free.wait(PATIENCE_S)
        if command.state != "/s":
            raise OtherState("it has another state folder", remedy="its own is /s")
        if command.words == ["break"]:
            raise ZeroDivisionError
        self.done.append((command, may_act))
        return Answer(said=f"{len(command.words)} words", tool="count", arguments={})

    def post(self, request: bytes) -> tuple[int, dict[str, object]]:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(PATIENCE_S)
            caller.connect(str(self.path))
            caller.sendall(request)
            answer = b""
            while more := caller.recv(4_096):
                answer += more
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(body)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    path = tmp_path / "api.sock"
    with socket.socket(socket.AF_UNIX) as listener, ExitStack() as stack:
        listener.bind(str(path))
        listener.listen()
        made = Door(path, listener.dup(), stack)
        made.desk.open(made.carry_out)
        yield made


def posted(body: bytes, length: int | None = None) -> bytes:
    return b"POST /commands HTTP/1.1\r\nHost: va\r\nContent-Length: %d\r\n\r\n%s" % (length or len(body), body)


def test_a_command_is_carried_out_for_who_may_act(door: Door) -> None:
    answer = client.command(COMMAND, PATIENCE_S, door.path)
    assert answer
    assert answer.said == "3 words"
    assert door.done == [(COMMAND, True)], "this process is the service's user"


def test_another_state_is_answered_by_none(door: Door) -> None:
    assert client.command(Command(state="/other", skill="lists"), PATIENCE_S, door.path) is None


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"{", "Invalid JSON"),
        (b"\xff\xfe", "Invalid JSON"),
        (b"[]", "the command"),
        (b'{"state": "/s"}', "skill: Field required"),
        (b'{"state": "/s", "skill": "lists", "shell": "rm"}', "shell"),
        (b'{"state": "/s", "skill": "lists", "words": "add"}', "words"),
        (b'{"state": "/s", "skill": "lists", "words": [1]}', "words.0"),
        (json.dumps({"state": "/s", "skill": "lists", "words": ["x"] * 100}).encode(), "words"),
        (json.dumps({"state": "/s", "skill": "lists", "words": ["x" * 2_000]}).encode(), "words.0"),
    ],
)
def test_what_is_no_command_is_refused_and_the_next_one_taken(door: Door, body: bytes, told: str) -> None:
    status, answer = door.post(posted(body))
    assert (status, answer["code"], answer["remedy"]) == (400, 2, "keys: state, skill, words, yes")
    assert told in str(answer["error"])
    assert client.command(COMMAND, PATIENCE_S, door.path)
    assert len(door.done) == 1


NO_LENGTH = b"POST /commands HTTP/1.1\r\n\r\n"
LESS_THAN_NOTHING = b"POST /commands HTTP/1.1\r\nContent-Length: -5\r\n\r\n"


@pytest.mark.parametrize("request_", [posted(b"{}", LONGEST + 1), NO_LENGTH, LESS_THAN_NOTHING])
def test_one_of_no_length_or_too_long_is_refused(door: Door, request_: bytes) -> None:
    status, answer = door.post(request_)
    assert (status, answer["error"]) == (400, f"a command has 1 to {LONGEST:,} bytes, told by Content-Length")


def test_only_post(door: Door) -> None:
    status, answer = door.post(b"GET /commands HTTP/1.1\r\n\r\n")
    assert (status, answer) == (405, {"title": "ask with POST"})


def test_one_that_breaks_off_does_nothing(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "PATIENCE_S", 0.2)
    whole = posted(COMMAND.model_dump_json().encode())
    with socket.socket(socket.AF_UNIX) as slow, socket.socket(socket.AF_UNIX) as gone:
        for caller in (slow, gone):
            caller.connect(str(door.path))
            caller.sendall(whole[:-5])
        gone.close()
        slow.settimeout(PATIENCE_S)
        assert slow.recv(100) == b"", "nobody is waited for"
    assert door.done == []


def test_who_does_not_wait_for_the_answer_has_it_done_all_the_same(door: Door) -> None:
    door.free.clear()
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(door.path))
        caller.sendall(posted(COMMAND.model_dump_json().encode()))
    door.free.set()
    until(lambda: door.done)
    assert client.command(COMMAND, PATIENCE_S, door.path)


def test_more_than_wait_at_once_are_refused_and_health_is_told_meanwhile(door: Door) -> None:
    door.free.clear()
    answers = list[Answer | None]()
    callers = [
        Thread(target=lambda: answers.append(client.command(COMMAND, PATIENCE_S, door.path))) for _ in range(WAITING)
    ]
    for caller in callers:
        caller.start()
    until(lambda: not door.desk._free._value)
    with pytest.raises(TurnFailed, match="too many commands wait already; nothing was done; try again"):
        client.command(COMMAND, PATIENCE_S, door.path)
    assert client.ask("/healthz", door.path) == {}
    door.free.set()
    for caller in callers:
        caller.join(PATIENCE_S)
    assert len(answers) == len(door.done) == WAITING
    assert client.command(COMMAND, PATIENCE_S, door.path)


def test_one_that_breaks_is_told_and_logged(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(TurnFailed, match=r"the command broke \(ZeroDivisionError\)"):
        client.command(Command(state="/s", skill="lists", words=["break"]), PATIENCE_S, door.path)
    assert "ZeroDivisionError" in caplog.text


def test_no_word_of_an_command_is_in_the_log(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    client.command(COMMAND, PATIENCE_S, door.path)
    until(lambda: "command of user" in caplog.text)
    assert "milk" not in caplog.text


def test_a_service_that_starts_takes_it_once_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX) as listener, ExitStack() as stack:
        listener.bind(str(tmp_path / "api.sock"))
        listener.listen()
        door = Door(tmp_path / "api.sock", listener.dup(), stack)
        monkeypatch.setattr(commands, "START_S", 0.1)
        with pytest.raises(PartMissing, match="still starting; try again"):
            client.command(COMMAND, PATIENCE_S, door.path)
        monkeypatch.setattr(commands, "START_S", PATIENCE_S)
        opening = Timer(0.2, door.desk.open, [door.carry_out])
        opening.start()
        assert client.command(COMMAND, PATIENCE_S, door.path)
        opening.join()


def test_the_end_of_a_start_ends_the_wait(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener, ExitStack() as stack:
        listener.bind(str(tmp_path / "api.sock"))
        listener.listen()
        door = Door(tmp_path / "api.sock", listener.dup(), stack)
        end = Timer(0.3, door.desk.__exit__, [None, None, None])
        end.start()
        with pytest.raises(PartMissing, match="still starting"):
            client.command(COMMAND, PATIENCE_S, door.path)
        end.join()


def test_nobody_gives_commands_over_a_network() -> None:
    """Not even this machine's root: of an address the kernel tells no user."""
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:
        door = Door(Path(), listener.dup(), stack)
        door.desk.open(door.carry_out)
        with socket.create_connection(listener.getsockname()) as caller:
            caller.sendall(posted(COMMAND.model_dump_json().encode()))
            caller.settimeout(PATIENCE_S)
            answer = b""
            while more := caller.recv(4_096):
                answer += more
    assert b" 400 " in answer
    assert b"from this machine alone" in answer
    assert door.done == []


def until(true: Callable[[], object]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.005)
