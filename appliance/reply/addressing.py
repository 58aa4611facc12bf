"""Whom the box is to call by a name: a small model forgets it after an answer, and a tool's sentence never had it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from appliance.ports import Mouth
from appliance.reply.sentence import SHORT
from appliance.reply.understanding.patterns import patterns

_END = re.compile(rf"{SHORT}[.!?…]+(?=\s+[^\sa-z])|[.!?…]*\s*\n")
_MARKS, _GOES_ON = " \n.!?…", (":", ";", ",", "(", '"', ")")
"""Behind the last word of a sentence; and where none ends."""


def name_in(rules: Iterable[str], language: str) -> str:
    """What the user is to be called by the newest rule that says so; empty where none does.  rules: newest first."""
    forms = patterns(language)
    found = (forms.addressed.fullmatch(rule.strip(" .!")) for rule in rules) if forms else ()
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
            ends = (end.start() for end in _END.finditer(self._waiting))
            if (end := next(filter(self._ends_a_sentence, ends), None)) is None:
                return
            self._name_before(end)
        self._let_out()

    def finish(self) -> str:
        if self._name and self._ends_a_sentence(end := len(self._waiting.rstrip(_MARKS))):
            self._name_before(end)
        self._let_out()
        return self._mouth.finish()

    def _ends_a_sentence(self, end: int) -> bool:
        """Whether there are words before, and no list or speech of others begins there: "1." and "items:" end none."""
        first = self._waiting[:end].rstrip(_MARKS)
        return sum(map(str.isalpha, first)) > 1 and not first.endswith(_GOES_ON)

    def _name_before(self, end: int) -> None:
        """Where the first sentence ends, unless it has the name."""
        first = self._waiting[:end]
        if self._name.casefold() not in first.casefold():
            self._waiting = f"{first}, {self._name}{self._waiting[end:]}"
        self._name = ""

    def _let_out(self) -> None:
        text, self._waiting = self._waiting, ""
        if text:
            self._mouth.say(text)
