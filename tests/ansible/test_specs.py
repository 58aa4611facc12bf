"""Every variable of the role is declared, has its default, and is used; so are those that the example boxes set."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

ANSIBLE = Path(__file__).parents[2] / "ansible"
ROLE = ANSIBLE / "roles/voice_appliance"


def read(file: Path) -> dict[str, Any]:
    content = yaml.safe_load(file.read_text())
    assert isinstance(content, dict)
    return content


SPECS = read(ROLE / "meta/argument_specs.yml")["argument_specs"]
OPTIONS = SPECS["main"]["options"]
DEFAULTS = read(ROLE / "defaults/main.yml")
SYSTEMS = [read(file) for file in (ROLE / "vars").glob("*.yml")]


def test_every_default_is_declared_and_every_declared_one_has_its_default() -> None:
    assert OPTIONS.keys() == DEFAULTS.keys()
    assert SPECS["rollback"]["options"] == OPTIONS
    stated = {name: option["default"] for name, option in OPTIONS.items() if "default" in option}
    assert stated == {name: DEFAULTS[name] for name in stated}, "two places for a default, and they differ"


def test_every_variable_is_used() -> None:
    text = "".join(file.read_text() for part in ("tasks", "templates", "handlers") for file in (ROLE / part).iterdir())
    assert {name for name in DEFAULTS if not re.search(rf"\b{name}\b", text)} == set()


def test_systems_say_the_same_things() -> None:
    assert len(SYSTEMS) >= 3
    assert {frozenset(system) for system in SYSTEMS} == {frozenset(SYSTEMS[0])}


def test_example_boxes_set_what_there_is() -> None:
    for file in (ANSIBLE / "inventory/host_vars").glob("*.yml"):
        assert read(file).keys() <= OPTIONS.keys()
