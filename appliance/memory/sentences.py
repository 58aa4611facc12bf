"""What the box says of its memory, in the language it speaks (`wording/`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml


@dataclass(frozen=True)
class Sentences:
    trouble: dict[str, str]
    """By the cause: what is wrong and what to do."""
    until_off: dict[str, str]
    """By the cause, behind what was acknowledged while it is in memory only."""
    back: str
    nearly_full: str
    restored: str
    """With `at`, the moment of the copy."""
    begun_anew: str
    tail_lost: str
    no_such: str
    """Of a fact by its number, `id`."""
    no_entry: str
    """Of an import, with the entry's `number`."""
    still_there: str
    """Of a factory reset that could not be ended."""


@cache
def sentences(language: str) -> Sentences:
    """English for a language that has no file."""
    folder = resources.files("appliance.memory").joinpath("wording")
    path = folder.joinpath(f"{language}.yaml")
    return Sentences(**yaml.safe_load((path if path.is_file() else folder.joinpath("en.yaml")).read_text("utf-8")))
