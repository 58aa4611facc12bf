"""A piece of a document, and why a document is not read."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = frozenset((".txt", ".md", ".pdf", ".docx", ".epub"))
"""What is read, by the end of its name."""


@dataclass(frozen=True)
class Passage:
    text: str
    page: int = 0
    """From 1 on; 0 where the kind of document has none."""
    part: str = ""
    """The heading that it stands under, where it has one and no page."""


class LeftOut(Exception):
    """Why a file, or the rest of it, cannot be read: a key under `why` in phrases/."""
