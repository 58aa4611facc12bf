"""Several requests in one line: cut at conjunctions, by the words alone, and which of them nothing was done about."""

from __future__ import annotations

import re
from collections.abc import Callable

from appliance.thought.understanding.patterns import NEVER
from appliance.thought.understanding.relevance import telling
from appliance.thought.understanding.signs import Signs

CLAUSE_MIN_CHARS = 9
"""A shorter side is part of a list ("salt and pepper"), not a request (spec/reply.md 4)."""

CONJUNCTIONS: dict[str, tuple[str, str]] = {
    "de": ("und", "dann|danach|anschließend|außerdem"),
    "en": ("and", "then|after that|afterwards|also"),
    "es": ("y|e", "luego|después|entonces|también"),
    "fr": ("et", "puis|ensuite|après|aussi"),
    "it": ("e|ed", "poi|dopo|quindi|anche"),
    "nl": ("en", "dan|daarna|vervolgens|ook"),
    "pt": ("e", "depois|então|em seguida|também"),
    "tr": ("ve", "sonra|ardından|ayrıca|de|da"),
}
"""Language -> its words for "and", and words that make an "and" begin something new."""


def split(text: str, language: str | None) -> tuple[str, str] | None:
    """The two clauses of `text`, or None: no cut leaves both long enough, or the language is not one of the eight.

    `language`: an ISO 639-1 code, a region after it allowed. Of several conjunctions one that begins something new
    ("and then") wins, then the one whose shorter clause is the longest.
    """
    words = CONJUNCTIONS.get(re.split(r"[-_]", language or "")[0].casefold())
    if words is None:
        return None
    joint = re.compile(rf"[\s,;]+(?:{words[0]})(?P<new>\s+(?:{words[1]}))?(?:\s*,)?\s+", re.IGNORECASE)
    cuts = [
        ((found["new"] is not None, min(len(left), len(right))), (left, right))
        for found in joint.finditer(text)
        if (left := text[: found.start()].strip()) and (right := text[found.end() :].strip())
    ]
    long_enough = [cut for cut in cuts if cut[0][1] >= CLAUSE_MIN_CHARS]
    return max(long_enough, key=lambda cut: cut[0])[1] if long_enough else None


def left_out(
    text: str, language: str | None, signs: Signs, done: str, said: str, meant: Callable[[str], bool]
) -> list[str]:
    """The requests of several in `text` of which nothing stands in what was `done`.

    said: what the model has said, which may answer any but those that change something: words do nothing.
    meant: whether a tool is as good as named in a part, however it begins.
    """

    def begins(part: str) -> bool:
        return signs.words.begins_request(part) or meant(part)

    def left(part: str) -> bool:
        acts = signs.words.acts.match(part)
        return bool(begins(part) and not telling(part) & telling(done) and (acts or not said))

    parts = requests(text, language, begins, signs.words.sudden)
    return [part for part in parts if left(part)] if len(parts) > 1 else []


def requests(
    text: str, language: str | None, begins: Callable[[str], bool], sudden: re.Pattern[str] = NEVER
) -> list[str]:
    """The clauses of `text`, cut wherever a conjunction is followed by what `begins` a request; at least one.

    `language`: as for `split`. A side that is too short for a request is not cut off.  sudden: the word before a
    request that follows without a conjunction.
    """
    words = CONJUNCTIONS.get(re.split(r"[-_]", language or "")[0].casefold())
    if words is None:
        return [text]
    joint = re.compile(rf"[\s,;.]+(?:(?:{words[0]}|{words[1]})\b[\s,]*)+", re.IGNORECASE)
    joints = [found.span() for found in joint.finditer(text) if begins(text[found.end() :].strip())]
    parts, start = list[str](), 0
    for left, right in sorted([*joints, *((found.end(), found.end()) for found in sudden.finditer(text))]):
        part, rest = text[start:left].strip(), text[right:].strip()
        if min(len(part), len(rest)) >= CLAUSE_MIN_CHARS:
            parts.append(part)
            start = right
    return [*parts, text[start:].strip()]
