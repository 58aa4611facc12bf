"""Whom the box is to call by a name: a small model forgets it after an answer, and a tool's sentence never had it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from appliance.ports import Mouth
from appliance.thought.understanding.patterns import patterns

_SHORT = r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\b[ap]\.m)"
_END = re.compile(rf"{_SHORT}[.!?…](?=\s)|\n")
_MARKS = " \n.!?…"


def name_in(rules: Iterable[str], language: str) -> str:
    """What the user is to be called by the newest rule that says so; empty where none does.  rules: newest first."""
    forms = patterns(language)
    found = (forms.addressed.search(rule) for rule in rules) if forms else ()
    name = next((each["name"].strip() for each in found if each), "")
    return name[:1].upper() + name[1:]


class Addressing:
    """A `Mouth` whose first sentence holds the name; the text may come in pieces of any size.

    That sentence is held back until its end: some tenths of a second, and only for who wants to be called so.
    """

    def __init__(self, mouth: Mouth, name: str) -> None:
        """name: empty changes nothing."""
        self._mouth, self._name, self._waiting = mouth, name, ""

    def say(self, text: str) -> None:
        self._waiting += text
        if self._name:
            if (end := _END.search(self._waiting)) is None:
                return
            self._name_before(end.start())
        self._let_out()

    def finish(self) -> str:
        if self._name:
            self._name_before(len(self._waiting.rstrip(_MARKS)))
        self._let_out()
        return self._mouth.finish()

    def _name_before(self, end: int) -> None:
        """Where the first sentence ends, unless it has the name; a line break before any words ends none."""
        first = self._waiting[:end]
        if not first.strip():
            return
        if self._name.casefold() not in first.casefold():
            self._waiting = f"{first}, {self._name}{self._waiting[end:]}"
        self._name = ""

    def _let_out(self) -> None:
        text, self._waiting = self._waiting, ""
        if text:
            self._mouth.say(text)
