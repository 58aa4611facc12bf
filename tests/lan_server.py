"""A chat server that gives what it is told to, and the little that a test needs to talk to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx

from appliance.audio import never
from appliance.llm.lan import LanModel
from appliance.ports import Message, Usage
from appliance.simulated import ListedTool

URL = "http://server:8080/v1"
KEY = "sk-very-secret"
HELLO = [Message("system", "Be brief."), Message("user", "hello")]
TIMER = ListedTool("set_timer", "Start a countdown.", {"minutes": {"type": "number"}}, ("minutes",), effect="act")


@dataclass(frozen=True)
class Text:
    """A Grammar that is only ever sent."""

    gbnf: str = 'root ::= "yes" | "no"'

    def likely(self, written: str) -> str:
        return ""

    def forced(self, written: str) -> str:
        return ""

    def free(self, written: str) -> bool:
        return False

    def barred(self, written: str) -> bool:
        return False

    def whole(self, written: str) -> bool:
        return False

    weighed = False


def events(*parts: object) -> str:
    return "".join(f"data: {part if isinstance(part, str) else json.dumps(part)}\n\n" for part in parts)


def delta(**fields: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


def piece(arguments: object, **fields: object) -> dict[str, Any]:
    """Of one tool call; `name` belongs to its function."""
    function = {"arguments": arguments} | ({"name": fields.pop("name")} if "name" in fields else {})
    return delta(tool_calls=[{"type": "function", "function": function, **fields}])


def spoken(*words: str) -> httpx.Response:
    return httpx.Response(
        200, text=events(delta(role="assistant", content=""), *(delta(content=w) for w in words), END)
    )


def refused(status: int, reason: object) -> httpx.Response:
    return httpx.Response(status, json=reason)


END = "[DONE]"


class Server:
    """Gives the answers in order, the last one for ever, and keeps what it was asked."""

    def __init__(self, *answers: httpx.Response) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def lan(server: Server, key: str = KEY) -> LanModel:
    return LanModel(URL, "big", key, 5, transport=httpx.MockTransport(server))


def written(model: LanModel, limit: int = 16, usage: Usage | None = None, grammar: Text | None = None) -> list[str]:
    return list(model.generate(HELLO, grammar, limit, usage or Usage(), never))
