"""A clause as it is written -> the words as they are said."""

from __future__ import annotations

from appliance.language import english, german
from appliance.language.as_written import Rule
from appliance.tts.markup import plain

_RULES: dict[str, tuple[Rule, ...]] = {"en": english.RULES, "de": german.RULES}
"""One table per language. Where there is none, the voice reads numbers its own way."""


def spoken(clause: str, language: str = "en") -> str:
    """Words only, no markup, on one line; empty when there is nothing to say. Text already in words is left alone."""
    text = plain(clause)
    for pattern, replacement in _RULES.get(language, ()):
        text = pattern.sub(replacement, text)
    return " ".join(text.split())
