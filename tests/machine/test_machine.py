"""The role on a whole machine: from a bare Debian to an answer, then what goes wrong with a box, in this order.

Times of the box are by its own clock (vm.py); those of a whole run of the playbook by the host's.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fresh
import pytest
import releases
import vm

from appliance import settings_file
from bench import results

MODELS = {"llm": "qwen2.5-coder-0.5b", "stt": "whisper-tiny.en"}
SETTINGS: dict[str, Any] = {
    "thought": {"model": MODELS["llm"], "threads": 1, "threads_batch": 1},
    "words": {"model": MODELS["stt"], "threads": 1},
    "voice": {"threads": 1},
}
"""The small models, and the one core."""
VARIABLES = {
    "voice_appliance_store": str(settings_file.load().models),
    "voice_appliance_settings": SETTINGS,
    "voice_appliance_ram_min_mb": 1_800,
    "voice_appliance_gate_ignores": ["microphone"],  # snd-aloop gives zeros: nobody plays into its other end
}
PLAY_S = 1_800
READY_S = 15
"""Of the plan: a killed service would answer again so soon."""
HUNG_S = 30
"""Of the plan: a service that hangs is started again so soon."""
RECOVERED_S = 300

ASK = """
import socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect("/run/va/api.sock")
line.sendall(b"GET %s HTTP/1.1\\r\\n\\r\\n" % sys.argv[1].encode())
print(line.makefile().read().strip())
"""
"""A bare Debian has no curl."""

pytestmark = pytest.mark.vm


@pytest.fixture(scope="module")
def row() -> Iterator[results.Row]:
    with fresh.row("vm", models=MODELS) as begun:
        yield begun


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[vm.Machine]:
    """Switched on, and nothing but what the card holds."""
    with fresh.box(tmp_path_factory.mktemp("machine")) as made:
        made.start()
        made.wait("true")
        yield made


def shown(box: vm.Machine, *names: str) -> dict[str, str]:
    """Properties of the service, as systemd has them."""
    lines = box.run(f"systemctl show va.service {' '.join(f'-p {name}' for name in names)}").splitlines()
    return dict(line.split("=", 1) for line in lines)


def moment_s(box: vm.Machine, name: str) -> float:
    """Of the service's life, on the box's monotonic clock."""
    return int(shown(box, f"{name}TimestampMonotonic")[f"{name}TimestampMonotonic"]) / 1e6


def now_s(box: vm.Machine, command: str) -> float:
    """The box's monotonic clock just before a command."""
    return float(box.run(f"cut -d' ' -f1 /proc/uptime; {command}").split()[0])


def restarted(box: vm.Machine, before: str) -> None:
    box.wait(f'test "$(systemctl show va.service -P NRestarts)" -gt {before}', RECOVERED_S)
    box.wait("systemctl --quiet is-active va.service", RECOVERED_S)


def health(box: vm.Machine, target: str) -> dict[str, Any]:
    """What the box's API says there."""
    told: dict[str, Any] = json.loads(box.run(f"python3 - {target}", sent=ASK).splitlines()[-1])
    return told


def is_ready(box: vm.Machine) -> bool:
    """But for the digital silence that its sound card gives."""
    told = health(box, "/readyz")
    return bool(told["ready"]) or "digital silence" in told["trouble"]


def play(box: vm.Machine) -> dict[str, Any]:
    """One run of the playbook: its seconds and what it changed. Fails with its words."""
    began_s = time.monotonic()
    played = box.play("site", VARIABLES, PLAY_S)
    assert played.worked, played.text
    return {"s": round(time.monotonic() - began_s), "changed": played.changed}


@pytest.fixture(scope="module")
def appliance(box: vm.Machine, row: results.Row) -> vm.Machine:
    """The box after one run of the playbook; where that fails there is nothing to see of the rest."""
    row["runs"] = [play(box)]
    return box


def test_bare_debian_becomes_an_appliance_by_one_run(appliance: vm.Machine) -> None:
    answer = health(appliance, "/readyz")
    assert is_ready(appliance)
    assert appliance.run("readlink /opt/va/current").strip() == f"releases/{answer['release']}"
    assert appliance.run("bash /opt/va/current/systemd/release running").strip() == answer["release"]
    told = json.loads(appliance.run("appliance doctor --json"))
    assert {check["part"] for check in told["checks"] if not check["fine"]} <= {"microphone"}


def test_second_run_changes_nothing(appliance: vm.Machine, row: results.Row) -> None:
    row["runs"].append(play(appliance))
    assert row["runs"][1]["changed"] == 0


def test_broken_release_is_rolled_back(appliance: vm.Machine, row: results.Row, tmp_path: Path) -> None:
    broken = releases.make(tmp_path, "2", **releases.BROKEN)
    before = appliance.run("readlink /opt/va/current").strip()
    began_s = time.monotonic()
    played = appliance.play("update", VARIABLES | releases.variables(broken), PLAY_S)
    row["broken"] = {"s": round(time.monotonic() - began_s)}
    assert not played.worked
    assert releases.FAULT in played.text
    assert f"Release {Path(before).name} is in use again" in played.text
    assert appliance.run("readlink /opt/va/current").strip() == before
    appliance.wait("systemctl --quiet is-active va.service", RECOVERED_S)
    assert is_ready(appliance)


def test_it_answers_a_spoken_turn(appliance: vm.Machine, row: results.Row) -> None:
    record = json.loads(appliance.run("bash /opt/va/current/systemd/release check turn", PLAY_S).splitlines()[-1])
    row["turn"] = {name: record[name] for name in ("heard", "said", "outcome")}
    assert "17 times 23" in record["heard"]
    assert "391" in record["said"]


def struck(box: vm.Machine, signal: str) -> dict[str, float]:
    """Send the service a signal, and see it back: seconds by the box's clock until the next was started, and ready."""
    before = shown(box, "NRestarts")["NRestarts"]
    struck_s = now_s(box, f"systemctl kill --kill-whom=main --signal={signal} va.service")
    time.sleep(READY_S)  # a look at the box costs its one core a second
    restarted(box, before)
    assert is_ready(box)
    moments = {"started_s": "ExecMainStart", "ready_s": "ActiveEnter"}
    return {name: round(moment_s(box, moment) - struck_s, 1) for name, moment in moments.items()}


def test_killed_service_is_ready_again_soon(appliance: vm.Machine, row: results.Row) -> None:
    row["killed"] = struck(appliance, "KILL")
    assert row["killed"]["ready_s"] <= READY_S


def test_service_that_hangs_is_started_again(appliance: vm.Machine, row: results.Row) -> None:
    row["hung"] = struck(appliance, "STOP")
    assert "Watchdog timeout" in appliance.run("journalctl --unit=va.service --no-pager --output=cat")
    assert row["hung"]["started_s"] <= HUNG_S


def test_appliance_is_well_after_its_cord_was_pulled(appliance: vm.Machine, row: results.Row) -> None:
    """Without a warning, in the midst of everything. What timers cost is in test_power.py."""
    appliance.cut()
    appliance.start()
    appliance.wait("systemctl --quiet is-active va.service", RECOVERED_S)
    row["started"] = {"ready_s": round(moment_s(appliance, "ActiveEnter"), 1)}
    assert is_ready(appliance)
    assert appliance.run("journalctl --unit=va-degraded.service --no-pager --output=cat --quiet") == ""
