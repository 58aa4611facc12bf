"""Whom or what a statement is about, as far as a plain verb tells it: the saddle of "the saddle is in the attic"."""

from __future__ import annotations

import re

_VERB = re.compile(r"\b(is|are|was|were|has|have|had|ist|sind|war|waren|hat|haben|heißt|heißen)\b", re.IGNORECASE)
"""Those that stand behind the subject in most things that people have remembered, in English and German."""


def subject(statement: str) -> str:
    """The words before its first such verb; empty where there is none."""
    verb = _VERB.search(statement)
    return statement[: verb.start()].strip() if verb else ""
