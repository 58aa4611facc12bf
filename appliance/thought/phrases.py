"""The box's own sentences, in the language it speaks (`wording/`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from appliance.thought.languages import written_for


@dataclass(frozen=True)
class Phrases:
    no_answer: str
    """Silence is never an outcome of a turn."""
    broke: str
    """A tool failed in a way it has no words for."""
    late: str
    """A tool did not come back in time."""
    garbled: str
    """The model wrote what is not for the ear."""
    left_alone: str
    """The answer to "no" when asked for leave."""
    missing: str
    """Asks for an argument of a step that needs leave."""
    caveat: str
    """Before what is known when a turn ends without an answer."""


@cache
def phrases(language: str) -> Phrases:
    """English for a language that has no file."""
    return Phrases(**(written_for(language, "wording") or written_for("en", "wording") or {}))
