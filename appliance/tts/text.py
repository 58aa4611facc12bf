"""A reply that is read, not heard."""

from __future__ import annotations

from collections.abc import Callable

from appliance.audio import Stale, never
from appliance.tts.markup import plain
from appliance.tts.sentences import Clauses


class TextMouth:
    """A `Mouth` without a sound: hands each clause on as it comes."""

    def __init__(self, said: Callable[[str], None] = lambda clause: None, stale: Stale = never) -> None:
        self._clauses = Clauses()
        self._tell, self._stale = said, stale
        self._said: list[str] = []

    def say(self, text: str) -> None:
        self._take(self._clauses.feed(text))

    def finish(self) -> str:
        self._take(self._clauses.flush())
        return " ".join(self._said)

    def _take(self, clauses: list[str]) -> None:
        for clause in map(plain, clauses):
            if clause and not self._stale():
                self._said.append(clause)
                self._tell(clause)
