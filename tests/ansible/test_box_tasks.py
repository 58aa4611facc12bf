"""Single tasks of the role that set up a box beside its release: its memory, the disk for it, a Python, the mixer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playing import ROOT
from task_box import Box

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
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


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


AMIXER = """#!/bin/sh
echo "$*" >>/opt/calls
[ "$2" = Headset ] || { echo "Invalid card number" >&2; exit 1; }
[ "$3" = sget ] || { shift 4; echo "$*" >/opt/level; }
cat /opt/level
"""


def test_mixer_is_set_to_what_the_box_is_to_have(box: Box) -> None:
    for name, text in (("amixer", AMIXER), ("alsactl", '#!/bin/sh\necho "alsactl $*" >>/opt/calls\n')):
        (box.folder / "local" / name).write_text(text)
        (box.folder / "local" / name).chmod(0o755)
    calls = box.folder / "opt/calls"
    (box.folder / "opt/level").write_text("12%\n")
    mixer = {"Headset": [{"control": "Mic Boost", "level": "90% cap"}]}
    for changed in (True, False):
        calls.write_text("")
        worked, text = box.play("mixer.yml", voice_appliance_mixer=mixer)
        assert worked, text
        assert ("changed=0" in text) is not changed, text
        asked = ["--card Headset sget Mic Boost", "--card Headset sset Mic Boost 90% cap"]
        assert calls.read_text().splitlines() == asked + (["alsactl store"] if changed else [])
    worked, text = box.play("mixer.yml", voice_appliance_mixer={"HDMI": mixer["Headset"]})
    assert not worked
    assert "Invalid card number" in text
    assert "amixer --card NAME scontents" in text
