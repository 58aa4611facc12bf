"""Several things, said one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from babel.lists import format_list

_LOCALES = {"en": "en_GB"}
"""Where Unicode's own rule for a language puts a comma before "and": a voice makes a pause of it."""


def spoken_list(parts: Sequence[str], language: str = "en") -> str:
    """a, b and c"""
    return format_list(parts, locale=_LOCALES.get(language, language))


def capital(text: str) -> str:
    """With its first letter large, the others as they are."""
    return text[:1].upper() + text[1:]
