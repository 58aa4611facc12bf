"""What a model writes that was not taught for this work: one sentence, without a mark, and how sure it is of that.

Told to begin with `say`, as in a plan, it is right in 157 of 300 questions instead of 175, and in 82 if it is made to
and not told (1.5B, the questions of models/training/questions, 2026-11-27).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

SHORT = r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bMt)(?<!\bNo)(?<!\b\w)"
"""Behind these a full stop ends no sentence."""
_END = re.compile(rf"{SHORT}[.!?…]+[\"”’')]*\s|\S\s*\n")
"""Seen once what follows begins: in "3.5" nothing ends."""


@dataclass(frozen=True)
class SentenceGrammar:
    """Implements Grammar."""

    unsaid: tuple[str, ...] = ()
    """Phrases that it must not hold, in lower case."""
    weighed: ClassVar[bool] = True

    @property
    def gbnf(self) -> str:
        return r"root ::= [^\x00]+"

    def likely(self, written: str) -> str:
        return ""

    def forced(self, written: str) -> str:
        return ""

    def free(self, written: str) -> bool:
        return True

    def barred(self, written: str) -> bool:
        return ends_in(written, self.unsaid)

    def whole(self, written: str) -> bool:
        return _END.search(written) is not None


def ends_in(written: str, phrases: tuple[str, ...]) -> bool:
    """Whether one of them was just written.  phrases: in lower case."""
    return bool(phrases) and written.casefold().replace("’", "'").endswith(phrases)
