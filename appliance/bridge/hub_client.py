"""A client of a hub's Command API. Each POST has a key of its own, under which it is tried again and done once."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

import httpx
from httpx_sse import EventSource, SSEError
from pydantic import BaseModel, ValidationError

from appliance.bridge.hub_trust import OTHER, trust
from appliance.bridge.trouble import Lost
from appliance.ports.command_api import CommandResult, Earlier, NodeContext, Started, ToolResult

T = TypeVar("T", bound=BaseModel)
Told = Callable[[str], None]
"""Hears each clause of an answer as it comes."""

V0 = "/api/v0"
CONNECT_S = 2.0
"""For a hub at home to take a connection: SYN and one retry of it."""
PAUSES_S = (0.2, 0.5)
"""Before the second and the third attempt."""
WAIT_MOST_S = 2.0
"""A hub that asks for a longer pause is told of as busy: nobody waits in silence."""
MOST_BYTES = 1 << 20
"""Of an answer (spec/hub.md has that for a body)."""
EVENTS = "text/event-stream"
ACCEPT = f"{EVENTS}, application/json"

WHY_OF_KIND = {
    "no_conversation": "no_talk",
    "expired": "no_talk",
    "key_used": "unknown",
    "unknown": "unknown",
    "slow": "unknown",
}
"""The `kind` of a hub's problem -> a code of TROUBLE; before what its status says."""
WHY_OF_STATUS = {
    401: "refused",
    403: "refused",
    404: "no_talk",
    409: "out_of_step",
    413: "unfit",
    422: "unfit",
    429: "busy",
    503: "not_ready",
    504: "unknown",
}
AGAIN = {"busy", "no_server", "not_ready", "unknown"}
"""After which the same is sent once more, under the same key."""
TOUCHED = {"failed", "unknown"}
"""After which something may have been done."""


class HubLost(Lost):
    """A request that got no answer, or a refusal."""

    def __init__(self, why: str, detail: str = "", wait_s: float = 0.0) -> None:
        super().__init__(why, detail)
        self.wait_s = wait_s


def nobody(clause: str) -> None:
    """A `Told` that does not listen."""


class HubClient:
    """An async context manager. Every method raises HubLost; how long all of it may take is the caller's to say."""

    def __init__(self, url: str, token: str, context: NodeContext, fingerprint: str = "") -> None:
        self._context = context.model_dump(exclude={"earlier"})
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            verify=trust(fingerprint),
            trust_env=False,
            timeout=httpx.Timeout(None, connect=CONNECT_S),
            headers={"Authorization": f"Bearer {token}", "User-Agent": "voice-appliance-node"},
        )

    async def __aenter__(self) -> HubClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def start_conversation(self, conversation: str, tools: Sequence[Mapping[str, Any]]) -> Started:
        """tools: OpenAI's function schemas, of what may be called here."""
        return await self._post("/conversation/start", Started, self._body(conversation, client_tools=[*tools]))

    async def send_command(
        self,
        conversation: str,
        text: str,
        told: Told = nobody,
        earlier: Sequence[Earlier] = (),
        speaker: str = "",
    ) -> CommandResult:
        """earlier: what was answered without the hub since the last line that it got.  speaker: who spoke, a guest."""
        more = {"earlier": [each.model_dump() for each in earlier], "speaker": speaker}
        context = self._context | {
            key: value for key, value in more.items() if value
        }  # an older hub knows none of them
        body = self._body(conversation, voice_command=text) | {"node_context": context}
        return await self._post("/voice/command", CommandResult, body, told)

    async def send_tool_results(
        self, conversation: str, results: Sequence[ToolResult], told: Told = nobody
    ) -> CommandResult:
        body = {"conversation_id": conversation, "tool_results": [each.model_dump(mode="json") for each in results]}
        return await self._post("/voice/command/continue", CommandResult, body, told)

    async def send_validation_response(self, conversation: str, text: str, told: Told = nobody) -> CommandResult:
        body = {"conversation_id": conversation, "validation_response": text}
        return await self._post("/voice/command/continue", CommandResult, body, told)

    async def stop(self, conversation: str) -> None:
        """End the answer that is being made."""
        await self._post("/conversation/stop", _Anything, {"conversation_id": conversation})

    async def look(self) -> None:
        """Whether it is there, knows this box, and can think."""
        with suppress(HubLost404):  # a hub of others that has no status
            await self._answered("GET", "/status", None, {}, _Clauses(nobody))

    def _body(self, conversation: str, **values: Any) -> dict[str, Any]:
        return {"conversation_id": conversation, "node_context": self._context, **values}

    async def _post(self, path: str, kind: type[T], body: dict[str, Any], told: Told = nobody) -> T:
        headers = {"Idempotency-Key": str(uuid4()), "Accept": ACCEPT}
        clauses = _Clauses(told)

        async def send() -> dict[str, Any]:
            return await self._answered("POST", path, body, headers, clauses)

        answer = await _persistently(send)
        try:
            result = kind.model_validate(answer)
        except ValidationError as error:
            raise HubLost("nonsense", error.errors(include_input=False)[0]["msg"]) from None
        if isinstance(result, CommandResult) and not clauses.count and result.assistant_message:
            told(result.assistant_message)
        return result

    async def _answered(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str], clauses: _Clauses
    ) -> dict[str, Any]:
        """One attempt. Raises HubLost."""
        request = self._http.build_request(method, V0 + path, json=body, headers=headers)
        try:
            response = await self._http.send(request, stream=True)
            try:
                return await _read(response, clauses)
            finally:
                await response.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _unreached(error) from None
        except (httpx.HTTPError, SSEError) as error:
            raise HubLost("unknown", type(error).__name__) from None


class _Anything(BaseModel):
    """An answer of which nothing is read."""


class HubLost404(HubLost):
    """There is nothing at that path."""


class _Clauses:
    """Hands on each clause once, also where an answer is told again from its first."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self.count = 0
        """Those that were handed on."""

    def heard(self, number: int, clause: str) -> None:
        """number: of this attempt, from 1."""
        if number > self.count:
            self.count = number
            self._told(clause)


async def _persistently(send: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
    """Up to three attempts. Raises the last one's HubLost; `unknown` where an earlier one may have done something."""
    touched: HubLost | None = None
    for pause_s in (*PAUSES_S, None):
        try:
            return await send()
        except HubLost as lost:
            touched = lost if lost.why in TOUCHED else touched
            if pause_s is None or lost.why not in AGAIN or lost.wait_s > WAIT_MOST_S:
                raise touched or lost from None
            await asyncio.sleep(max(pause_s, lost.wait_s))
    raise AssertionError("the last attempt returns or raises")


async def _read(response: httpx.Response, clauses: _Clauses) -> dict[str, Any]:
    """Raises HubLost, httpx.HTTPError."""
    media = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if response.is_success and media == EVENTS:
        return await _followed(response, clauses)
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > MOST_BYTES:
            raise HubLost("nonsense", f"more than {MOST_BYTES:,} bytes")
    told = _object(bytes(content))
    if response.is_success and told is not None:
        return told
    raise _refusal(response, told or {})


async def _followed(response: httpx.Response, clauses: _Clauses) -> dict[str, Any]:
    """The result at the end of a stream of events; an event that means nothing here is passed over."""
    number = 0
    async for event in EventSource(response).aiter_sse():
        if event.event == "text":
            number += 1
            clauses.heard(number, str((_object(event.data) or {}).get("text", "")))
        elif event.event == "done":
            return _object(event.data) or {}
        elif event.event == "error":
            raise _refusal(response, _object(event.data) or {})
    raise HubLost("unknown", "the stream ended early")


def _object(text: str | bytes) -> dict[str, Any] | None:
    """What JSON holds; None where that is no object."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _refusal(response: httpx.Response, problem: Mapping[str, Any]) -> HubLost:
    status = problem.get("status", response.status_code)
    status = status if isinstance(status, int) else response.status_code
    if status == 404 and "kind" not in problem:
        return HubLost404("nonsense", "HTTP 404")
    why = WHY_OF_KIND.get(str(problem.get("kind", ""))) or WHY_OF_STATUS.get(status)
    why = why or ("failed" if status >= 500 else "nonsense")
    wait = response.headers.get("retry-after", "")
    detail = f"HTTP {status}: {problem.get('detail', '')}".rstrip(": ")
    return HubLost(why, detail, float(wait) if wait.isdecimal() else 0.0)


def _unreached(error: httpx.TransportError) -> HubLost:
    """Nothing was sent."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, PermissionError):
            return HubLost("not_let_out")
        if isinstance(cause, ssl.SSLError):
            return HubLost("other_hub" if OTHER in str(cause) else "no_trust", str(cause))
        cause = cause.__cause__ or cause.__context__
    return HubLost("no_server", type(error).__name__)
