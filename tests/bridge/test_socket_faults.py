"""Either end of the bridge's socket, while the other hangs, dies, floods or talks nonsense."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from running_bridge import UP, Ear, RunningBridge, SteeredProvider, eventually

from appliance.bridge import client, server, wire
from appliance.bridge.client import SocketBridge
from appliance.errors import BadArgument, CannotBeDone, WrongUse
from appliance.ports import LINK

DOWN = {"up": False, "why": "no_bridge"}


@pytest.fixture
def provider() -> SteeredProvider:
    return SteeredProvider("home", {"call": "done", "long": "x" * wire.MOST_BYTES, "echo": lambda given: given})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "socket"


@pytest.fixture
def running(path: Path, provider: SteeredProvider) -> Iterator[RunningBridge]:
    with RunningBridge(path, provider) as made:
        yield made


@pytest.fixture
def bridge(running: RunningBridge) -> Iterator[SocketBridge]:
    with SocketBridge(running.path, "en") as made:
        yield made


def raw(path: Path) -> socket.socket:
    caller = socket.socket(socket.AF_UNIX)
    caller.settimeout(5)
    caller.connect(str(path))
    return caller


def test_without_a_bridge_there_is_an_answer_at_once_and_followers_hear_it(path: Path) -> None:
    ear = Ear()
    with SocketBridge(path, "de") as bridge:
        bridge.follow("home", ear)
        began_s = time.monotonic()
        with pytest.raises(CannotBeDone, match="nichts im Netz"):
            bridge.ask("home", "call")
        assert time.monotonic() - began_s < 1
        assert ear.next() == (LINK, DOWN)


def test_it_is_back_within_a_second_of_a_restart(path: Path, provider: SteeredProvider) -> None:
    ear = Ear()
    with SocketBridge(path, "en") as bridge:
        with RunningBridge(path, provider):
            bridge.follow("home", ear)
            assert ear.until(LINK, lambda link: link["up"]) == UP
        assert ear.until(LINK, lambda link: not link["up"], 1) == DOWN
        with RunningBridge(path, SteeredProvider("home", {"call": "again"})):
            assert ear.until(LINK, lambda link: link["up"], 2) == UP
            assert bridge.ask("home", "call") == "again"


def test_what_waits_for_an_answer_hears_of_the_end_of_the_bridge(path: Path, provider: SteeredProvider) -> None:
    with RunningBridge(path, provider) as running, SocketBridge(path, "en") as bridge:
        assert bridge.ask("home", "call") == "done"
        threading.Timer(0.2, running.stop).start()
        began_s = time.monotonic()
        with pytest.raises(CannotBeDone, match="cannot reach anything"):
            bridge.ask("home", "hang", 30)
        assert time.monotonic() - began_s < 5


def test_a_question_that_nobody_answers_ends_in_its_time_and_others_go_on(bridge: SocketBridge) -> None:
    began_s = time.monotonic()
    with pytest.raises(CannotBeDone, match="took too long"):
        bridge.ask("home", "hang", 0.3)
    assert 0.3 <= time.monotonic() - began_s < 0.3 + client.GRACE_S + 0.5
    assert bridge.ask("home", "call") == "done"


def test_a_bridge_that_hangs_costs_no_more_than_the_time_of_the_question(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with SocketBridge(path, "en") as bridge, pytest.raises(CannotBeDone, match="took too long"):
            bridge.ask("home", "call", 0.3)


def test_a_bug_of_a_provider_is_refused_and_logged(bridge: SocketBridge, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(CannotBeDone, match="broke down"):
        bridge.ask("home", "unheard of")
    assert "KeyError" in caplog.text


def test_what_is_too_long_is_refused_either_way(bridge: SocketBridge) -> None:
    with pytest.raises(CannotBeDone, match="more than I can pass on"):
        bridge.ask("home", "long")
    with pytest.raises(CannotBeDone, match="more than I can pass on"):
        bridge.ask("home", "echo", text="x" * wire.MOST_BYTES)
    assert bridge.ask("home", "echo", text="x" * 900_000) == {"text": "x" * 900_000}


def test_too_many_questions_at_once_are_refused(bridge: SocketBridge) -> None:
    told: list[str] = []

    def ask() -> None:
        with pytest.raises(CannotBeDone) as caught:
            bridge.ask("home", "hang", 1)
        told.append(caught.value.what)

    threads = [threading.Thread(target=ask) for _ in range(server.MOST_QUESTIONS + 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum("too many" in each for each in told) == 3


def test_a_provider_that_crashes_is_told_started_again_and_logged_once_a_kind(
    running: RunningBridge,
    bridge: SocketBridge,
    provider: SteeredProvider,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ear = Ear()
    bridge.follow("home", ear)
    ear.until(LINK, lambda link: link["up"])
    for _ in range(2):
        running.do(provider.crash)
        assert ear.until(LINK, lambda link: not link["up"])["why"] == "broken"
        late = Ear()
        bridge.follow("home", late)
        assert late.next() == (LINK, {"up": False, "why": "broken"})
        with pytest.raises(CannotBeDone, match="not connected"):
            bridge.ask("home", "call")
        ear.until(LINK, lambda link: link["up"])
    assert provider.starts == 3
    assert sum("home broke" in record.message for record in caplog.records) == 1


@pytest.mark.parametrize("line", [b"nonsense\n", b"[]\n", b'{"id": "x"}\n', b"[" * 100_000 + b"\n", b"x" * (1 << 21)])
def test_a_client_that_talks_nonsense_is_dropped_and_others_stay(bridge: SocketBridge, path: Path, line: bytes) -> None:
    with raw(path) as caller:
        threading.Thread(target=lambda: _send(caller, line)).start()
        assert hung_up(caller)
    assert bridge.ask("home", "call") == "done"


def hung_up(caller: socket.socket) -> bool:
    try:
        return caller.recv(1) == b""
    except ConnectionResetError:  # with something unread
        return True


def _send(caller: socket.socket, line: bytes) -> None:
    with suppress(OSError):  # dropped before it was through
        caller.sendall(line)


def test_a_client_that_does_not_read_is_dropped_and_the_others_hear_all(
    running: RunningBridge, bridge: SocketBridge, provider: SteeredProvider, path: Path
) -> None:
    ear, big = Ear(), "x" * 500_000
    bridge.follow("home", ear)
    ear.until(LINK, lambda link: link["up"])
    with raw(path) as deaf:
        deaf.sendall(wire.line({"follow": "home"}))
        assert deaf.recv(10)
        for number in range(20):
            running.do(lambda number=number: provider.tell("states", {"number": number, "text": big}))  # type: ignore[misc]
            ear.until("states", lambda value, number=number: value["number"] == number)  # type: ignore[misc]
        read = 0
        while more := deaf.recv(1 << 20):
            read += len(more)
    assert read < 20 * len(big), "it was dropped"


def test_only_so_many_clients_are_let_in(running: RunningBridge, path: Path) -> None:
    callers = [raw(path) for _ in range(server.MOST_CLIENTS)]
    for caller in callers:
        caller.sendall(wire.question(1, "home", "call", 5, {}))
        assert json.loads(caller.recv(1_000)) == {"id": 1, "is": "done"}
    with raw(path) as one_more:
        assert one_more.recv(1) == b""
    for caller in callers:
        caller.close()
    eventually(lambda: _answers(path))


def _answers(path: Path) -> bool:
    with raw(path) as caller:
        _send(caller, wire.question(1, "home", "call", 5, {}))
        return bool(caller.recv(1))


@pytest.mark.parametrize("line", [b"nonsense\n", b"[" * 100_000 + b"\n", b"x" * (1 << 21)])
def test_a_bridge_that_talks_nonsense_is_hung_up_on(path: Path, line: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with SocketBridge(path, "en"):
            for _ in range(2):
                listener.settimeout(5)
                caller, _ = listener.accept()
                with caller:
                    caller.settimeout(5)
                    _send(caller, line)
                    assert hung_up(caller), "and it tries again"


def test_a_follower_that_breaks_harms_no_other(bridge: SocketBridge, caplog: pytest.LogCaptureFixture) -> None:
    ear = Ear()
    bridge.follow("home", lambda kind, value: value["no such key"])
    bridge.follow("home", ear)
    assert ear.until(LINK, lambda link: link["up"]) == UP
    assert bridge.ask("home", "call") == "done"


def test_closing_twice_is_fine_and_no_thread_is_left(path: Path) -> None:
    before = threading.active_count()
    bridge = SocketBridge(path, "en")
    assert threading.active_count() == before, "none is started before it is entered"
    bridge.close()
    with bridge:
        bridge.close()
    assert threading.active_count() == before


def test_a_second_bridge_takes_nothing_from_the_first(running: RunningBridge, bridge: SocketBridge) -> None:
    with pytest.raises(WrongUse, match="listens at"):
        server.listener(running.path)
    assert bridge.ask("home", "call") == "done"


def test_a_socket_that_a_dead_bridge_left_is_taken(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with server.listener(path):
        assert path.stat().st_mode & 0o777 == 0o600


def test_better_arguments_are_asked_for_across_the_socket(path: Path) -> None:
    with pytest.raises(BadArgument, match="which"):
        wire.answer(wire.value(wire.refusal(1, BadArgument("which", remedy="say"))))


def test_a_bridge_that_ends_waits_for_nobody_who_is_connected(path: Path, provider: SteeredProvider) -> None:
    """From Python 3.12 on a server that serves for ever, cancelled, ends only when its last caller hangs up."""
    with RunningBridge(path, provider) as running, raw(path) as caller:
        caller.sendall(b'{"follow": "home"}\n')
        assert caller.recv(1)
        running.stop()
        while caller.recv(4_096):
            pass
