"""A long result -> the few sentences of it that a small model can hold, each held by the text itself.

Nothing here calls a model; `ask` does, once.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from appliance.errors import ApplianceError
from appliance.reply import prompt

log = logging.getLogger(__name__)

SOURCE_MAX_CHARS = 60
CUT = "…"

_NOTHING = re.compile(r"[\W_]*(?:(?i:none)[\W_]*\Z|NONE\b|\Z)")
"""What the model writes when the text holds no answer, on its own or before an explanation."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*(?=\s|\Z)|[。！？]")
_LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)
_SEPARATOR = r"[.,'’\u00a0\u202f]"
_NUMBER = re.compile(rf"\d+(?:{_SEPARATOR}\d+)*")
_GROUPED = re.compile(rf"\d{{1,3}}(?:{_SEPARATOR}\d{{3}})+")


def digest(text: str, ask: Callable[[], str], limit_chars: int) -> str | None:
    """What the model made of a text, `limit_chars` at most; empty where it found nothing that the text holds.

    `ask` has the model read it. None when that raises an ApplianceError, Cancelled too: the time was up.
    """
    try:
        answer = ask()
    except ApplianceError as error:
        log.warning("digest: %s", error)
        return None
    made = accept(answer, text, limit_chars)
    if not made:
        log.info("digest: nothing usable in %d characters", len(text))
    return made or ""


def accept(digest: str, source_text: str, limit: int) -> str | None:
    """What the model wrote, cut to `limit` characters at a sentence's end.

    None: it found nothing, or it wrote a number that the text does not hold. Names are not grounds enough: in many
    languages a capital letter is no name.
    """
    if _NOTHING.match(digest):
        return None
    kept = _within(digest.strip(), limit)
    if unsupported(kept, source_text):
        log.info("digest: refused, a number in it is not in the text")
        return None
    return kept


def unsupported(digest: str, source_text: str) -> list[str]:
    """Numbers in `digest` that the text does not hold, in their order.

    1,000 and 1000 are the same number, 08 and 8, 21.0 and 21.
    """
    held = {value for number in _NUMBER.findall(source_text) for value in _values(number) | _parts_of_date(number)}
    numbers = [number for number in _NUMBER.findall(_LIST_NUMBER.sub("", digest)) if not _values(number) & held]
    return [*dict.fromkeys(numbers)]


def attributed(digest: str, source: str) -> str:
    """`digest` with its source before it, unless it begins by naming one. source: in words a person knows."""
    name = " ".join(source.split())[:SOURCE_MAX_CHARS]
    start = digest.casefold().lstrip()
    opening = prompt.note("source", source="", text="").rstrip(" :").casefold()
    if not name or start.startswith((f"{opening} ", name.casefold())):
        return digest
    return prompt.note("source", source=name, text=digest)


def _within(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.end() <= limit]
    if ends:
        return text[: ends[-1]]
    at = text.rfind(" ", 0, limit)
    return text[: at if at > 0 else limit - 1] + CUT


def _values(number: str) -> set[str]:
    """What it may mean: 1.234 is a decimal in one language and a thousand in another."""
    *whole, last = re.split(_SEPARATOR, number)
    values = {_plain("".join(whole), last) if whole else _plain(last, "")}
    return values | {_plain(re.sub(r"\D", "", number), "")} if _GROUPED.fullmatch(number) else values


def _parts_of_date(number: str) -> set[str]:
    """Day, month and year of 10.05.2024."""
    parts = re.split(_SEPARATOR, number)
    return {_plain(part, "") for part in parts} if len(parts) == 3 else set()


def _plain(whole: str, fraction: str) -> str:
    return f"{whole.lstrip('0') or '0'}.{fraction.rstrip('0')}".rstrip(".")
