"""What a line says by itself, before anything is known of the conversation: read once, and kept for the reply."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from appliance.language.digits import NUMBER
from appliance.language.stopwords import NOISE
from appliance.reply import prompt
from appliance.reply.understanding.intents import NONE, intents
from appliance.reply.understanding.relevance import telling

WORLD, UNHEARD_OF = "world", "unheard_of"
"""Labels of the classifier of general knowledge (models/cards/intents.md)."""
ELSEWHERE = "elsewhere"
"""Label of the classifier of tools: what people ask of skills that are not on board, whichever."""
LINES_KEPT = 8
"""The newest: a line is read ahead while it is spoken, and again when it is answered."""


@dataclass(frozen=True)
class Line:
    text: str
    digits: str = ""
    """The text with its numbers in digits."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """Tool -> how likely the line calls for it, 0 to 1; empty in a language that no classifier was taught."""
    no_tool: float | None = None
    """How likely it calls for none, 0 to 1; None in a language in which at most reviewed sentences were taught."""
    world: float = 0.0
    """How likely it asks for general knowledge, 0 to 1."""
    unheard_of: float = 0.0
    """How likely it asks of what hardly anybody knows, or of what does not exist, 0 to 1."""

    @property
    def counted(self) -> bool:
        """Whether a number was said."""
        return NUMBER.search(self.digits) is not None

    @property
    def named(self) -> int:
        """How many words say what it is about, all its numbers counted as one."""
        return len(telling(self.digits) - NOISE) + self.counted

    @property
    def wanted(self) -> float:
        """How likely it calls for a tool or for what is ELSEWHERE, 0 to 1: its kinds know less well whether at all."""
        kinds = prompt.lacking(())
        return max((score for name, score in self.scores.items() if name not in kinds), default=0.0)


class LineReader:
    def __init__(
        self,
        language: str,
        in_digits: Callable[[str], str],
        name: str = "",
        does_too: Mapping[str, str] | None = None,
    ) -> None:
        """in_digits: gives a text its numbers in digits.  name: what the box is called, which means no tool.

        does_too: label of the classifier -> the skill whose it is here: doors are of the house, where there is one.
        """
        self._in_digits, self._does_too = in_digits, does_too or {}
        self._name = re.compile(rf"\W*\b{re.escape(name)}\b\W*" if name else r"(?!)", re.IGNORECASE)
        self._tools, self._world = intents(language), intents(f"{language}.{WORLD}")
        self.taught = frozenset(self._tools.tools if self._tools else ())
        """Names that a line has a score for."""
        self.read = lru_cache(LINES_KEPT)(self._read)

    def _read(self, text: str) -> Line:
        digits = self._in_digits(text)
        scores = dict(self._tools.read(self._name.sub(" ", digits).strip())) if self._tools else {}
        for kind, skill in self._does_too.items():
            scores[skill] = max(scores.get(skill, 0.0), scores.pop(kind, 0.0))
        world = self._world.read(digits) if self._world else {}
        return Line(
            text=text,
            digits=digits,
            no_tool=scores.pop(NONE, None),
            scores=scores,
            world=world.get(WORLD, 0.0),
            unheard_of=world.get(UNHEARD_OF, 0.0),
        )
