"""The helper that joins a network, with a real NetworkManager in namespaces of its own: no Wi-Fi, but its checkpoints.

To join one needs a radio, or a kernel with mac80211_hwsim: that was not seen here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from booted import Booted

SYSTEMD = Path(__file__).parents[2] / "systemd"
HELPER = SYSTEMD / "wifi"
NEEDS = ("NetworkManager", "nmcli", "busctl", "dbus-daemon", "unshare", "ip")
SETTINGS = "[main]\nplugins=keyfile\nauth-polkit=root-only\n"
INSIDE = """
mount --make-rprivate /
for place in /run /etc/NetworkManager /var/lib/NetworkManager; do mkdir -p $place; mount -t tmpfs none $place; done
mkdir /run/dbus /run/va-wifi
ip link set lo up
printf "$SETTINGS" >/etc/NetworkManager/NetworkManager.conf
dbus-daemon --system --fork --nopidfile
NetworkManager --no-daemon >"$LOG" 2>&1 &
for _ in $(seq 300); do ! nmcli general >/dev/null 2>&1 || break; sleep 0.1; done
exec /usr/bin/python3 -I -c "$CODE"
"""
LOADED = f"""
import io, json, runpy, subprocess, sys, time
sys.stdin = io.TextIOWrapper(io.BytesIO(b"nonsense"))
sys.stdout, out = io.StringIO(), sys.stdout
helper = runpy.run_path({str(HELPER)!r})
sys.stdout = out

def refused(work, *words):
    try:
        return work(*words)
    except helper["Failed"] as error:
        return str(error)

def added(name):
    words = ["nmcli", "connection", "add", "type", "wifi", "con-name", name, "ssid", name]
    subprocess.run([*words, "wifi-sec.key-mgmt", "wpa-psk"], check=True, stdout=subprocess.DEVNULL)

def there(name):
    return name in helper["nmcli"]("--fields", "NAME", "connection")[1].split()
"""

pytestmark = [
    pytest.mark.wifi,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make namespaces"),
    pytest.mark.skipif(any(shutil.which(name) is None for name in NEEDS), reason="run: make wifi-test"),
]


def inside(code: str, tmp_path: Path) -> Any:
    """What `code` prints last, as JSON, beside a NetworkManager that has nothing but a loopback."""
    log = tmp_path / "manager.log"
    environment = os.environ | {"CODE": LOADED + code, "SETTINGS": SETTINGS, "LOG": str(log)}
    words = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-euc", INSIDE]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr + (log.read_text()[-2_000:] if log.exists() else "")
    return json.loads(done.stdout.splitlines()[-1])


def test_a_box_without_wifi_says_so(tmp_path: Path) -> None:
    code = """
answers = [helper["answer"](line) for line in (
    b'{"do": "list"}', b'{"do": "join", "network": "x", "password": "long enough"}', b'{"do": "keep"}')]
print(json.dumps([each["error"] for each in answers]))
"""
    assert inside(code, tmp_path) == ["no_device", "no_device", "nothing"]


def test_what_is_not_kept_is_gone_back_from_by_networkmanager_itself(tmp_path: Path) -> None:
    """The profile that was added since goes with it, and the password that it holds."""
    code = """
made = helper["checkpoint"]()
added("home")
second = refused(helper["checkpoint"])
helper["manager"]("CheckpointAdjustRollbackTimeout", "ou", made, "2")
before, ends_s = there("home"), time.monotonic() + 30
while there("home") and time.monotonic() < ends_s:
    time.sleep(0.1)
open(helper["NOTE"], "w").write(made)
print(json.dumps([before, there("home"), second, refused(helper["keep"])]))
"""
    assert inside(code, tmp_path) == [True, False, "busy", "nothing"]


def test_what_is_kept_stays(tmp_path: Path) -> None:
    code = """
made = helper["checkpoint"]()
added("home")
open(helper["NOTE"], "w").write(made)
helper["manager"]("CheckpointAdjustRollbackTimeout", "ou", made, "2")
kept = helper["keep"]()
time.sleep(3)
print(json.dumps([kept, there("home"), bool(refused(helper["checkpoint"]))]))
"""
    assert inside(code, tmp_path) == [True, True, True]


def test_a_network_that_cannot_be_joined_is_gone_back_from_at_once(tmp_path: Path) -> None:
    """nmcli itself says that there is no Wi-Fi to join it with."""
    code = """
why = refused(helper["join"], "nowhere", "long enough")
print(json.dumps([why, bool(helper["CHECKPOINT"].match(helper["checkpoint"]()))]))
"""
    assert inside(code, tmp_path) == ["refused", True]


ASK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as door:
    door.connect("/run/va-wifi/socket")
    door.sendall(sys.argv[1].encode() + b"\\n")
    door.shutdown(socket.SHUT_WR)
    print(door.makefile().read())
"""


@pytest.fixture
def system(tmp_path: Path) -> Iterator[Booted]:
    """A real systemd with a real NetworkManager, and the two units."""
    (tmp_path / "boot").mkdir()
    made = Booted(tmp_path / "boot", {})
    try:
        for name in ("va-wifi.socket", "va-wifi@.service"):
            made.write(f"/etc/systemd/system/{name}", (SYSTEMD / name).read_text())
        made.write("/etc/NetworkManager/NetworkManager.conf", SETTINGS)
        made.run("mkdir", "-p", "/var/lib/NetworkManager")
        made.run("useradd", "--system", "va-hub")
        made.run("systemctl", "daemon-reload")
        made.run("systemctl", "start", "dbus", "NetworkManager", "va-wifi.socket")
        yield made
    finally:
        made.close()


def asked(system: Booted, line: str, user: str = "va-hub") -> Any:
    """What the helper answers; None where that user may not ask."""
    identity = ["setpriv", f"--reuid={user}", "--regid=nogroup", "--clear-groups"]
    done = system.attempt(*identity, "/usr/bin/python3", "-I", "-c", ASK, line)
    return json.loads(done.stdout) if done.returncode == 0 else None


def test_in_its_jail_it_reaches_networkmanager_for_the_hub_and_for_nobody_else(system: Booted) -> None:
    system.write("/usr/local/lib/va/wifi", HELPER.read_text())
    assert asked(system, '{"do": "list"}') == {"error": "no_device"}
    assert asked(system, '{"do": "list"}', "nobody") is None
    assert asked(system, '{"do": "keep"}') == {"error": "nothing"}
    system.write("/usr/local/lib/va/wifi", joins_at_once())
    assert asked(system, '{"do": "join", "network": "x", "password": "long enough"}') == {"joined": "x"}
    assert asked(system, '{"do": "join", "network": "y", "password": "long enough"}') == {"error": "busy"}
    assert asked(system, '{"do": "keep"}') == {"kept": True}
    assert asked(system, '{"do": "keep"}') == {"error": "nothing"}
    told = system.journal("va-wifi@*")
    assert "long enough" not in told
    assert "Traceback" not in told


def joins_at_once() -> str:
    """The helper with all that it does but for the joining itself, which takes a radio."""
    text = HELPER.read_text()
    for there, instead in (
        ('    need_a_device()\n            return {"joined"', '    return {"joined"'),
        ('        code, told = nmcli(*words, say=password + "\\n", within_s=JOIN_S)\n', "        code = 0\n"),
    ):
        assert there in text
        text = text.replace(there, instead)
    return text
