"""A hub's Command API without a hub: the shapes of spec/hub.md, and whatever answers a test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

PROBLEM = "application/problem+json"


def result(message: str = "", *calls: tuple[str, Mapping[str, Any]], asks: str = "", **others: Any) -> dict[str, Any]:
    """One result of the API. calls: name and arguments of each.  asks: a question."""
    made = [
        {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for index, (name, arguments) in enumerate(calls)
    ]
    return {
        "commands": [],
        "request_information": {"voice_command": "", "conversation_id": ""},
        "stop_reason": "tool_calls" if made else "validation_required" if asks else "complete",
        "assistant_message": message or asks,
        "tool_calls": made or None,
        "validation_request": {"question": asks, "options": None} if asks else None,
    } | others


def problem(status: int, kind: str, wait_s: int | None = None) -> Response:
    headers = {} if wait_s is None else {"Retry-After": str(wait_s)}
    told = {"status": status, "kind": kind, "detail": kind, "remedy": "none"}
    return JSONResponse(told, status, headers, media_type=PROBLEM)


class SimulatedHub:
    """`script`: a line -> its results, one behind the other as it is continued. Any other line is said back."""

    def __init__(self, script: Mapping[str, Sequence[dict[str, Any]]] | None = None, token: str = "t0ken") -> None:
        self.script, self._token = dict(script or {}), token
        self.streams = False
        """Whether answers come as events, each word a clause, where the client takes them."""
        self.instead: list[Response | str] = []
        """What the next requests get: a response; "hang": nothing, ever; "cut": it is done, and the answer lost."""
        self.asked: list[tuple[str, dict[str, Any]]] = []
        """Path and body of each request that was carried out."""
        self.keys: list[str] = []
        """Idempotency-Key of each POST that came."""
        self._done: dict[str, dict[str, Any]] = {}
        self._open: dict[str, list[dict[str, Any]]] = {}
        """Conversation -> results that are left of its line."""
        api = "/api/v0"
        self.app = Starlette(
            routes=[
                Route(f"{api}/status", self._status),
                Route(f"{api}/conversation/start", self._post, methods=["POST"]),
                Route(f"{api}/conversation/stop", self._post, methods=["POST"]),
                Route(f"{api}/voice/command", self._post, methods=["POST"]),
                Route(f"{api}/voice/command/continue", self._post, methods=["POST"]),
            ]
        )

    def paths(self) -> list[str]:
        """The last word of each path that was carried out."""
        return [path.rpartition("/")[2] for path, _ in self.asked]

    def forget(self) -> None:
        """As a hub that was started again."""
        self._open.clear()

    async def _status(self, request: Request) -> Response:
        if self.instead and self.instead[0] == "hang":
            await asyncio.sleep(60)
        return JSONResponse({"ready": True}) if self._knows(request) else problem(401, "unauthorized")

    async def _post(self, request: Request) -> Response:
        if not self._knows(request):
            return problem(401, "unauthorized")
        key, body = request.headers.get("idempotency-key", ""), await request.json()
        self.keys.append(key)
        instead = self.instead.pop(0) if self.instead and self.instead[0] != "hang" else next(iter(self.instead), None)
        if instead == "hang":
            await asyncio.sleep(60)
        if isinstance(instead, Response):
            return instead
        if key not in self._done:
            answer = self._carried_out(request.url.path, body)
            if isinstance(answer, Response):
                return answer
            self._done[key] = answer
        if instead == "cut":
            return _cut(self._done[key])
        return self._sent(self._done[key], request)

    def _carried_out(self, path: str, body: dict[str, Any]) -> dict[str, Any] | Response:
        self.asked.append((path, body))
        talk = body["conversation_id"]
        if path.endswith("/start"):
            self._open[talk] = []
            return {"status": "success", "conversation_id": talk}
        if talk not in self._open:
            return problem(404, "no_conversation")
        if path.endswith("/stop"):
            return {"status": "success"}
        if path.endswith("/command"):
            line = body["voice_command"]
            self._open[talk] = [*self.script.get(line, [result(f"You said: {line}.")])]
        if not self._open[talk]:
            return problem(409, "not_asked")
        return self._open[talk].pop(0)

    def _sent(self, answer: dict[str, Any], request: Request) -> Response:
        if not (self.streams and "stop_reason" in answer and "event-stream" in request.headers.get("accept", "")):
            return JSONResponse(answer)
        return StreamingResponse(_events(answer), media_type="text/event-stream")

    def _knows(self, request: Request) -> bool:
        return request.headers.get("authorization") == f"Bearer {self._token}"


async def _events(answer: Mapping[str, Any]) -> AsyncIterator[str]:
    for word in str(answer["assistant_message"]).split():
        yield f"event: text\ndata: {json.dumps({'text': word})}\n\n"
    yield f"event: done\ndata: {json.dumps(answer)}\n\n"


def _cut(answer: Mapping[str, Any]) -> Response:
    """Its first clauses at most, and then nothing more."""

    async def begun() -> AsyncIterator[str]:
        for word in str(answer.get("assistant_message", "")).split()[:1]:
            yield f"event: text\ndata: {json.dumps({'text': word})}\n\n"

    return StreamingResponse(begun(), media_type="text/event-stream")
