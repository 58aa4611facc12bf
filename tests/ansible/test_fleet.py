"""An update goes through a fleet box by box, and stops where one fails."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from playing import ENVIRONMENT, ROOT, ansible_playbook


def test_boxes_after_one_that_fails_are_left_alone(tmp_path: Path) -> None:
    """Each is an empty folder: nothing can be done on any of them, and only the first is tried."""
    boxes = {name: {"ansible_host": str(tmp_path / name)} for name in ("first", "second", "third")}
    reached = {"ansible_connection": "community.general.chroot", "ansible_user": "root"}
    for name in boxes:
        (tmp_path / name).mkdir()
    inventory = tmp_path / "inventory.json"
    inventory.write_text(json.dumps({"boxes": {"hosts": boxes, "vars": reached}}))
    done = subprocess.run(
        [ansible_playbook(), "--inventory", str(inventory), "playbooks/update.yml"],
        cwd=ROOT / "ansible",
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0
    recap = done.stdout.partition("PLAY RECAP")[2]
    assert "first" in recap
    assert "second" not in recap
    assert "third" not in recap
