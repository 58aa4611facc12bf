"""Several things, said one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from babel.lists import format_list

_LOCALES = {"en": "en_GB"}
"""Where Unicode's own rule for a language puts a comma before "and": a voice makes a pause of it."""


Joint = Literal["standard", "or"]
"""Unicode's name for what stands before the last one: and, or."""


def spoken_list(parts: Sequence[str], language: str = "en", joint: Joint = "standard") -> str:
    """a, b and c; a, b or c"""
    return format_list(parts, style=joint, locale=_LOCALES.get(language, language))


def capital(text: str) -> str:
    """With its first letter large, the others as they are."""
    return text[:1].upper() + text[1:]
