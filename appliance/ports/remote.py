"""What thinks in the place of a box that does not do so itself: a hub."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from appliance.audio import Stale

RunTool = Callable[[str, dict[str, Any]], str]
"""Runs a tool of this box, by its name, with arguments; gives what it answers. Raises ApplianceError."""


class RemoteThought(Protocol):
    @property
    def trouble(self) -> str:
        """Why it cannot be asked just now, for the log; empty where it can."""
        ...

    def answer(self, line: str, talk: str, say: Callable[[str], None], run: RunTool, stale: Stale) -> bool:
        """Answer `line` with clauses that `say` gets, in order, on this thread; whether it ended in a question.

        talk: id of the conversation here: another one begins another there.  run: for the tools that are called here.
        Raises HubFailed, Cancelled.
        """
        ...

    def answered_here(self, talk: str, heard: str, said: str) -> None:
        """A line was answered here: what was asked elsewhere is not answered by the next one.

        heard, said: what goes there with the next line of that conversation, so that it is known there; empty where
        nothing is to be told of it.
        """
