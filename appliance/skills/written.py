"""What a skill has written down in files of its folder: YAML for each language, and text for the model."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from appliance.language.lists import capital
from appliance.ports import SkillPrompt, Spoken

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FALLBACK = "en"


def language_of(folder: Path, part: str, language: str) -> str:
    """`language`, or English where `<folder>/<part>/` has no file for it."""
    return language if (folder / part / f"{language}.yaml").is_file() else FALLBACK


def written(folder: Path, part: str, language: str) -> dict[str, Any]:
    """The content of `<folder>/<part>/<language>.yaml`, or of the English one; empty without either.

    part: phrases, offer or sentences. Raises OSError, UnicodeDecodeError, yaml.YAMLError.
    """
    path = folder / part / f"{language_of(folder, part, language)}.yaml"
    return dict(yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER) or {}) if path.is_file() else {}


def prompt(folder: Path) -> SkillPrompt:
    """What is in `<folder>/prompt/`: rules.txt, world.txt and examples.txt, each of which may be missing.

    Raises OSError, UnicodeDecodeError.
    """
    paths = {each.name: folder / "prompt" / f"{each.name}.txt" for each in dataclasses.fields(SkillPrompt)}
    texts = {name: path.read_text(encoding="utf-8").strip() for name, path in paths.items() if path.is_file()}
    return SkillPrompt(**texts)


class Words:
    """What a skill says, in one language: from `phrases/` of its folder."""

    def __init__(self, folder: Path, language: str) -> None:
        """Raises OSError, UnicodeDecodeError, yaml.YAMLError."""
        self.language = language_of(folder, "phrases", language)
        """The one that it speaks: English for a language that has no file. What is put into a phrase is in it too."""
        self.phrases = written(folder, "phrases", language)

    def say(self, key: str, **values: object) -> Spoken:
        """The phrase with its values in the place of their names in braces. Raises KeyError without such a phrase."""
        return Spoken(str(self.phrases[key]).format_map(values))

    def begin(self, key: str, **values: object) -> Spoken:
        """As `say`, with a capital first letter, whatever the phrase begins with: it begins a sentence."""
        return Spoken(capital(self.say(key, **values)))


class Offers(Mapping[str, Sequence[str]]):
    """Tool -> lines that mean it; read when they are first asked for, for they are many."""

    def __init__(self, folder: Path, language: str) -> None:
        self._folder, self._language = folder, language

    def __getitem__(self, tool: str) -> Sequence[str]:
        return self._lines[tool]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    @cached_property
    def _lines(self) -> dict[str, list[str]]:
        return written(self._folder, "offer", self._language)
