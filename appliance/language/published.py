"""Sentences and answers that Home Assistant publishes, in some seventy languages: `home-assistant-intents`."""

from __future__ import annotations

from typing import Any

from home_assistant_intents import get_intents, get_languages

MOST_CHARS = 120
"""The longest published request has some 80; a longer line costs more than it can bring."""
_OTHER_CODES = {"no": "nb"}
"""Languages that have another code there than in the settings."""
_ALSO = {"pl": {"HassDecreaseTimer": ("(z|od)", "(z|od|do)")}}
"""Language -> intent -> words of its sentences, and with those that earlier releases of the package had beside them."""


def spelled(language: str) -> str:
    """As the package spells a language, the plain one first: zh is zh-CN there, before zh-HK. Empty: it has none."""
    there, code = sorted(get_languages()), _OTHER_CODES.get(language, language)
    plain = (each for each in there if each == code)
    return next(plain, "") or next((each for each in there if each.startswith(f"{code}-")), "")


def published_data(code: str) -> dict[str, Any]:
    """What it has of one language, for hassil; the caller's own, to be changed. code: from `spelled`."""
    data: dict[str, Any] = get_intents(code) or {}
    for each in data["lists"].values():
        if "multiplier" in each.get("range", {}):
            each["range"]["to"] += 1  # hassil caches number words by the bounds alone: -20 would become 20
    for intent, (these, more) in _ALSO.get(code, {}).items():
        for group in data["intents"][intent]["data"]:
            group["sentences"] = [sentence.replace(these, more) for sentence in group["sentences"]]
    return data


def plain(value: Any) -> Any:
    """What was filled in, without the fraction of a whole number, and without the spaces around a name."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.strip() if isinstance(value, str) else value
