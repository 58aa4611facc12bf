"""Who may import whom: the arrows of the real tree, against the map of the house."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import appliance
from appliance.simulated import skill_context
from appliance.skills.loader import load

ROOT = Path(appliance.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
HALLWAY = {"audio", "boards", "errors", "events", "json_lines", "machine", "ports", "records", "retries", "settings"}
HALLWAY |= {"settings_bridge", "settings_channels", "settings_hub", "settings_thought", "wording"}
ROOMS = {"body", "bridge", "doors", "ears", "hub", "language", "llm", "memory", "models", "reply", "safety", "service"}
ROOMS |= {"skills", "stt", "terminal", "tts"}
ENTRANCE = {"__main__", "build", "cli"}
"""Only these may know every room."""
SHARED: dict[str, set[str]] = {
    "llm": {"reply"},
    "reply": {"language", "safety"},
    "skills": {"language"},
    "terminal": {"models", "service", "simulated"},
    "tts": {"language"},
}
"""Room -> what it may know beside the hallway and itself. `reply` is known by `llm` for its grammar and plan alone."""
CORNERS = {"understanding": {"languages"}}
"""Folder in `reply` -> what of that room it may know; never what takes it for a turn."""
DRAWS = {"terminal.picture": "PIL", "terminal.progress": "rich"}
"""Module -> the package it draws with, which a service has no memory to spare for."""
HALLWAY |= {"whole_file", "choices_file", "settings_body", "settings_boxes", "settings_choices", "settings_node"}
HALLWAY |= {"settings_speaker"}
ROOMS |= {"hub", "node"}
PLACES = ROOMS | {file.relative_to(ROOT).with_suffix("").parts[0] for file in FILES}


def place(file: Path) -> str:
    """The room a file lies in, or its own name at the top."""
    return file.relative_to(ROOT).with_suffix("").parts[0]


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written from the top"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def arrows(file: Path) -> set[str]:
    """The places in the house that a file imports."""
    named = [name.split(".") for name in imports(ast.parse(file.read_text()))]
    return {parts[1] for parts in named if parts[0] == "appliance" and parts[1] in PLACES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_nothing_imports_against_the_map(file: Path) -> None:
    here, there = place(file), arrows(file)
    if here in ENTRANCE:
        return
    assert not there & ENTRANCE, "only an entrance, tests and bench import these"
    if here in ROOMS:
        assert there <= HALLWAY | {here} | SHARED.get(here, set()), "a room needs another room: name it as a port"
    elif here in HALLWAY:
        assert there <= HALLWAY
    else:
        assert not there & ROOMS, "the rooms are handed over by build"


@pytest.mark.parametrize("corner", CORNERS)
def test_a_corner_of_the_reply_knows_no_more_of_it_than_it_needs(corner: str) -> None:
    known = {
        parts[2]
        for file in (ROOT / "reply" / corner).glob("*.py")
        for name in imports(ast.parse(file.read_text()))
        if (parts := name.split("."))[:2] == ["appliance", "reply"]
    }
    assert known - {corner} == CORNERS[corner]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_stand_at_the_top_and_only_the_cli_prints(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef) and place(file) != "build":
            assert not list(imports(node)), f"{node.name} imports; only build picks adapters as it runs"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print" or place(file) == "cli", f"line {node.lineno} prints"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_draws_is_loaded_by_build_as_it_runs(file: Path) -> None:
    at_the_top = ast.Module([node for node in ast.parse(file.read_text()).body if not is_function(node)], [])
    named = {name.removeprefix("appliance.") for name in imports(at_the_top)}
    drawn = {thing for thing in {*DRAWS, *DRAWS.values()} if any(f"{name}.".startswith(f"{thing}.") for name in named)}
    assert drawn <= {DRAWS.get(str(file.relative_to(ROOT).with_suffix("")).replace("/", "."))}


def is_function(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef)


def test_a_service_has_nothing_to_draw_with() -> None:
    """But for httpx, which brings rich where a model server is set."""
    loads = "import sys, appliance.build.adapters, appliance.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True, cwd=ROOT.parent)
    assert {*DRAWS.values(), "appliance.terminal.simulate"}.isdisjoint(done.stdout.split())


def test_the_map_names_what_is_there() -> None:
    folders = {folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").exists()}
    assert folders <= ROOMS | {"build", "cli", "ports", "simulated", "wording"}
    assert not HALLWAY - {place(file) for file in FILES}
    assert {file.parent.name for file in (ROOT / "reply").glob("*/*.py")} == CORNERS.keys()


CHOICES = {"update_memory"}
"""Also what the final step of a turn may choose (prompts/choices.yaml), which is no tool."""


def test_no_tool_is_named_outside_the_skills() -> None:
    """A tool comes with its skill alone. Names of one word ("stop", "recall") are words as well, and not looked for."""
    board = load(skill_context())
    names = {tool.name for tool in (*board.for_model(), *board.commands()) if "_" in tool.name} - CHOICES
    others = [file for file in FILES if place(file) not in ("skills", "simulated")]
    assert len(names) > 10
    for file in others:
        written = {node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant)}
        assert not names & written, file
