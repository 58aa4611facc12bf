"""README and docs/ tell of every verb, setting, tool and make target there is, and lead nowhere in vain."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

from appliance.boards import profiles
from appliance.settings import Settings
from appliance.simulated import skill_context
from appliance.skills.loader import load
from appliance.skills.verbs import actions

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DOCS = "\n".join(page.read_text() for page in PAGES)
SKILLS = load(skill_context())
TOOLS = [tool.name for tool in (*SKILLS.for_model(), *SKILLS.commands())]


def settings_of(model: type[BaseModel]) -> list[str]:
    names = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        names += settings_of(kind) if isinstance(kind, type) and issubclass(kind, BaseModel) else [name]
    return names


@pytest.mark.parametrize("name", sorted({*settings_of(Settings), *profiles()}))
def test_setting_is_documented(name: str) -> None:
    assert re.search(rf"\b{name}\b", DOCS)


@pytest.mark.parametrize("name", TOOLS)
def test_tool_is_documented(name: str) -> None:
    assert f"`{name}`" in DOCS, "name it under Tools in docs/reference.md"


@pytest.mark.parametrize(
    ("skill", "action"), [(skill.name, name) for skill in (*SKILLS.on, *SKILLS.absent) for name in actions(skill)]
)
def test_action_is_documented(skill: str, action: str) -> None:
    [row] = re.findall(rf"^\| `{skill}` \| (.*) \|$", (ROOT / "docs/reference.md").read_text(), re.MULTILINE)
    assert re.search(rf"`{action}[` ]", row), "name it under Commands to a skill in docs/reference.md"


def test_every_tool_was_found() -> None:
    assert len(TOOLS) >= 17


def test_verbs_are_documented() -> None:
    help_ = subprocess.run([sys.executable, "-m", "appliance", "--help"], capture_output=True, text=True, check=True)
    verbs = re.findall(r"^    (\w+)  ", help_.stdout, re.MULTILINE)
    assert len(verbs) >= 8
    for verb in verbs:
        assert f"`appliance {verb}" in DOCS


def test_make_targets_are_documented() -> None:
    targets = re.findall(r"^(\w+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in set(targets) - {"help"}:
        assert re.search(rf"\b{target}\b", DOCS), target


def test_settings_page_is_as_made() -> None:
    made = subprocess.run([sys.executable, ROOT / "docs/make_settings.py"], capture_output=True, text=True, check=True)
    assert made.stdout == (ROOT / "docs/settings.md").read_text(), "python docs/make_settings.py > docs/settings.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:appliance|models|tests|bench|systemd)/[\w./-]+)`", DOCS)))
)
def test_path_in_the_docs_is_there(path: str) -> None:
    assert (ROOT / path).exists()
