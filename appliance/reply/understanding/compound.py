"""Several requests in one line: cut at conjunctions, by the words alone, and which of them nothing was done about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

from appliance.reply.understanding.patterns import NEVER
from appliance.reply.understanding.relevance import NOISE, telling
from appliance.reply.understanding.signs import Signs

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
    parts: Sequence[str], signs: Signs, done: str, said: str, meant: Callable[[str], Set[str]], called: Sequence[str]
) -> list[str]:
    """The requests of several, `parts` of a line, about which nothing stands in what was `done`.

    said: what the model has said, which may answer any but those that change something: words do nothing.
    meant: the tools that a part may be for.  called: those that have run; one that ran as often as it was asked for
    has seen to all of them, whatever it calls the things.
    """
    found, own = telling(done), [_own(part, [*parts[:at], *parts[at + 1 :]], signs) for at, part in enumerate(parts)]

    def undone(part: str, words: set[str]) -> bool:
        tools = meant(part)
        ran = sum(tool in tools for tool in called)
        if not telling(part) & found:
            return not ran
        others = any(each & found for each in own if each is not words)  # then what it shares may be of that one alone
        asked = sum(not tools.isdisjoint(meant(each)) for each in parts)
        return bool(words) and not words & found and others and ran < asked

    def left(part: str, words: set[str]) -> bool:
        return bool(undone(part, words) and (signs.words.acts.match(part) or not said))

    return [part for part, words in zip(parts, own, strict=True) if left(part, words)] if len(parts) > 1 else []


def _own(part: str, others: Sequence[str], signs: Signs) -> set[str]:
    """The words of a request that none of the others has, behind its verb: the kitchen of its light; of one that points
    back none."""
    if signs.words.referring.search(part):
        return set()
    verb = signs.words.acts.match(part)
    told = telling(part[verb.end() :] if verb else part) - NOISE - telling(" ".join(others))
    return {word for word in told if not signs.words.seeking.fullmatch(word)}


def requests(
    text: str,
    language: str | None,
    begins: Callable[[str], bool],
    sudden: re.Pattern[str] = NEVER,
    lengthens: Callable[[str, str], bool] = lambda left, right: False,
) -> list[str]:
    """The clauses of `text`, cut wherever a conjunction is followed by what `begins` a request; at least one.

    `language`: as for `split`. A side that is too short for a request is not cut off.  sudden: the word before a
    request that follows without a conjunction.  lengthens: whether a length goes on there.
    """
    words = CONJUNCTIONS.get(re.split(r"[-_]", language or "")[0].casefold())
    if words is None:
        return [text]
    joint = re.compile(rf"[\s,;.]+(?:(?:{words[0]}|{words[1]})\b[\s,]*)+", re.IGNORECASE)
    joints = [
        (left, right)
        for left, right in (found.span() for found in joint.finditer(text))
        if begins(text[right:].strip()) and not lengthens(text[:left], text[right:])
    ]
    parts, start = list[str](), 0
    for left, right in sorted([*joints, *((found.end(), found.end()) for found in sudden.finditer(text))]):
        part, rest = text[start:left].strip(), text[right:].strip()
        if min(len(part), len(rest)) >= CLAUSE_MIN_CHARS:
            parts.append(part)
            start = right
    return [*parts, text[start:].strip()]
