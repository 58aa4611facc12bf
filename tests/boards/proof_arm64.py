"""The proof for arm64, by `make board-test`: on a bare Debian 12 under qemu-user every wheel goes in, and works.

Named so that pytest collects it only when told: it needs root, the wheels of `make wheels`, and minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import emulated
import pytest
import wheels

from appliance import settings_file
from bench import machine, results

ROOT = Path(__file__).parents[2]
STORE = settings_file.load().models
MODELS = {"llm": "smollm2-135m", "stt": "whisper-tiny.en"}
BOARDS = ("pi4-cp311", "pi5-cp311")
FEATURES = {"pi4-cp311": {"DOTPROD": False, "FP16_VA": False}, "pi5-cp311": {"DOTPROD": True, "FP16_VA": True}}
ILLEGAL = (-4, 128 + 4)
"""How a process ends that used an instruction its processor has not: directly, and told by a shell."""
Box = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def system() -> Iterator[Path]:
    if todo := emulated.missing():
        pytest.fail(f"nothing is proven here: {todo}")
    with emulated.emulation():
        yield emulated.debian("bookworm")


@pytest.fixture(scope="module")
def row(model: Callable[..., Path]) -> Iterator[results.Row]:
    """Written when a board has its part; one more on the same day joins it, each with the commit it was seen at."""
    qemu = subprocess.run(["qemu-aarch64-static", "--version"], capture_output=True, text=True, check=True)
    begun: results.Row = {
        "date": machine.today(),
        "machine": machine.name(),
        "commit": machine.commit(),
        "models": {role: model(name).parent.name for role, name in MODELS.items()},
        "host": machine.describe(),
        "emulator": qemu.stdout.splitlines()[0],
        "system": "Debian 12, arm64",
        "boards": {},
    }
    before = results.latest("boards")
    if before and before["date"] == begun["date"]:
        begun["boards"] = before["boards"]
    yield begun
    if begun["boards"]:
        results.save(begun, "boards")


@pytest.fixture
def box(system: Path) -> Box:
    """`box(board, *command)` in the system, with the board's wheels and on its processor unless another is named."""

    def run(name: str, *command: str, cpu: str = "") -> subprocess.CompletedProcess[str]:
        aim = wheels.target(name)
        if not aim.folder.exists():
            pytest.fail(f"there are no wheels for {name}: make wheels BOARD={name}")
        places = {aim.folder: "/wheels", ROOT: "/checkout", STORE: "/models"}
        return emulated.run(system, cpu or aim.qemu, places, *command)

    return run


def task(model: Callable[..., Path], checkout: str, store: str) -> list[str]:
    """What is done with the wheels, after the name of a Python, where these folders are."""
    models = [f"{store}/{model(name).relative_to(STORE)}" for name in MODELS.values()]
    return [f"{checkout}/tests/boards/on_board.py", *models, f"{checkout}/tests/recordings/stop.wav"]


def works(box: Box, model: Callable[..., Path], name: str, cpu: str = "") -> subprocess.CompletedProcess[str]:
    environment = ["env", "PYTHONPATH=/checkout", "PYTHONDONTWRITEBYTECODE=1"]
    return box(name, *environment, f"/{name}/bin/python", *task(model, "/checkout", "/models"), "libraries", cpu=cpu)


@pytest.fixture(scope="module")
def here(model: Callable[..., Path]) -> Any:
    """What this machine says to the same task."""
    command = [sys.executable, *task(model, str(ROOT), str(STORE))]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", BOARDS)
def test_a_bare_box_installs_all_of_it_offline_writes_and_hears(
    box: Box, model: Callable[..., Path], row: results.Row, here: Any, name: str
) -> None:
    started_s = time.monotonic()
    locked = ["--no-index", "--find-links", "/wheels", "--require-hashes", "-r", "/wheels/requirements.txt"]
    for command in (
        ["python3", "-m", "venv", "--clear", f"/{name}"],
        [f"/{name}/bin/pip", "install", "--quiet", "--no-compile", *locked],
    ):
        done = box(name, *command)
        assert done.returncode == 0, done.stdout + done.stderr
    installed_s = time.monotonic() - started_s
    done = works(box, model, name)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["machine"] == "aarch64"
    assert found["wrote"] == here["wrote"] != ""
    assert found["heard"] == here["heard"] == "Stop."
    assert found["modules"] > len(wheels.compiled())
    features = found["llama_cpp"]
    assert {key: f"{key} = 1" in features for key in FEATURES[name]} == FEATURES[name], features
    found["seconds"]["install"] = round(installed_s, 1)
    count = len(list(wheels.target(name).folder.glob("*.whl")))
    row["boards"][name] = found | {"commit": row["commit"], "cpu": wheels.target(name).qemu, "wheels": count}


def test_the_wheels_of_a_pi_5_fail_on_a_pi_4(box: Box, model: Callable[..., Path]) -> None:
    """So that the proof can fail: they do use what only the newer processor has."""
    done = works(box, model, "pi5-cp311", cpu=wheels.target("pi4-cp311").qemu)
    assert done.returncode in ILLEGAL, done.stdout + done.stderr
