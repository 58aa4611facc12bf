"""models/artefacts.toml lists every binary that git holds, and what makes it again is there."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LISTED: list[dict[str, Any]] = tomllib.loads((ROOT / "models/artefacts.toml").read_text())["artefact"]
MADE = [each for each in LISTED if "make" in each]
CARDS = [path.read_text() for path in (ROOT / "models/cards").glob("*.md")]
DATA = ("models/training/*", "appliance/skills/*/offer/*")
"""Where what the makers learn from lies."""
KEYS = {"name", "path", "bytes", "sha256", "licence"}


def listed_by_git(*options: str) -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("this copy is not a git checkout")
    command = ["git", "ls-files", "-z", *options]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return told.rstrip("\0").split("\0")


def binaries() -> set[str]:
    """Those that git holds, told from text as git tells them: by their bytes."""
    rows = (row.split("\t") for row in listed_by_git("--eol"))
    return {path for told, path in rows if told.startswith("i/-text")}


def entry(path: str) -> dict[str, Any]:
    body = (ROOT / path).read_bytes()
    return {"path": path, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}


def test_every_binary_in_git_is_listed_and_nothing_else() -> None:
    found = [entry(path) for path in sorted(binaries())]
    listed = [{key: each[key] for key in ("path", "bytes", "sha256")} for each in LISTED]
    assert sorted(listed, key=lambda each: str(each["path"])) == found


@pytest.mark.parametrize("each", LISTED, ids=lambda each: each["name"])
def test_an_entry_says_where_it_comes_from(each: dict[str, Any]) -> None:
    assert each.keys() >= KEYS
    assert each.keys() - KEYS in ({"make", "data"}, {"make", "data", "differs"}, {"source"})


def test_names_are_used_once() -> None:
    assert len({each["name"] for each in LISTED}) == len(LISTED)


@pytest.mark.parametrize("each", MADE, ids=lambda each: each["name"])
def test_the_command_its_card_and_its_data_are_there(each: dict[str, Any]) -> None:
    python, option, module, *_ = each["make"].split()
    assert (python, option) == ("python", "-m")
    assert importlib.util.find_spec(module)
    assert any(each["make"] in card for card in CARDS)
    held = listed_by_git()
    for data in each["data"]:
        assert any(fnmatch(data, place) for place in DATA), data
        assert any(fnmatch(path, data) for path in held), data
