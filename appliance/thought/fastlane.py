"""Whole sentences that are understood without the model. Leftover words mean no match."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

import yaml
from hassil import Intents, recognize

_NOT_WORDS = re.compile(r"[^\w' ]+")


def is_stop(text: str, language: str = "en") -> bool:
    """Whether `text` says stop and nothing else."""
    words = _NOT_WORDS.sub(" ", text.casefold()).strip()
    match = recognize(words, _sentences(language)) if words else None
    return match is not None and match.intent.name == "stop"


@lru_cache
def _sentences(language: str) -> Intents:
    path = resources.files("appliance.thought").joinpath("sentences", f"{language}.yaml")
    return Intents.from_dict(yaml.safe_load(path.read_text()))
