"""What is written by hand of a language: no more than is needed, and nothing that no code reads."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import appliance
from appliance.reply.phrases import Phrases
from appliance.reply.understanding.sentence_tables import sentences, spelled
from appliance.reply.understanding.skill_sentences import SECTIONS, with_skills
from appliance.reply.understanding.templates import Templates
from appliance.skills.loader import on_board, sentences_on_board

ROOT = Path(appliance.__file__).parent
REPLY = ROOT / "reply"
LANGUAGES = ("en", "de")
SHARED_BYTES, SKILL_BYTES = 40_000, 11_000
"""Of English sentences and patterns, without what the box says: what all skills share, and what one skill may add."""


class Recorder(dict[str, Any]):
    """Keeps which of its keys were read."""

    def __init__(self, content: dict[str, Any]) -> None:
        super().__init__({key: self._of(value) for key, value in content.items()})
        self.seen: set[str] = set()

    @staticmethod
    def _of(value: Any) -> Any:
        return Recorder(value) if isinstance(value, dict) and value.keys() >= {"between", "verbs"} else value

    def __getitem__(self, key: str) -> Any:
        self.seen.add(key)
        return super().__getitem__(key)


def written(language: str) -> Iterator[Path]:
    """Files of sentences and words that are understood."""
    for folder in (REPLY / "sentences", ROOT / "language" / "data", *_of_skills()):
        if (file := folder / f"{language}.yaml").is_file():
            yield file


def _of_skills() -> Iterator[Path]:
    for folder, _ in on_board():
        yield folder / "sentences"


def test_english_stays_small() -> None:
    sizes = {str(file.relative_to(ROOT)): file.stat().st_size for file in written("en")}
    skills = {name: size for name, size in sizes.items() if name.startswith("skills/")}
    assert len(skills) > 7
    assert max(skills.values()) <= SKILL_BYTES, skills
    assert sum(sizes.values()) - sum(skills.values()) <= SHARED_BYTES, sizes


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_the_sentences_is_read(language: str) -> None:
    content = yaml.safe_load((REPLY / "sentences" / f"{language}.yaml").read_text(encoding="utf-8"))
    data = Recorder(with_skills(content, language, sentences_on_board()))
    Templates(data).vocabulary  # noqa: B018
    assert data.keys() - data.seen == set()
    assert data["repairs"].keys() - data["repairs"].seen == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_rule_and_list_stands_in_a_sentence(language: str) -> None:
    shared = yaml.safe_load((REPLY / "sentences" / f"{language}.yaml").read_text(encoding="utf-8"))
    skills = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in written(language) if _is_of_a_skill(file)]
    for data in skills:
        assert _defined(data) - _named([data[part] for part in ("rules", "requests") if part in data]) == set()
    named = _named([shared["rules"], shared["answers"], shared["stops"], *skills])
    assert _defined(shared) - named == set()


def _is_of_a_skill(file: Path) -> bool:
    return file.parent.name == "sentences" and file.parent.parent != REPLY


def _defined(data: dict[str, Any]) -> set[str]:
    return {name for part in SECTIONS if part != "requests" for name in data.get(part, {})}


def _named(part: Any) -> set[str]:
    """Lists, phrases and rules that sentences refer to."""
    return {name for text in sentences(part) for name in re.findall(r"[{<]@?(\w+)", text)}


def test_every_part_of_a_pattern_is_used() -> None:
    data = yaml.safe_load((REPLY / "sentences" / "en.yaml").read_text(encoding="utf-8"))
    assert data["parts"].keys() == {
        name for table in ("numbered", "rewrites") for name in re.findall(r"<(\w+)>", " ".join(data[table]))
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_of_the_box_is_said_somewhere(language: str) -> None:
    code = "\n".join(file.read_text(encoding="utf-8") for file in REPLY.rglob("*.py"))
    names = yaml.safe_load((REPLY / "wording" / f"{language}.yaml").read_text(encoding="utf-8")).keys()
    wording = names | {"lacks", "absent", "language"}  # the first two are in English where they do not stand there
    assert wording == {field.name for field in dataclasses.fields(Phrases)} - {"asks"}
    assert {name for name in names if not re.search(rf"\.{name}\b", code)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_is_written_twice(language: str) -> None:
    for file in written(language):
        if file.parent.name == "sentences":
            for name, said in yaml.safe_load(file.read_text(encoding="utf-8")).get("phrases", {}).items():
                ways = spelled(said)
                assert len(ways) == len(set(ways)), f"{file}: {name}: {sorted({w for w in ways if ways.count(w) > 1})}"


@pytest.mark.parametrize(
    ("short", "ways"),
    [
        ("met(er|re)[s], m", ["meter", "meters", "metre", "metres", "m"]),
        (
            "hang on[ a second| a sec], [on ]monday",
            ["hang on", "hang on a second", "hang on a sec", "monday", "on monday"],
        ),
        ("plain", ["plain"]),
    ],
)
def test_short_writing_stands_for_every_way(short: str, ways: list[str]) -> None:
    assert spelled(short) == ways
