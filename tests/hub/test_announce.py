"""What is served is found by others, until it ends: two machines and one that looks, each a network of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PATIENCE_S = 40.0
MACHINES = ("looks", "one", "two")


class Lan:
    """A switch, and machines at it: 192.168.77.1, .2 and .3."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: list[subprocess.Popen[bytes]] = []
        self._switch = self._name("switch")
        self._ip("netns", "add", self._switch)
        self._ip("-n", self._switch, "link", "add", "name", "switch", "type", "bridge", "mcast_snooping", "0")
        self._ip("-n", self._switch, "link", "set", "switch", "up")
        for number, machine in enumerate(MACHINES, 1):
            self._add(machine, number)

    def _add(self, machine: str, number: int) -> None:
        name, port = self._name(machine), f"port{number}"
        self._ip("netns", "add", name)
        self._ip("-n", self._switch, "link", "add", port, "type", "veth", "peer", "name", "card", "netns", name)
        self._ip("-n", self._switch, "link", "set", port, "master", "switch", "up")
        subprocess.run(
            [*self._within(machine), "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6"], check=True
        )
        self._ip("-n", name, "link", "set", "lo", "up")
        self._ip("-n", name, "address", "add", f"192.168.77.{number}/24", "dev", "card")
        self._ip("-n", name, "link", "set", "card", "up")
        self._ip("-n", name, "route", "add", "224.0.0.0/4", "dev", "card")

    def give(self, machine: str, address: str) -> None:
        self._ip("-n", self._name(machine), "address", "add", address, "dev", "card")

    def run(self, machine: str, script: str, *words: str) -> subprocess.Popen[bytes]:
        with (self._folder / machine).open("wb") as out:
            command = [*self._within(machine), sys.executable, str(HERE / script), *words]
            process = subprocess.Popen(command, stdout=out, cwd=HERE.parents[1])
        self._running.append(process)
        return process

    def told(self, machine: str) -> list[str]:
        return (self._folder / machine).read_text().splitlines()

    def close(self) -> None:
        for process in self._running:
            process.kill()
            process.wait()
        for each in ("switch", *MACHINES):
            self._ip("netns", "delete", self._name(each))

    def _name(self, machine: str) -> str:
        return f"va-{os.getpid()}-{machine}"

    def _within(self, machine: str) -> list[str]:
        return ["ip", "netns", "exec", self._name(machine)]

    def _ip(self, *words: str) -> None:
        subprocess.run(["ip", *words], check=True)


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    if os.geteuid() != 0:
        pytest.skip("only root may make a network")
    made = Lan(tmp_path)
    yield made
    made.close()


def until(holds: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < ends_s
        time.sleep(0.1)


def test_it_is_found_at_all_its_addresses_under_a_name_of_its_own_until_it_ends(lan: Lan) -> None:
    lan.run("looks", "looking_for.py", "120")
    until(lambda: lan.told("looks") == ["looking"])
    one = lan.run("one", "announcing.py", "10300", "60")
    until(lambda: len(lan.told("looks")) == 2)
    assert lan.told("looks")[-1] == "add Kitchen box 10300 192.168.77.2 {b'version': b'1'}"

    two = lan.run("two", "announcing.py", "10301", "8")  # of the same name
    until(lambda: len(lan.told("looks")) == 4)
    assert lan.told("looks")[2:] == [
        "add Kitchen box-2 10301 192.168.77.3 {b'version': b'1'}",
        "remove Kitchen box-2",
    ]
    assert two.wait(20) == 0

    lan.give("one", "192.168.78.2/24")
    until(lambda: len(lan.told("looks")) == 6)
    assert lan.told("looks")[4:] == [
        "remove Kitchen box",
        "add Kitchen box 10300 192.168.77.2 192.168.78.2 {b'version': b'1'}",
    ]
    one.terminate()
