"""One reply on its way to the ear: the pieces that are written, cut into clauses, until the last one is out."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition

from appliance.audio import Stale
from appliance.tts.sentences import Clauses

LOOK_S = 0.05
"""Between two looks at whether a reply went stale; it has no bell of its own."""


class Reply:
    """Implements ports.Mouth."""

    def __init__(
        self, stale: Stale, started: Callable[[float], None], speak: Callable[[Reply, str, bool], None], language: str
    ) -> None:
        self.stale, self._started, self._speak = stale, started, speak
        self._clauses = Clauses(language)
        self._changed = Condition()
        self.sounds = False
        """Whether a clause of it was handed to the speaker: until then somebody waits in silence."""
        self._waiting = 0
        self._said: list[str] = []

    def say(self, text: str) -> None:
        self._hand_over(self._clauses.feed(text))
        self._hand_over(self._clauses.over())
        self._hand_over(self._clauses.begun(), goes_on=True)

    def finish(self) -> str:
        """What a failing speaker did not play counts as said: it can be repeated."""
        self._hand_over(self._clauses.flush())
        with self._changed:
            while self._waiting and not self.stale():
                self._changed.wait(LOOK_S)
            return " ".join(self._said)

    def began(self, at_s: float) -> None:
        """A clause started to sound."""
        started, self._started = self._started, lambda at_s: None
        started(at_s)

    def ended(self, clause: str) -> None:
        """It is out, unless the reply went stale meanwhile."""
        with self._changed:
            self._waiting -= 1
            if clause and not self.stale():
                self._said.append(clause)
            self._changed.notify_all()

    def _hand_over(self, clauses: list[str], goes_on: bool = False) -> None:
        for clause in clauses:
            with self._changed:
                self._waiting += 1
            self._speak(self, clause, goes_on)
