"""The last look at the model's words before they are heard: structured text never reaches the ear.

Each rule is a row of atoms. A text that matches a whole row is structured; one that ends in the beginning of a row may
become so, and waits. Everything else goes on at once. What comes out does not depend on the size of the pieces.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

Rule = tuple[str, ...]
"""Regular expressions, one behind the other. The last one covers one character, so that a rule ends in one place."""

_LINE = r"^[ \t]{0,10}"
_NAME = r"[^\W\d]"
_REST_OF_NAME = r"\w{0,40}"
_KEY = (r"(?-i:[a-z_])", _REST_OF_NAME, r"[ \t]{0,3}", r"[:=]", r"[ \t]{0,3}")
_PAIR = (*_KEY, r"[^\s/]", r"[^\n,;]{0,80}", r"[,;\n]", r"\s{0,5}")

_JSON: tuple[Rule, ...] = (
    (r"\{", r"\s*", r"[\"'{}\[]"),
    (r"\{", r"\s*", _NAME, _REST_OF_NAME, r"\s{0,5}", ":"),
    (r"\[", r"\s*", r"[\"'{\[\]]"),
    (r"\[", r"\s*", "-?", r"\d", r"[\d.eE+-]{0,400}", r"\s*", ","),  # [1] alone is a footnote
    (_LINE, r"\[", r"\s*", "-?", r"\d", r"[\d.eE+-]{0,400}", r"\s*", r"\]"),
    *((r"\[", r"\s*", *word, r"\s*", r"[,\]]") for word in ("true", "false", "null")),
    ('"', r"(?-i:[a-z_])", _REST_OF_NAME, '"', r"\s{0,5}", ":", r"\s{0,5}", r"[\"{\[\d-]"),  # the inside of an object
    ("`", "`", "`", r"\w{0,20}", r"\s{0,20}", r"[{\[<]"),
    *(("`", "`", "`", *word) for word in ("json", "tool", "xml", "yaml")),
)
_DUMPS: tuple[Rule, ...] = (
    (_LINE, *_PAIR, *_PAIR, *_KEY, r"[^\s/]"),  # temperature: 21, humidity: 40, wind: 5
    (r"(?<=[^\W_])_", r"[^\W_]", _REST_OF_NAME, r"[(:=]"),  # nobody says feels_like: or get_news(
    (r"(?<!\w)t", *"ool_call"),
    (r"(?<=\w)\(", r"\s{0,3}", "[\"']"),  # what("day", whoever has no such tool
    (r"(?<=\w)\(", r"\s{0,3}", r"(?-i:[a-z_])", _REST_OF_NAME, "="),
)
_TAGS: tuple[Rule, ...] = (
    ("<", "[|｜!?]"),
    ("<", "<", "/?", *"sys"),
    (r"\[", "/?", *"inst", r"\]"),
    ("<", "/?", _NAME, r"[^\W_]{0,40}", "_"),  # <tool_call>, <start_of_turn>
    *(("<", "/?", *word) for word in ("tool", "function", "invoke", "parameter", "untrusted", "think", "html")),
    *(("<", "/?", *word, ">") for word in ("s", "bos", "eos", "pad", "unk")),
)
_MARKERS: tuple[Rule, ...] = (
    (_LINE, "[-=]", ">"),
    (_LINE, "→"),
    (_LINE, ">", r"[^\d=]"),  # ">5 km" is a quantity
    *((_LINE, r"\[", *word) for word in ("context", "known", "running", "no news")),
    (_LINE, r"\[", _NAME, r"\w{1,8}", "[.,]?", " ", r"\d"),  # the context of a turn begins with weekday and day
)
_UNFINISHED = re.compile(r"\s*(?:[{\[<]|[-=]?>|\$|\"\w+\"\s*:|\w+\()")
"""What had to wait and is structured even if nothing follows: a document that was cut off."""


class Guard:
    """For one reply: its text in pieces in, the text that may be heard out. Always a beginning of what came in."""

    def __init__(self, tools: Collection[str] = ()) -> None:
        """tools: names whose calls are no speech."""
        self._whole, self._begun = _patterns(frozenset(tools))
        self._text = ""
        self._out = 0
        self.tripped = False
        """Structured text came: nothing more will come out."""

    def feed(self, piece: str) -> str:
        """What is certain to be speech now."""
        if self.tripped:
            return ""
        self._text += piece
        end = self._structured()
        self.tripped = end is not None
        begun = self._begun.search(self._text, self._out, len(self._text) if end is None else end)
        return self._let_out(begun.start() if begun else len(self._text))

    def finish(self) -> str:
        """The rest: nothing more will come."""
        if self.tripped or _UNFINISHED.match(self._text, self._out):
            self.tripped = True
            return ""
        return self._let_out(len(self._text))

    def _structured(self) -> int | None:
        """Where the character stands that made the text structured: the first such, were they to come one by one."""
        end, first = len(self._text), None
        while found := self._whole.search(self._text, self._out, end):
            first = end = found.end() - 1
        return first

    def _let_out(self, end: int) -> str:
        start, self._out = self._out, end
        return self._text[start:end]


def spoken_or_none(text: str, tools: Collection[str] = ()) -> str | None:
    """A whole text, when it may be heard as it is; None when any of it is structured, or there is none."""
    guard = Guard(tools)
    out = guard.feed(text) + guard.finish()
    return out if out.strip() and not guard.tripped else None


@lru_cache(maxsize=8)
def _patterns(tools: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is structured, and what may become so with more text."""
    rules = [*_JSON, *_DUMPS, *_TAGS, *_MARKERS]
    for name in sorted(tools):
        call = (r"(?<!\w)", *map(re.escape, name), r"\(", r"\s{0,3}")
        rules += [(*call, r"[)\"'\d]"), (*call, _NAME, _REST_OF_NAME, r"\s{0,3}", "=")]
    flags = re.IGNORECASE | re.MULTILINE
    whole = "|".join("".join(rule) for rule in rules)
    begun = "|".join(_beginning(rule) for rule in rules)
    return re.compile(whole, flags), re.compile(rf"(?:{begun})\Z", flags)


def _beginning(rule: Rule) -> str:
    """a, b, c -> a(?:b(?:c)?)?"""
    pattern = ""
    for atom in reversed(rule):
        pattern = f"{atom}(?:{pattern})?" if pattern else atom
    return pattern
