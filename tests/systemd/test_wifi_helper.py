"""The helper that joins a network: run for real over a double of nmcli and busctl, and through the hub.

The double stands for a box with Wi-Fi: no network was joined by radio here. What a real NetworkManager makes of the
checkpoints is in test_real_networkmanager.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from running_hub import RunningHub

HELPER = Path(__file__).parents[2] / "systemd/wifi"
V0 = "/api/v0/wifi"
SECRET = "correct horse"
DOUBLE = """#!{python} -I
import json, sys, time
from pathlib import Path
folder, words = Path({folder!r}), sys.argv[1:]
world = json.loads((folder / "world").read_text())
said = sys.stdin.read() if "--ask" in words else ""
with (folder / "noted").open("a") as noted:
    noted.write(json.dumps([Path(sys.argv[0]).name, *words]) + chr(10))
made = folder / "checkpoint"
if sys.argv[0].endswith("busctl"):
    method = words[words.index("org.freedesktop.NetworkManager") + 3]
    if method == "CheckpointCreate":
        if made.exists():
            sys.exit("Call failed: already included")
        made.touch()
        print('o "/org/freedesktop/NetworkManager/Checkpoint/7"')
    elif not made.exists():
        sys.exit("Call failed: no such checkpoint")
    elif method in ("CheckpointDestroy", "CheckpointRollback"):
        made.unlink()
elif world["code"]:
    sys.exit(world["code"])
elif words[-1] == "device":
    print(world["devices"])
elif words[-2:] == ["radio", "wifi"]:
    print(world["radio"])
elif words[-1] == "list":
    print(world["list"])
else:
    time.sleep(world["takes_s"])
    name = words[words.index("connect") + 1]
    if name not in world["passwords"]:
        sys.exit(10)
    if said.rstrip(chr(10)) != world["passwords"][name]:
        print("Password: " + said + "Error: Connection activation failed: (7) Secrets were required, but not provided.")
        sys.exit(4)
"""
LISTED = r"""*:55:WPA2:Old house
:71:WPA2:Old house
:80:WPA2 WPA3:a\:b\\c
:40::Café
:30:WPA2 802.1X:Office
:20:WEP:Attic
:90:WPA2:
nonsense"""


class Box:
    def __init__(self, folder: Path) -> None:
        self.folder, self.note = folder, folder / "joined"
        self.world: dict[str, Any] = {
            "code": 0,
            "devices": "wifi\nloopback",
            "radio": "enabled",
            "list": LISTED,
            "takes_s": 0,
            "passwords": {"Old house": SECRET, "Café": "", "-- odd": SECRET},
        }
        text = HELPER.read_text().replace("/run/va-wifi/joined", str(self.note))
        for name in ("nmcli", "busctl"):
            program = folder / name
            program.write_text(DOUBLE.format(python=sys.executable, folder=str(folder)))
            program.chmod(0o755)
            text = text.replace(f"/usr/bin/{name}", str(program))
        (folder / "wifi.py").write_text(text.replace("JOIN_S, KEEP_S, LIST_S = 45,", "JOIN_S, KEEP_S, LIST_S = 7,"))
        self.command = ["/usr/bin/python3", "-I", str(folder / "wifi.py")]

    def ask(self, line: bytes = b"", **asked: Any) -> dict[str, Any]:
        (self.folder / "world").write_text(json.dumps(self.world))
        given = line or json.dumps(asked).encode() + b"\n"
        done = subprocess.run(self.command, input=given, capture_output=True, timeout=60, check=False)
        assert done.stderr == b"", "nothing of it is in the journal"
        return dict(json.loads(done.stdout))

    def join(self, network: str, password: str = SECRET) -> dict[str, Any]:
        return self.ask(do="join", network=network, password=password)

    @property
    def noted(self) -> list[list[str]]:
        file = self.folder / "noted"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    @property
    def methods(self) -> list[str]:
        """Of NetworkManager, in their order."""
        return [word for words in self.noted for word in words if word.startswith("Checkpoint")]

    @property
    def may_go_back(self) -> bool:
        return (self.folder / "checkpoint").exists()

    @contextmanager
    def at_a_socket(self) -> Iterator[Path]:
        """systemd's own tool holds it, one helper for each connection."""
        path = self.folder / "socket"
        (self.folder / "world").write_text(json.dumps(self.world))
        command = ["systemd-socket-activate", "--accept", "--inetd", f"--listen={path}", *self.command]
        running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        ends_s = time.monotonic() + 10
        while not path.exists():
            assert time.monotonic() < ends_s
            time.sleep(0.01)
        yield path
        running.terminate()
        running.wait()


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_networks_are_listed_once_each_the_joined_one_and_the_strongest_first(box: Box) -> None:
    assert box.ask(do="list")["networks"] == [
        {"name": "Old house", "signal": 71, "kind": "password", "joined": True},
        {"name": "a:b\\c", "signal": 80, "kind": "password", "joined": False},
        {"name": "Café", "signal": 40, "kind": "open", "joined": False},
        {"name": "Office", "signal": 30, "kind": "other", "joined": False},
        {"name": "Attic", "signal": 20, "kind": "other", "joined": False},
    ]


@pytest.mark.parametrize(
    ("world", "code"),
    [({"devices": "ethernet"}, "no_device"), ({"radio": "disabled"}, "off"), ({"code": 8}, "no_manager")],
)
@pytest.mark.parametrize("do", ["list", "join"])
def test_a_box_that_cannot_says_why_and_makes_no_checkpoint(
    box: Box, world: dict[str, Any], code: str, do: str
) -> None:
    box.world |= world
    assert box.ask(do=do, network="Old house", password=SECRET) == {"error": code}
    assert box.methods == []


def test_a_network_is_joined_behind_a_checkpoint_and_kept_when_that_is_said(box: Box) -> None:
    assert box.join("Old house") == {"joined": "Old house"}
    assert box.methods == ["CheckpointCreate", "CheckpointAdjustRollbackTimeout"]
    assert box.may_go_back
    assert box.ask(do="keep") == {"kept": True}
    assert not box.may_go_back
    assert box.ask(do="keep") == {"error": "nothing"}


def test_the_password_is_in_no_argument_no_file_and_no_answer(box: Box) -> None:
    for password in (SECRET, "wrong horse"):
        assert password not in json.dumps(box.join("Old house", password))
        box.ask(do="keep")
    written = [file.read_text() for file in box.folder.iterdir() if file.name != "world"]  # which is the router's
    assert not [text for text in written if "horse" in text]


def test_an_open_network_and_an_odd_name(box: Box) -> None:
    assert box.join("Café", "") == {"joined": "Café"}
    assert not any("--ask" in words for words in box.noted)
    box.ask(do="keep")
    assert box.join("-- odd") == {"joined": "-- odd"}


@pytest.mark.parametrize(
    ("network", "password", "code"),
    [("Old house", "wrong horse", "password"), ("Nowhere", SECRET, "absent")],
)
def test_what_is_not_joined_is_gone_back_from_at_once(box: Box, network: str, password: str, code: str) -> None:
    assert box.join(network, password) == {"error": code}
    assert box.methods[-1] == "CheckpointRollback"
    assert (box.may_go_back, box.note.exists()) == (False, False)
    assert box.ask(do="keep") == {"error": "nothing"}


def test_what_takes_too_long_is_gone_back_from(box: Box) -> None:
    box.world["takes_s"] = 30
    assert box.join("Old house") == {"error": "slow"}
    assert box.methods[-1] == "CheckpointRollback"


def test_nobody_joins_another_one_before_that_is_kept_or_gone_back_from(box: Box) -> None:
    box.join("Old house")
    assert box.join("Café", "") == {"error": "busy"}
    assert box.ask(do="keep") == {"kept": True}
    assert box.join("Café", "") == {"joined": "Café"}


def test_what_networkmanager_has_gone_back_from_is_not_kept(box: Box) -> None:
    box.join("Old house")
    (box.folder / "checkpoint").unlink()
    assert box.ask(do="keep") == {"error": "nothing"}


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"[]\n",
        b"nonsense\n",
        b'{"do": "dance"}\n',
        b'{"do": ["join"]}\n',
        b'{"do": "join"}\n',
        b'{"do": "join", "network": "x", "password": "short"}\n',
        b'{"do": "join", "network": "", "password": "long enough"}\n',
        b'{"do": "join", "network": "a\\nb", "password": "long enough"}\n',
        b'{"do": "join", "network": "x", "password": "two\\nlines here"}\n',
        b'{"do": "join", "network": "123456789012345678901234567890123", "password": "long enough"}\n',
        b'{"do": "join", "network": 7, "password": "long enough"}\n',
        b"\0" * 1_000_000,
        b"\xff\xfe\n",
    ],
)
def test_anything_else_is_refused_and_asks_networkmanager_for_nothing(box: Box, line: bytes) -> None:
    assert box.ask(line) == {"error": "wrong"}
    assert box.noted == []


def test_the_hub_lists_joins_and_keeps(box: Box, caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level("DEBUG"),
        box.at_a_socket() as path,
        RunningHub(box.folder) as hub,
        hub.client("owner") as owner,
    ):
        hub.hub.wifi = path
        listed = owner.get(V0).json()["networks"]
        assert [each["name"] for each in listed][:2] == ["Old house", "a:b\\c"]
        wrong = owner.post(f"{V0}/join", json={"network": "Old house", "password": "wrong horse"})
        assert (wrong.status_code, wrong.json()["kind"], bool(wrong.json()["remedy"])) == (409, "wifi_password", True)
        body = {"network": "Old house", "password": SECRET}
        assert owner.post(f"{V0}/join", json=body, headers={"Idempotency-Key": "1"}).json() == {"joined": "Old house"}
        assert owner.post(f"{V0}/keep").status_code == 200
        assert owner.post(f"{V0}/keep").json()["kind"] == "wifi_nothing"
        short = owner.post(f"{V0}/join", json={"network": "x", "password": "zebra"})
        assert (short.status_code, "zebra" in short.text) == (422, False)
        assert owner.post(f"{V0}/join", json={"network": "x", "password": "s" * 65}).status_code == 422
    assert SECRET not in caplog.text
    assert not [file for file in hub.folder.iterdir() if SECRET.encode() in file.read_bytes()]


def test_where_nothing_listens_the_hub_says_what_to_do(tmp_path: Path) -> None:
    with RunningHub(tmp_path) as hub, hub.client("owner") as owner:
        hub.hub.wifi = tmp_path / "nowhere"
        told = owner.get(V0)
        assert (told.status_code, told.json()["kind"]) == (503, "missing")
        assert "nmtui" in told.json()["remedy"]
