"""Several bridges of one house on real sockets: each at an address of its own of this machine."""

from __future__ import annotations

import os
import random
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from running_bridge import Ear, RunningBridge, eventually

from appliance.bridge import boxes, boxes_near, boxes_post
from appliance.bridge.boxes import BoxesProvider
from appliance.bridge.boxes_seal import Seal
from appliance.bridge.client import SocketBridge
from appliance.build.bridged import make_key
from appliance.errors import BadArgument, WrongUse
from appliance.llm.key import read_key
from appliance.ports import LINK, Wake
from appliance.service.boxes import OthersByBridge
from appliance.settings_boxes import Boxes

NAMES = ("attic", "bath", "cellar", "den", "entry", "flat")
PATIENCE_S = 60.0
"""On a machine that does other things as well."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "HELLO_S", 0.1)


class House:
    """Of boxes whose bridges run, each with the core's end of its socket."""

    def __init__(self, folder: Path, names: Sequence[str], stack: ExitStack) -> None:
        self.folder, self.names, self._stack = folder, names, stack
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind(("0.0.0.0", 0))
            self.port = int(probe.getsockname()[1])
        self.key = folder / "key"
        make_key(self.key)
        self.bridges: dict[str, RunningBridge] = {}
        self.cores: dict[str, SocketBridge] = {}

    def address(self, name: str) -> str:
        return f"127.0.7.{NAMES.index(name) + 1}"

    def settings(self, name: str, key: Path | None = None) -> Boxes:
        others = {each: self.address(each) for each in self.names if each != name}
        return Boxes(name=name, others=others, key_file=key or self.key, port=self.port, address=self.address(name))

    def start(self, name: str, key: Path | None = None) -> SocketBridge:
        file = key or self.key
        provider = BoxesProvider(self.settings(name, key), lambda: read_key(file, "boxes.key_file"), "en")
        self.bridges[name] = self._stack.enter_context(RunningBridge(self.folder / f"{name}.sock", provider))
        core = self.cores[name] = self._stack.enter_context(SocketBridge(self.folder / f"{name}.sock", "en"))
        return core

    def ear(self, name: str) -> Ear:
        ear = Ear()
        self.cores[name].follow("boxes", ear)
        return ear

    def send(self, name: str, *packets: bytes) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
            for packet in packets:
                sending.sendto(packet, (self.address(name), self.port))


@contextmanager
def running(folder: Path, names: Sequence[str]) -> Iterator[House]:
    with ExitStack() as stack:
        house = House(folder, names, stack)
        for name in names:
            house.start(name)
        yield house


@pytest.fixture
def two(tmp_path: Path) -> Iterator[House]:
    with running(tmp_path, NAMES[:2]) as house:
        yield house


def told(core: SocketBridge, **wake: Any) -> None:
    core.ask("boxes", "wake", PATIENCE_S, **({"word": "alexa", "score": 0.8, "level_db": 21.5, "took": False} | wake))


def test_a_wake_gets_to_each_of_the_others_once(tmp_path: Path) -> None:
    with running(tmp_path, NAMES) as house:
        ears = {name: house.ear(name) for name in NAMES}
        for ear in ears.values():
            ear.until("present", lambda names: len(names) == len(NAMES) - 1, PATIENCE_S)
        told(house.cores["den"], score=0.7)
        told(house.cores["den"], score=0.6)
        for name in set(NAMES) - {"den"}:
            assert ears[name].until("wake", patience_s=PATIENCE_S)["score"] == 0.7
            assert ears[name].until("wake", patience_s=PATIENCE_S)["score"] == 0.6, "and not the first one again"


def test_who_ended_is_gone_and_comes_back(two: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ear = two.ear("attic")
    ear.until("present", lambda names: names == ["bath"], PATIENCE_S)
    monkeypatch.setattr(boxes_near, "GONE_S", 1.0)
    two.bridges["bath"].stop()
    ear.until("present", lambda names: names == [], PATIENCE_S)
    monkeypatch.undo()
    two.start("bath")
    ear.until("present", lambda names: names == ["bath"], PATIENCE_S)
    told(two.cores["bath"])
    assert ear.until("wake", patience_s=PATIENCE_S)["box"] == "bath"


def test_who_has_another_key_is_none_of_the_house(tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, NAMES[:3], stack)
        make_key(tmp_path / "other")
        house.start("attic")
        house.start("bath")
        house.start("cellar", tmp_path / "other")
        house.ear("attic").until("present", lambda names: names == ["bath"], PATIENCE_S)
        answers = house.cores["attic"].ask("boxes", "announce", PATIENCE_S, text="Dinner.", to=["cellar"])
        assert answers == {"cellar": "stranger"}


def test_a_flood_of_garbage_costs_no_wake(two: House) -> None:
    ear = two.ear("attic")
    ear.until("present", lambda names: names == ["bath"], PATIENCE_S)
    rng = random.Random(7)
    two.send("attic", *(rng.randbytes(rng.randrange(1_400)) for _ in range(5_000)))
    eventually(lambda: _arrives(two, ear), PATIENCE_S)


def _arrives(two: House, ear: Ear) -> bool:
    told(two.cores["bath"])
    try:
        return bool(ear.until("wake", patience_s=1.0))
    except AssertionError:
        return False


class Core:
    """What a running service does with what others announce."""

    def __init__(self, bridge: SocketBridge, answer: str) -> None:
        self.others, self.heard, self._answer = OthersByBridge(bridge), Queue[tuple[str, str, bool]](), answer
        self.others.obey(self._said)

    def _said(self, box: str, text: str, anyway: bool) -> str:
        self.heard.put((box, text, anyway))
        return self._answer


def test_an_announcement_is_answered_by_what_came_of_it(tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, NAMES[:5], stack)
        for name in NAMES[:4]:
            house.start(name)
        cores = {name: Core(house.cores[name], answer) for name, answer in [("bath", "said"), ("cellar", "quiet")]}
        for name, core in cores.items():
            stack.enter_context(core.others)
            house.ear(name).until("present", patience_s=PATIENCE_S)  # by then its bridge knows whom to tell
        attic = house.cores["attic"]
        answers = attic.ask("boxes", "announce", PATIENCE_S, text="Dinner is ready.", anyway=True)
        assert answers == {"bath": "said", "cellar": "quiet", "den": "unknown", "entry": "gone"}
        assert cores["bath"].heard.get(timeout=1) == ("attic", "Dinner is ready.", True)
        assert attic.ask("boxes", "announce", PATIENCE_S, text="Come.", to=["bath", "garage"]) == {"bath": "said"}
        assert cores["cellar"].heard.qsize() == 1


def test_a_recorded_announcement_is_not_made_again(two: House) -> None:
    with Core(two.cores["bath"], "said").others as others:
        heard = list[str]()
        others.obey(lambda box, text, anyway: heard.append(text) or "said")  # type: ignore[func-returns-value]
        two.ear("bath").until("present", patience_s=PATIENCE_S)
        seal = Seal(two.key.read_text().strip())
        asked = boxes_post.Asked(of="attic", to="bath", text="Once.").model_dump()
        with _called(two, "bath") as first:
            packet = seal.closed(asked, first.recv(boxes_post.NUMBER_BYTES, socket.MSG_WAITALL))
            first.sendall(len(packet).to_bytes(4, "big") + packet)
            assert first.recv(4, socket.MSG_WAITALL)
            assert heard == ["Once."]
        with _called(two, "bath") as again:
            again.recv(boxes_post.NUMBER_BYTES, socket.MSG_WAITALL)
            again.sendall(len(packet).to_bytes(4, "big") + packet)
            assert again.recv(4) == b"", "it hangs up"
        assert heard == ["Once."]


@contextmanager
def _called(house: House, name: str) -> Iterator[socket.socket]:
    ends_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            made = socket.create_connection((house.address(name), house.port), PATIENCE_S)
            break
        except ConnectionRefusedError:
            assert time.monotonic() < ends_s
            time.sleep(0.05)
    with made:
        yield made


def test_callers_that_say_nothing_or_nonsense_keep_nobody_out(two: House) -> None:
    with Core(two.cores["bath"], "said").others as others, ExitStack() as stack:
        others.obey(lambda box, text, anyway: "said")
        for number in range(3 * boxes_post.MOST_CALLERS):
            caller = stack.enter_context(_called(two, "bath"))
            if number % 2:
                caller.sendall(os.urandom(3_000))

        def passes() -> bool:
            answers = two.cores["attic"].ask("boxes", "announce", PATIENCE_S, text="Come.")
            return bool(answers == {"bath": "said"})

        eventually(passes, PATIENCE_S)


def test_the_core_hears_of_wakes_and_of_a_bridge_that_died(two: House) -> None:
    with OthersByBridge(two.cores["attic"]) as attic, OthersByBridge(two.cores["bath"]) as bath:
        eventually(lambda: attic.present and bath.present, PATIENCE_S)

        def heard() -> bool:
            bath.tell(Wake("bath", "alexa", 0.8, 20.0, took=True))
            return bool(attic.told())

        eventually(heard, PATIENCE_S)
        assert attic.told()[-1].wake == Wake("bath", "alexa", 0.8, 20.0, took=True)
        two.bridges["attic"].stop()
        eventually(lambda: not attic.present, PATIENCE_S)
        began_s = time.monotonic()
        for _ in range(100):
            attic.tell(Wake("attic", "alexa", 0.8, 20.0))
        assert time.monotonic() - began_s < 1, "nobody waits for it"


def test_without_a_key_it_says_so(tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, NAMES[:2], stack)
        house.start("attic", tmp_path / "none")
        link = house.ear("attic").until(LINK, lambda link: link["why"] not in ("no_bridge", "starting"), PATIENCE_S)
        assert link == {"up": False, "why": "no_key"}
        assert house.cores["attic"].ask("boxes", "announce", PATIENCE_S, text="Come.") == {"bath": "gone"}


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, NAMES[:2], stack)
        taken = stack.enter_context(socket.create_server((house.address("attic"), house.port)))
        assert taken
        house.start("attic")
        house.ear("attic").until(LINK, lambda link: link["why"] == "no_port", PATIENCE_S)


def test_what_makes_no_sense_is_refused(two: House) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [("wake", {"score": 7}), ("announce", {"text": ""}), ("dance", {})]
    for what, values in wrong:
        with pytest.raises(BadArgument):
            two.cores["attic"].ask("boxes", what, PATIENCE_S, **values)


def test_a_key_is_made_for_its_owner_alone_and_never_over_another(tmp_path: Path) -> None:
    make_key(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert len(read_key(tmp_path / "key", "boxes.key_file")) == 64
    with pytest.raises(WrongUse, match="is there already"):
        make_key(tmp_path / "key")
    with pytest.raises(WrongUse, match="cannot be written"):
        make_key(tmp_path / "none" / "key")


@pytest.mark.parametrize(
    "wrong",
    [
        {"others": {"hall": "10.0.0.1"}},
        {"name": "hall", "others": {"Hall": "10.0.0.1"}, "key_file": "/k"},
        {"name": "hall", "others": {"bath": "10.0.0.1:port"}, "key_file": "/k"},
        {"name": "hall", "others": {"bath": "fe80::1"}, "key_file": "/k"},
        {"name": "hall", "others": {f"b{number}": "10.0.0.1" for number in range(17)}, "key_file": "/k"},
    ],
)
def test_settings_of_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"boxes|name|others|Boxes|16"):
        Boxes.model_validate(wrong)
