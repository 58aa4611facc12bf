"""A `ports.Bridge` without a network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from appliance.errors import CannotBeDone, ToolError
from appliance.ports import LINK, News


class CannedBridge:
    """`answers`: (provider, question) -> what it answers, or the error it raises. News is told by hand."""

    def __init__(self, answers: Mapping[tuple[str, str], Any]) -> None:
        self._answers = answers
        self._followers: defaultdict[str, list[News]] = defaultdict(list)
        self._known: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        """Each question, in its order."""

    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        self.asked.append((provider, what, arguments))
        answer = self._answers.get((provider, what), CannotBeDone("I am not connected to that."))
        if isinstance(answer, ToolError):
            raise answer
        return answer

    def follow(self, provider: str, heard: News) -> None:
        self._followers[provider].append(heard)
        for kind, value in ({LINK: {"up": False, "why": "not_set"}} | self._known[provider]).items():
            heard(kind, value)

    def tell(self, provider: str, kind: str, value: Any) -> None:
        """Tell each follower, and each later one the newest of each kind."""
        self._known[provider][kind] = value
        for heard in self._followers[provider]:
            heard(kind, value)
