"""A reply as it is written -> clauses as they can be spoken, each as early as is good.

The first clause may end at a comma, so that the voice starts soon, and where none comes before a word that joins on
what follows. After that whole sentences are given out, because they sound better, unless one grows long. What comes out
does not depend on the size of the pieces that go in, but for `over` and `begun`.
"""

from __future__ import annotations

import re

from appliance.tts.markup import FENCE

FIRST_WORDS = 4
"""Words from which the first clause may end at a pause (docs/design/facts.md: 4 to 6)."""
PHRASE_WORDS = 5
"""Words from which it may end where the next one joins on: with fewer, what follows is not yet written when they are
spoken; 5 take 2 s to say, in which 1.5B writes 20 tokens."""
LONG_WORDS = 20
"""Words from which every clause may: about 7 s of speech at 170 words a minute."""
LONGEST_WORDS = 40
"""A clause without any mark is cut here: the voice makes a clause in one go, and its memory grows with the length."""
LONGEST_CHARS = 400

_CLOSING = "[\"'”’)*_]*"
_MARK = re.compile(rf"\n|[.!?…]+{_CLOSING}(?=\s)|[。！？]|[,;:]{_CLOSING}(?=\s)|(?<=\s)[-–](?=\s)|—")
_PAUSES = ",;:-–—"
_OPENING = "([\"'“‘*_"
_LONGEST = re.compile(rf"\s*(?:\S+\s+){{{LONGEST_WORDS}}}")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_LIST_NUMBER = re.compile(r"\s*\d{1,2}\.")

_JOINING = {
    "en": "and|or|but|because|so|when|while|if|which|who|where|after|before|until|unless|although|though|since|with|"
    "without|for|from|in",
    "de": "und|oder|aber|weil|denn|wenn|damit|sondern|mit|ohne|von|vor|nach|seit",
}
"""Words before which people breathe; those that often belong to the verb before them are left out: "look at"."""
_BEFORE_ORDINALS = {
    "de": "am|im|zum|vom|beim|der|die|das|dem|den|des|bis|seit|ab|jeden|nächsten|letzten|"
    "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
}
"""Words behind which a number with a full stop is an ordinal, in a language that writes them so: am 3. Oktober."""
_ORDINAL, _ROMAN = re.compile(r"\d{1,3}\."), re.compile(r"[IVX]+\.")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ITEM = re.compile(r"\s*(?:#{1,6}|[-*+]|\d{1,2}[.)])\s")
"""Of a list, or a heading: it is spoken as a sentence."""

_OVER = re.compile(r"(?:.*\s)?([^\W\d_]{3,}[.!?])", re.DOTALL)
"""A whole word with its mark: no number that goes on after its point, and no initial."""
_NEVER_ENDS = re.compile(
    r"(?:dr|mr|mrs|ms|prof|st|mt|rev|gen|sen|sgt|capt|vs|e\.g|i\.e|cf|approx|ca|fig|vol|bzw|z\.b|"
    r"mio|mrd|tsd|evtl|ggf|inkl|exkl|mind|vgl|abb|kap)\."
)
_ENDS_BEFORE_A_CAPITAL = re.compile(
    r".*(?:\.\.\.|…)|(?:a\.m|p\.m|etc|inc|ltd|co|corp|jr|sr|est|dept|min|max|no|nr|sek|std|usw)\."
)


class Clauses:
    """Text in pieces of any size in, speakable clauses out."""

    def __init__(self, language: str = "") -> None:
        """`language`: of two letters; in one that is not known here `begun` gives nothing."""
        joining = _JOINING.get(language)
        self._join = re.compile(rf"(?<=\S) (?=(?:{joining}) )", re.IGNORECASE) if joining else None
        before = _BEFORE_ORDINALS.get(language)
        self._before_ordinals = re.compile(rf"(?:{before}),?", re.IGNORECASE) if before else None
        self._code = _WithoutCode()
        self._text = ""
        self._first = True
        self._line_start = True

    def feed(self, text: str) -> list[str]:
        """The clauses that are certain now."""
        self._text += self._code.feed(text)
        clauses = []
        while cut := self._cut():
            if clause := self._take(cut):
                clauses.append(clause)
        return clauses

    def _take(self, cut: int) -> str:
        """The text up to there; it waits no longer."""
        clause, self._line_start = self._text[:cut].strip(), self._text[cut - 1] == "\n"
        self._text, self._first = self._text[cut:], self._first and not clause
        return clause

    def over(self) -> list[str]:
        """The first sentence where it seems to be over: the word after it, which decides, takes its time to come."""
        found = _OVER.fullmatch(self._text)
        if not self._first or not found or "[" in self._text or _abbreviated(found[1].lower()):
            return []
        return [self._take(len(self._text))]

    def begun(self) -> list[str]:
        """The first words of what is being written, up to where the next join on, if no clause is out yet."""
        if not self._first or not self._join or _ITEM.match(self._text):
            return []
        for found in self._join.finditer(self._text):
            words = self._text[: found.start()].split()
            if len(words) >= PHRASE_WORDS and _WORD.fullmatch(words[-1]) and "[" not in self._text:
                self._take(found.end())
                return [" ".join(words)]
        return []

    def flush(self) -> list[str]:
        """The rest: nothing more will come."""
        return self.feed("\n")

    def _cut(self) -> int | None:
        """Where the first clause in the text ends; None while that is open."""
        longest = _LONGEST.match(self._text)
        limit = longest.end() if longest else LONGEST_CHARS
        for mark in _MARK.finditer(self._text, 0, min(limit, LONGEST_CHARS)):
            ends = self._ends_clause(mark.start(), mark.end())
            if ends is None:
                return None
            if ends:
                return mark.end()
        if longest and limit <= LONGEST_CHARS:
            return limit
        if len(self._text) > LONGEST_CHARS:
            return self._text.rfind(" ", 1, LONGEST_CHARS) + 1 or LONGEST_CHARS
        return None

    def _ends_clause(self, start: int, end: int) -> bool | None:
        """None: what follows decides, and it is not there yet."""
        if self._text[start] == "\n":
            return True
        if self._text.count("[", 0, start) > self._text.count("]", 0, end):  # inside a [link text](address)
            return False
        after = self._text[end : end + LONGEST_CHARS].lstrip(" \t")[:1]
        if not after:
            return None
        if self._text[start] in _PAUSES:
            return self._may_pause(start, end, after)
        return self._ends_sentence(start, end, after)

    def _may_pause(self, start: int, end: int, after: str) -> bool:
        if after.isdigit() and self._text[:start].rstrip()[-1:].isdigit():  # "March 5, 2024", "20 - 5"
            return False
        return len(self._text[:end].split()) >= (FIRST_WORDS if self._first else LONG_WORDS)

    def _ends_sentence(self, start: int, end: int, after: str) -> bool:
        if self._text[start] not in ".…":
            return True
        if self._line_start and _LIST_NUMBER.fullmatch(self._text, 0, end):
            return False
        if self._is_ordinal(self._text[:end].split()[-2:], after):
            return False
        word = self._text[:end].split()[-1].lstrip(_OPENING).lower()
        if _ENDS_BEFORE_A_CAPITAL.fullmatch(word):
            return after.isupper() or after in _OPENING
        if _INITIALS.fullmatch(word):
            return word == "i."
        return not _NEVER_ENDS.fullmatch(word)

    def _is_ordinal(self, words: list[str], after: str) -> bool:
        """Whether the last of `words` is one: am 3. Oktober, Ludwig XIV. war."""
        if not self._before_ordinals or len(words) < 2:
            return False
        led = _ORDINAL.fullmatch(words[1]) and self._before_ordinals.fullmatch(words[0])
        return bool(led or (_ROMAN.fullmatch(words[1]) and after.islower()))


def _abbreviated(word: str) -> bool:
    return bool(_NEVER_ENDS.fullmatch(word) or _ENDS_BEFORE_A_CAPITAL.fullmatch(word))


class _WithoutCode:
    """Drops what stands between ``` fences: nobody can listen to code."""

    def __init__(self) -> None:
        self._inside = False
        self._held = ""

    def feed(self, text: str) -> str:
        parts = (self._held + text).split(FENCE)
        last = parts.pop()
        self._held = last[len(last.rstrip("`")) :]
        kept = []
        for part in parts:
            kept.append("\n" if self._inside else part)
            self._inside = not self._inside
        if not self._inside:
            kept.append(last.removesuffix(self._held))
        return "".join(kept)
