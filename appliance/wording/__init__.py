"""What the box says by itself in any room: of what broke, of its button, and of its microphone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

import yaml

FALLBACK = "en"


def said(key: str, language: str = FALLBACK) -> str:
    """The sentence of that name; in English for a language that has no file."""
    return _table(language)[key]


@cache
def _table(language: str) -> Mapping[str, str]:
    folder = resources.files(__package__)
    path = folder.joinpath(f"{language}.yaml")
    return dict(yaml.safe_load((path if path.is_file() else folder.joinpath(f"{FALLBACK}.yaml")).read_text("utf-8")))
