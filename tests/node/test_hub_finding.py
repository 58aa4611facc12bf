"""A hub is found by its name with real multicast DNS: two processes on one machine, in a network of their own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOME = "10.77.0.1"
NETWORK = f"""
ip link set lo up multicast on
ip addr add {HOME}/24 dev lo
ip route add default dev lo
"""
BRIDGE = """
import ifaddr, runpy, sys

def none(*_, **__):
    raise OSError(97, "Address family not supported by protocol")

ifaddr.get_adapters = none  # the bridge's jail has no AF_NETLINK
sys.argv = ["appliance", *sys.argv[1:]]
runpy.run_module("appliance", run_name="__main__")
"""
SETTINGS = """
state = "{folder}"
[bridge]
socket = "{folder}/bridge.sock"
[hub]
announce = true
name = "hall.lan"
port = 8771
tls = {tls}
"""
ANNOUNCE = """
import asyncio, sys
from appliance.hub.announce import announced

async def run():
    told = {"tls": "1" if sys.argv[2] == "tls" else "0"}
    async with announced("_voice-appliance._tcp.local.", sys.argv[1], 8770, told):
        print(sys.argv[1], flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(run())
"""
FIND = """
import asyncio, sys
from appliance.bridge.hub_finding import find
from appliance.bridge.trouble import Lost

try:
    print(asyncio.run(find(sys.argv[1])))
except Lost as lost:
    print(lost.why)
"""


def script(name: str, tls: str, *wanted: str) -> list[str]:
    """What each of `wanted` is found as, while a hub announces `name`; before it the name that it announces."""
    finds = "\n".join(f"{sys.executable} -c '{FIND}' '{each}'" for each in wanted)
    announces = f"{sys.executable} -c '{ANNOUNCE}' '{name}' {tls} <hold >told & announcer=$!"
    whole = f"""
set -e
{NETWORK}
cd "$1" && mkfifo hold told
export PYTHONPATH={ROOT}
exec 4<>hold
{announces}
head -n 1 told
{finds}
kill $announcer
"""
    return ["unshare", "--net", "sh", "-c", whole, "sh"]


@pytest.fixture(scope="module")
def network() -> None:
    if not shutil.which("unshare") or subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode:
        pytest.skip("no network of its own can be made here: needs root")


@pytest.mark.parametrize(("tls", "scheme"), [("tls", "https"), ("plain", "http")])
def test_a_hub_is_found_by_its_name_and_no_other(network: None, tmp_path: Path, tls: str, scheme: str) -> None:
    command = [*script("Hall hub", tls, "hall hub", "attic"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines() == ["Hall hub", f"{scheme}://{HOME}:8770", "no_hub"], done.stderr


def bridged(folder: Path, tls: bool, *lines: str) -> str:
    """What shell lines tell in a network of their own; $bridge is `appliance bridge`, of a box that announces its hub,
    and $find looks for it."""
    (folder / "config.toml").write_text(SETTINGS.format(folder=folder, tls=f"{tls}".lower()))
    (folder / "bridge.py").write_text(BRIDGE)
    (folder / "find.py").write_text(FIND)
    bridge = f'bridge="{sys.executable} bridge.py --config config.toml bridge"'
    find = f'find="{sys.executable} find.py"'
    script = "\n".join(["set -e", NETWORK, f"export PYTHONPATH={ROOT}", bridge, find, *lines])
    command = ["unshare", "--net", "sh", "-c", script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.parametrize(("tls", "scheme"), [(True, "https"), (False, "http")])
def test_the_hub_of_a_box_is_announced_by_its_bridge_alone(
    network: None, tmp_path: Path, tls: bool, scheme: str
) -> None:
    lines = ["$bridge run >&2 & running=$!", "$find hall", "kill $running", "wait $running", "$find hall"]
    assert bridged(tmp_path, tls, *lines).splitlines() == [f"{scheme}://{HOME}:8771", "no_hub"]


@pytest.mark.parametrize(
    ("route", "found"),
    [
        ("add prohibit 224.0.0.0/4", "va-bridge.service keeps multicast in"),
        ("delete default", "there is no network"),
        ("show default", "can be reached"),
    ],
)
def test_the_check_of_the_bridge_tells_that_it_is_kept_in(
    network: None, tmp_path: Path, route: str, found: str
) -> None:
    assert found in bridged(tmp_path, False, f"ip route {route} >&2", "$bridge check || true")
