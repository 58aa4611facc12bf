"""Whether a text speaks of whoever said it, and the same told of somebody by name: "The user likes" is "Ana likes"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from appliance.language.words import alternatives, language_data

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


class Speaker:
    def __init__(self, words: Mapping[str, Any]) -> None:
        """words: a language's file, of which the sections `speaker` and `statements` are read."""
        data, told = words["speaker"], words["statements"]
        self._own, self._box, self._asks = frozenset(data["own"]), frozenset(told["you"]), frozenset(told["asks"])
        self._possessive = re.compile(rf"^(?:{alternatives(data['possessive'])})(?!\S)", re.IGNORECASE)
        self._user, self._users = str(data["user"]), str(data["users"])
        self._of = str(data["of"])
        named = alternatives([self._users, self._user])
        self._named = re.compile(rf"(?<!\w)(?:{named})(?!\w)", re.IGNORECASE)

    def tells(self, line: str) -> bool:
        """Whether it tells something of the speaker: no question, and nothing that is said of the box."""
        words = _words(line)
        first = words[0] if words else ""
        asks = line.rstrip().endswith("?") or not self._asks.isdisjoint((first, first.partition("'")[0]))
        return not asks and not self._box.intersection(words) and not self._own.isdisjoint(words)

    def in_own_words(self, fact: str) -> bool:
        """Whether it says "I" or "my", and does not speak of the user."""
        return not self._own.isdisjoint(_words(fact)) and not self._named.search(fact)

    def as_fact(self, text: str) -> str:
        """ "my boat is red" as it is kept: the user's boat is red. What begins otherwise stays as it is."""
        fact = self._possessive.sub(self._users, text.strip().rstrip(".!"), count=1)
        return f"{fact[:1].upper()}{fact[1:]}."

    def of_person(self, fact: str, name: str) -> str:
        """What is kept of the user, as it is told of the one of that name."""
        return self._named.sub(lambda found: self._form(found[0], name), fact)

    def _form(self, found: str, name: str) -> str:
        return self._of.format(name=name) if found.casefold() == self._users.casefold() else name


def _words(text: str) -> list[str]:
    return _WORD.findall(text.replace("’", "'").casefold())


@cache
def speaker(language: str) -> Speaker:
    """English in a language without a file."""
    data = language_data(language) or language_data("en")
    assert data is not None, "English is there"
    return Speaker(data)
