"""Single tasks of the role, played by ansible on this machine in a namespace with folders of the test."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import ENVIRONMENT, ROOT, ansible_playbook

MOUNTED = """
mount --make-rprivate /
for name in srv run opt; do mount --bind "$0/$name" "/$name"; done
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/etc,workdir=$0/work" /etc
mount -t overlay overlay -o "lowerdir=/usr/local/bin,upperdir=$0/local,workdir=$0/work2" /usr/local/bin
mkdir -p /etc/voice-appliance
exec "$@"
"""
PIECE = 64 * 1024 * 1024


class Box:
    def __init__(self, folder: Path) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can make the namespace")
        self.folder = folder
        for name in ("srv/va/models", "run/va", "opt", "etc", "work", "local", "work2", "store"):
            (folder / name).mkdir(parents=True)

        self.own = {"voice_appliance_repository": str(folder), "voice_appliance_store": str(folder / "store")}

    def play(self, tasks: str, **variables: Any) -> tuple[bool, str]:
        """Whether the run worked, and what it wrote."""
        play = [{
            "hosts": "localhost", "connection": "local", "gather_facts": False,
            "vars": self.own | variables,
            "tasks": [
                {"ansible.builtin.include_role": {"name": "voice_appliance", "tasks_from": tasks}},
                {"ansible.builtin.debug": {"msg": "WENT ON"}},
            ],
        }]  # fmt: skip
        (self.folder / "play.yml").write_text(json.dumps(play))
        (self.folder / "build").mkdir(exist_ok=True)
        (self.folder / "systemd").mkdir(exist_ok=True)
        (self.folder / "systemd/config.toml").touch()
        entered = ["unshare", "--mount", "sh", "-ec", MOUNTED, str(self.folder)]
        done = subprocess.run(
            [*entered, ansible_playbook(), str(self.folder / "play.yml")],
            cwd=ROOT / "ansible", env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def service(box: Box) -> Iterator[dict[str, Any]]:
    """What /readyz of the box says, as long as the test lasts."""
    told: dict[str, Any] = {}
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(box.folder / "run/va/api.sock"))
    listener.listen()

    def serve() -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            with caller:
                caller.recv(4_096)
                body = json.dumps(told)
                head = f"HTTP/1.1 503 Unavailable\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                caller.sendall(f"{head}Connection: close\r\n\r\n{body}".encode())

    threading.Thread(target=serve, daemon=True).start()
    yield told
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


UPDATE = {"voice_appliance_release": "2", "voice_appliance_before": "1", "voice_appliance_patience_s": 10}


@pytest.mark.parametrize(
    ("state", "next_ring_s", "goes_on"),
    [("idle", None, True), ("idle", 4_000, True), ("idle", 120, False), ("speaking", None, False)],
)
def test_update_waits_for_a_timer_and_for_a_turn_or_passes_the_box_over(
    box: Box, service: dict[str, Any], state: str, next_ring_s: int | None, goes_on: bool
) -> None:
    service |= {"state": state, "next_ring_s": next_ring_s}
    worked, text = box.play("quiet.yml", **UPDATE)
    assert worked, text
    assert ("WENT ON" in text) is goes_on, text
    assert ("Passed over" in text) is not goes_on, text


def test_box_whose_service_does_not_answer_is_not_waited_for(box: Box) -> None:
    worked, text = box.play("quiet.yml", **UPDATE)
    assert worked, text
    assert "WENT ON" in text


def test_second_admin_is_told_of_the_first(box: Box) -> None:
    assert box.play("lock.yml")[0]
    worked, text = box.play("lock.yml")
    assert not worked
    assert "Another run works on this box, by " in text
    assert box.play("unlock.yml")[0]
    assert box.play("lock.yml")[0]


def test_settings_of_a_box_lie_over_the_shared_ones(box: Box) -> None:
    python = box.folder / "opt/va/releases/2/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/bin/true")
    shared, own = {"place": "Ulm", "sound": {"speaker": "USB", "retry_s": 2}}, {"sound": {"retry_s": 5}}
    worked, text = box.play(
        "settings.yml",
        voice_appliance_release="2",
        voice_appliance_shared_settings=shared,
        voice_appliance_settings=own,
    )
    assert worked, text
    written = tomllib.loads((box.folder / "etc/voice-appliance/config.toml").read_text())
    assert written == {"place": "Ulm", "sound": {"speaker": "USB", "retry_s": 5}}


class Models:
    """A release that asks for one model of two pieces, which the control machine has."""

    def __init__(self, box: Box) -> None:
        content = b"model" + bytes(PIECE)
        self.sha256, self.box = hashlib.sha256(content).hexdigest(), box
        self.place = box.folder / "srv/va/models" / self.sha256 / "m.gguf"
        self.part = box.folder / f"srv/va/models/.part-{self.sha256}"
        source = box.folder / "store" / self.sha256 / "m.gguf"
        source.parent.mkdir()
        source.write_bytes(content)
        python = box.folder / "opt/va/releases/2/bin/python"
        python.parent.mkdir(parents=True)
        row = json.dumps([{"name": "m", "state": "missing", "files": [[f"{self.sha256}/m.gguf"]]}])
        python.write_text(f"#!/bin/sh\necho '{row}'\n")
        python.chmod(0o755)

    def play(self) -> tuple[bool, str]:
        return self.box.play("models.yml", voice_appliance_release="2")


def test_broken_off_transfer_of_a_model_goes_on_where_it_was(box: Box) -> None:
    models = Models(box)
    models.part.write_bytes((b"model" + bytes(PIECE))[:PIECE])
    worked, text = models.play()
    assert worked, text
    assert hashlib.sha256(models.place.read_bytes()).hexdigest() == models.sha256
    assert "item=2 of 2" in text
    assert "item=1 of 2" not in text
    assert [each.name for each in (box.folder / "srv/va/models").iterdir()] == [models.sha256]


def test_damaged_transfer_is_thrown_away_and_said(box: Box) -> None:
    models = Models(box)
    models.part.write_bytes(b"x" * PIECE)
    worked, text = models.play()
    assert not worked
    assert "came damaged" in text
    assert not models.part.exists()
    assert not models.place.exists()


def test_room_for_the_models_is_asked_for_before_the_first_is_copied(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    models = Models(box)
    (box.folder / "bin").mkdir()
    (box.folder / "bin/df").write_text("#!/bin/sh\necho Avail\necho 60000000\n")
    (box.folder / "bin/df").chmod(0o755)
    monkeypatch.setitem(ENVIRONMENT, "PATH", f"{box.folder / 'bin'}:{ENVIRONMENT['PATH']}")
    worked, text = models.play()
    assert not worked
    assert "The models need 117 MB in /srv/va/models, and 60 MB are free" in " ".join(text.split())
    assert not list((box.folder / "srv/va/models").iterdir())


COPY = "appliance.db.backup-000007-20260504T073000"
PYTHON = f"""#!/bin/sh
id -u >>/opt/calls
case $4 in
    backup) printf memory; echo {COPY} >&2; [ ! -e /opt/fails ] ;;
    restore) cp "$5" /opt/state/ ;;
esac
"""
"""In place of a release's: its memory is one word."""


@pytest.fixture
def remembers(box: Box) -> Box:
    """With the command as it is installed, and the service's user."""
    for name, line in (("passwd", "va:x:4242:4242::/var/lib/va:/usr/sbin/nologin\n"), ("group", "va:x:4242:\n")):
        (box.folder / "etc" / name).write_text(Path("/etc", name).read_text() + line)
    shutil.copy(ROOT / "systemd/appliance", box.folder / "local")
    python = box.folder / "opt/va/releases/2/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(0o755)
    (box.folder / "opt/va/current").symlink_to("releases/2")
    (box.folder / "opt/state").mkdir()
    os.chown(box.folder / "opt/state", 4242, 4242)
    (box.folder / "opt/calls").touch()
    (box.folder / "opt/calls").chmod(0o666)
    box.own |= {"voice_appliance_backups": str(box.folder / "backups"), "voice_appliance_booted": False}
    return box


def test_memory_is_brought_here_by_its_own_user_and_nothing_stays_behind(remembers: Box) -> None:
    worked, text = remembers.play("backup.yml")
    assert worked, text
    brought = remembers.folder / "backups/localhost" / COPY
    assert (brought.read_text(), brought.stat().st_mode & 0o777) == ("memory", 0o600)
    assert (remembers.folder / "opt/calls").read_text().split() == ["4242"]
    assert not (remembers.folder / "run/va-backup.copy").exists()


def test_box_without_a_copy_is_named(remembers: Box) -> None:
    (remembers.folder / "opt/fails").touch()
    worked, text = remembers.play("backup.yml")
    assert not worked
    assert "The box gave no copy of its memory" in text
    assert not (remembers.folder / "backups").exists()
    assert not (remembers.folder / "run/va-backup.copy").exists()


def test_memory_is_given_back_by_its_own_user_and_nothing_stays_behind(remembers: Box) -> None:
    copy = remembers.folder / "backups" / COPY
    copy.parent.mkdir()
    copy.write_text("memory")
    copy.chmod(0o600)
    worked, text = remembers.play("restore.yml", voice_appliance_restore=str(copy))
    assert worked, text
    assert (remembers.folder / "opt/state" / COPY).read_text() == "memory"
    assert (remembers.folder / "opt/calls").read_text().split() == ["4242"]
    assert not (remembers.folder / "run/va-restore").exists()


def test_memory_comes_back_before_anything_of_the_box_starts() -> None:
    switch = (ROOT / "ansible/roles/voice_appliance/tasks/switch.yml").read_text()
    assert re.findall(r"include_tasks: (\w+).yml", switch) == ["settings", "models", "use", "restore", "gate", "undo"]


def test_disk_for_copies_is_mounted_as_it_is_named_or_none(box: Box) -> None:
    unit = box.folder / r"etc/systemd/system/srv-va\x2dbackup.mount"
    box.own["voice_appliance_booted"] = False
    worked, text = box.play("disk.yml", voice_appliance_backup_device="LABEL=VA-BACKUP")
    assert worked, text
    lines = unit.read_text().splitlines()
    assert {"What=LABEL=VA-BACKUP", "Where=/srv/va-backup"} <= set(lines)
    assert "Options=nosuid,nodev,noexec,uid=va,gid=va,umask=077" in lines
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    assert "srv-va" not in verified.stderr, verified.stderr
    assert box.play("disk.yml")[0]
    assert not unit.exists()


def test_python_is_brought_whole_beside_the_systems_or_not_at_all(box: Box) -> None:
    for name, works in (("cpython-3.11.13-good", "true"), ("cpython-3.11.14-bad", "false")):
        python = box.folder / name / "python/bin/python3.11"
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\n{works}\n")
        python.chmod(0o755)
        subprocess.run(["tar", "-czf", f"{python.parents[2]}.tar.gz", "-C", python.parents[2], "python"], check=True)
    brought = {"voice_appliance_system_python": "3.11"}
    for changed in (True, False):
        good = str(box.folder / "cpython-3.11.13-good.tar.gz")
        worked, text = box.play("python.yml", voice_appliance_python=good, **brought)
        assert worked, text
        assert ("changed=0" in text) is not changed, text
    bad = str(box.folder / "cpython-3.11.14-bad.tar.gz")
    assert not box.play("python.yml", voice_appliance_python=bad, **brought)[0]
    assert [each.name for each in box.folder.glob("opt/va/python/[!.]*")] == ["cpython-3.11.13-good"]
