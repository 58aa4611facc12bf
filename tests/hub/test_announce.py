"""What is served is found in the network, with all addresses of the machine, until it ends; in a network of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NETWORK = """
ip link set lo up
ip link add card type veth peer name other
ip link set other up
ip address add 192.168.77.2/24 dev card
ip link set card up multicast on
exec "$@"
"""


@pytest.fixture(scope="module")
def told() -> list[str]:
    if os.geteuid() != 0:
        pytest.skip("only root may make a network")
    script = Path(__file__).with_name("announcing.py")
    command = ["unshare", "--net", "sh", "-ec", NETWORK, "sh", sys.executable, str(script), "192.168.77.2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_it_is_found_with_its_address_and_port(told: list[str]) -> None:
    assert told[0].startswith("add Kitchen box 10300 192.168.77.2 "), told
    assert "{b'version': b'1'}" in told[0]


def test_two_of_one_name_get_two_names(told: list[str]) -> None:
    assert told[1].startswith("add Kitchen box-2 10301 192.168.77.2 "), told
    assert told[2] == "remove Kitchen box-2"


def test_another_address_is_announced_as_well(told: list[str]) -> None:
    assert told[3] == "remove Kitchen box"
    assert told[4].startswith("add Kitchen box 10300 192.168.77.2 192.168.78.2 "), told


def test_what_ends_is_taken_back(told: list[str]) -> None:
    assert told[-1] == "remove Kitchen box"
    assert len(told) == 6
