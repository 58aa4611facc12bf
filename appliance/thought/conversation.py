"""The turns of one conversation, append-only, so that the model has read them already when the next one comes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from appliance.ports import Message


class Conversation:
    """Turns no further apart than `gap_s`; after a longer silence the next turn starts a new one."""

    def __init__(self, gap_s: float) -> None:
        self._gap_s = gap_s
        self._last_s: float | None = None
        self.last_said = ""
        """What the box said last, in this conversation or an earlier one."""
        self.begin()

    def begin(self) -> None:
        """Start a new one."""
        self.id = f"c-{secrets.token_hex(4)}"
        self.messages: list[Message] = []
        self.answers: list[str] = []
        """What the last turn's tools answered: the model reads it with the next line."""

    def resume(self, now_s: float) -> None:
        """Start a new one if the last turn is too long ago. `now_s`: monotonic seconds."""
        if self._last_s is not None and now_s - self._last_s > self._gap_s:
            self.begin()
        self._last_s = now_s

    def add(self, user: Message, assistant: Message, said: str, answers: Sequence[str]) -> None:
        self.messages += [user, assistant]
        self.answers = list(answers)
        self.last_said = said or self.last_said

    def forget_older_half(self) -> bool:
        """Make room in the prompt; false when there is nothing left to forget."""
        had = len(self.messages)
        self.messages = self.messages[(had // 2 + 1) // 2 * 2 :]
        return len(self.messages) < had
