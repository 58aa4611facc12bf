"""Nothing that runs as root reaches into a folder that the service's user can write: it may have put links there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from as_root import PYTHON, SYSTEMD, UID, Namespace

SERVICES = [each.name for each in SYSTEMD.glob("*.service")]


@pytest.fixture
def box(tmp_path: Path) -> Namespace:
    (tmp_path / "box").mkdir()
    return Namespace(tmp_path / "box")


@pytest.mark.parametrize("name", ["snapshots", ".turn"])
def test_canned_turn_leaves_what_a_link_leads_to_as_it_is(box: Namespace, name: str) -> None:
    victim = box.folder / "opt/victim"
    victim.mkdir(mode=0o755)
    (victim / "kept").touch()
    (box.state / name).symlink_to("/opt/victim")
    done = box.run(SYSTEMD / "release", "check", "turn")
    assert done.returncode == 0, done.stderr
    assert (victim.stat().st_uid, victim.stat().st_mode & 0o777) == (0, 0o755)
    assert [each.name for each in victim.iterdir()] == ["kept"]
    assert [call.split()[0] for call in box.calls] == [str(UID)]


def test_doctor_of_the_gate_sees_what_the_service_sees(box: Namespace) -> None:
    assert box.run(SYSTEMD / "release", "check", "doctor").returncode == 0
    assert box.calls == [f"{UID} -I -m appliance doctor --json"]


@pytest.mark.parametrize(
    ("words", "user"),
    [
        ("ask what time is it", UID),
        ("doctor", UID),
        ("timers --json", UID),
        ("models list", UID),
        ("say models fetch", UID),
        ("models fetch", 0),
        ("models verify --json", 0),
    ],
)
def test_command_keeps_roots_rights_only_to_bring_models(box: Namespace, words: str, user: int) -> None:
    done = box.run("/usr/local/bin/appliance", *words.split())
    assert done.returncode == 0, done.stderr
    assert box.calls == [f"{user} -I -m appliance {words}"]


def test_support_reads_the_journal_as_root_and_writes_as_the_services_user(box: Namespace) -> None:
    (box.release / "bin/python").write_text(f"{PYTHON}cat >>/opt/calls\n")
    journal = box.folder / "local/bin/journalctl"
    journal.write_text('#!/bin/sh\necho "of $(id -u)"\n')
    journal.chmod(0o755)
    done = box.run("/usr/bin/env", "PATH=/usr/local/bin:/usr/bin:/bin", "appliance", "support", "--out", "x.tar.gz")
    assert done.returncode == 0, done.stderr
    assert box.calls == [f"{UID} -I -m appliance support --journal --out x.tar.gz", "of 0"]


@pytest.mark.parametrize("unit", SERVICES)
def test_socket_lies_where_only_root_may_put_a_link(unit: str) -> None:
    """systemd makes it, and gives it to its group, as root."""
    listens = re.findall(r"^ListenStream=(/.*)/", (SYSTEMD / "va-api.socket").read_text(), re.MULTILINE)
    own = re.findall(r"^RuntimeDirectory=(.*)$", (SYSTEMD / unit).read_text(), re.MULTILINE)
    assert listens
    assert not {f"/run/{name}" for name in own} & set(listens)
    assert f"d {listens[0]} 0755 root root -" in re.sub(" +", " ", (SYSTEMD / "tmpfiles.conf").read_text())
