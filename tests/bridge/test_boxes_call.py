"""Calls between two bridges on real sockets: what gets through, what nobody between can read or change, and the end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from running_bridge import Ear, RunningBridge, eventually
from test_boxes import NAMES, House

from appliance.audio import as_text
from appliance.bridge import boxes_call, boxes_packets
from appliance.bridge.boxes import BoxesProvider
from appliance.bridge.client import SocketBridge
from appliance.build.bridged import make_key
from appliance.llm.key import read_key
from appliance.settings_boxes import Boxes

PATIENCE_S = 60.0
CALL = "0123456789abcdef" * 2
SOUND = np.arange(4_096, dtype=np.int16)


class Between:
    """Who stands between two boxes: `sent` is what went to the one that is called, `came` what it sent."""

    def __init__(self, to: tuple[str, int]) -> None:
        self.sent, self.came = bytearray(), bytearray()
        self.flips = self.repeats = False
        self._to, self._listener = to, socket.create_server(("127.0.7.99", 0))
        self.where = "{}:{}".format(*self._listener.getsockname())
        self._open = list[socket.socket]()
        Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._to)
                self._open += [near, far]
                for one, other, kept in ((near, far, self.sent), (far, near, self.came)):
                    Thread(target=self._pass_on, args=(one, other, kept), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, kept: bytearray) -> None:
        with suppress(OSError):
            while data := bytearray(one.recv(65_536)):
                kept += data
                if self.flips:
                    data[-1] ^= 1
                other.sendall(data * (1 + self.repeats))
            other.shutdown(socket.SHUT_WR)


class Two:
    """`attic` calls `bath`, by way of whoever stands between."""

    def __init__(self, folder: Path, stack: ExitStack, key: Path | None = None) -> None:
        self.house = House(folder, NAMES[:2], stack)
        self.bath = self.house.start("bath")
        self.heard_bath = self.house.ear("bath")
        self.heard_bath.until("present", patience_s=PATIENCE_S)
        self.between = Between((self.house.address("bath"), self.house.port))
        stack.callback(self.between.close)
        settings = Boxes(
            name="attic", others={"bath": self.between.where}, key_file=key or self.house.key, port=self.house.port,
            address=self.house.address("attic"),
        )  # fmt: skip
        provider = BoxesProvider(settings, lambda: read_key(key or self.house.key, "boxes.key_file"), "en")
        stack.enter_context(RunningBridge(folder / "attic.sock", provider))
        self.attic = stack.enter_context(SocketBridge(folder / "attic.sock", "en"))
        self.heard_attic = Ear()
        self.attic.follow("boxes", self.heard_attic)
        self.heard_attic.until("present", patience_s=PATIENCE_S)

    def ring(self, answer: str = "rings") -> str:
        """What comes of it, where the core of the other box says so."""
        answers = list[str]()
        asking = Thread(
            target=lambda: answers.append(self.attic.ask("boxes", "call", PATIENCE_S, to="bath", call=CALL))
        )
        asking.start()
        asked = self.heard_bath.until("call", patience_s=PATIENCE_S)
        assert (asked["box"], asked["call"]) == ("attic", CALL)
        self.bath.ask("boxes", "answered", PATIENCE_S, id=asked["id"], answer=answer)
        asking.join(PATIENCE_S)
        return answers[0]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with ExitStack() as stack:
        yield Two(tmp_path, stack)


def say(core: SocketBridge, kind: str, **more: str) -> bool:
    return bool(core.ask("boxes", "in_call", PATIENCE_S, call=CALL, kind=kind, **more))


def test_what_happens_at_either_end_gets_to_the_other_and_nobody_between_can_read_it(two: Two) -> None:
    assert two.ring() == "rings"
    eventually(lambda: say(two.bath, "took"), PATIENCE_S)
    assert two.heard_attic.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "took"}
    for core, ear in ((two.attic, two.heard_bath), (two.bath, two.heard_attic)):
        assert say(core, "sound", pcm=as_text(SOUND))
        assert say(core, "spoke")
        assert ear.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "sound", "pcm": as_text(SOUND)}
        assert ear.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "spoke"}
    passed = bytes(two.between.sent + two.between.came)
    assert len(passed) > 2 * SOUND.nbytes
    assert SOUND[:64].tobytes() not in passed
    assert say(two.attic, "ended", why="hung_up")
    assert two.heard_bath.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "ended", "why": "hung_up"}
    eventually(lambda: not say(two.bath, "alive"), PATIENCE_S)
    eventually(lambda: not say(two.attic, "alive"), PATIENCE_S)


def test_what_is_changed_on_the_way_ends_it_and_is_not_heard(two: Two) -> None:
    assert two.ring() == "rings"
    two.between.flips = True
    assert say(two.attic, "sound", pcm=as_text(SOUND))
    assert two.heard_bath.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "ended", "why": "lost"}
    assert two.heard_attic.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "ended", "why": "lost"}


def test_what_is_sent_once_more_on_the_way_ends_it(two: Two) -> None:
    assert two.ring() == "rings"
    two.between.repeats = True
    assert say(two.attic, "spoke")
    assert two.heard_bath.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "spoke"}
    assert two.heard_bath.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "ended", "why": "lost"}


def test_a_recorded_call_does_not_ring_again(two: Two) -> None:
    assert two.ring() == "rings"
    with socket.create_connection((two.house.address("bath"), two.house.port), PATIENCE_S) as again:
        again.sendall(bytes(two.between.sent))
        with suppress(ConnectionResetError):
            while again.recv(4_096):
                pass
    with pytest.raises(AssertionError):
        two.heard_bath.until("call", patience_s=0.5)


@pytest.mark.parametrize("answer", ["busy", "muted", "quiet", "not_now"])
def test_a_box_that_does_not_ring_holds_no_call(two: Two, answer: str) -> None:
    assert two.ring(answer) == answer
    assert not say(two.attic, "alive")
    assert not say(two.bath, "alive")


@pytest.mark.parametrize("plain", [b"", bytes([len(boxes_call.KINDS)]), b"\xff"])
def test_a_packet_of_no_kind_ends_it(plain: bytes) -> None:
    async def heard() -> list[tuple[str, bytes]]:
        told, key = list[tuple[str, bytes]](), bytes(32)
        over = asyncio.Event()

        async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = boxes_call.Line(CALL, (reader, writer), key, called=True)
            try:
                await line.run(lambda kind, body: told.append((kind, body)))
            finally:
                over.set()

        async with await asyncio.start_server(hold, "127.0.0.1", 0) as server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            packet = boxes_call._Cipher(key, b"to  ").closed(plain)
            writer.write(len(packet).to_bytes(boxes_packets.LENGTH_BYTES, "big") + packet)
            await asyncio.wait_for(over.wait(), PATIENCE_S)
            writer.close()
        return told

    assert asyncio.run(heard()) == [("ended", boxes_call.LOST)]


def test_an_end_that_shows_no_life_is_lost(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes_call, "GONE_S", 0.5)
    assert two.ring() == "rings"
    for ear in (two.heard_attic, two.heard_bath):
        assert ear.until("in_call", patience_s=PATIENCE_S)["why"] == "lost"


def test_who_has_another_key_does_not_ring(tmp_path: Path) -> None:
    with ExitStack() as stack:
        make_key(tmp_path / "other")
        two = Two(tmp_path, stack, tmp_path / "other")
        assert two.attic.ask("boxes", "call", PATIENCE_S, to="bath", call=CALL) == "stranger"
        with pytest.raises(AssertionError):
            two.heard_bath.until("call", patience_s=0.5)


def test_a_box_whose_core_does_not_answer_holds_no_call(two: Two) -> None:
    assert two.attic.ask("boxes", "call", PATIENCE_S, to="bath", call=CALL) == "unknown"
    assert two.heard_bath.until("in_call", patience_s=PATIENCE_S) == {"call": CALL, "kind": "ended", "why": "lost"}
