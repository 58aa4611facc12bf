"""What each request passes before a handler gets it: how often, who, whether they may, how much, of which shape."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from appliance.errors import first_fault
from appliance.hub.access import Caller, Role
from appliance.hub.problems import Problem
from appliance.hub.running import HEADER, LONGEST_KEY, Running, Tell
from appliance.hub.sessions import COOKIE, CSRF_HEADER, same
from appliance.hub.state import Hub, Remembered

log = logging.getLogger(__name__)

MOST_BYTES = 1 << 20
"""Of a body (spec/hub.md)."""
BODY_S = 15.0
"""For a whole body to arrive."""
PING_S = 15
"""Between two signs of life in a stream of events."""
SEND_S = 30
"""For one event to be taken by whoever follows."""
SAFE = ("GET", "HEAD")


@dataclass
class Call:
    """One request that may be carried out."""

    hub: Hub
    request: Request
    body: Any
    """An instance of what the route takes; bytes, where it takes none of its own."""
    _caller: Caller | None

    @property
    def caller(self) -> Caller:
        """Only where the route asks for a token."""
        assert self._caller
        return self._caller

    @property
    def talks(self) -> Remembered:
        return self.hub.talks[self.caller.name]

    @property
    def chats(self) -> Remembered:
        return self.hub.chats[self.caller.name]


Handler = Callable[[Call, Tell], Awaitable[Any]]
"""Gives a model or a Response; raises Problem. Tells of what is streamed while it works."""
Present = Callable[[Call, Running], AsyncIterator[ServerSentEvent]]
"""How the work's events and its end are streamed."""


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    handler: Handler
    who: frozenset[Role] | None
    """Who may; None is anybody, without a token."""
    summary: str
    takes: type[BaseModel] | None = None
    gives: type[BaseModel] | None = None
    media: str = "application/json"
    """Of what it gives."""
    changes: bool = False
    """Something is done: the journal notes who did, and a key (Idempotency-Key) has it done once."""
    wants_stream: Callable[[Call], bool] | None = None
    present: Present | None = None
    uploads: bool = False
    """A form with a file, in place of JSON."""
    problems: tuple[int, ...] = ()
    """Statuses of its own, beside those of all routes of its kind."""


async def respond(hub: Hub, route: Route, request: Request) -> Response:
    began_s = time.monotonic()
    try:
        response = await _respond(hub, route, request)
    except Problem as problem:
        response = problem.response()
    hub.metrics.answered(route.path, response.status_code, time.monotonic() - began_s)
    return response


async def _respond(hub: Hub, route: Route, request: Request) -> Response:
    """Raises Problem."""
    address = address_of(request)
    limited(hub.per_address.take(address))
    caller = _let_in(hub, route, request)
    body = await _body(request)
    call = Call(hub, request, _read(route, request, body), caller)
    running, keyed = await _begun(route, call, body)
    if route.present and route.wants_stream and route.wants_stream(call):
        response: Response = await _streamed(route.present, call, running, keyed)
    else:
        response = _answer(await running.answer())
    if route.changes:
        who = caller.name if caller else "nobody"
        log.info("%s at %s: %s %s: %d", who, address, route.method, route.path, response.status_code)
    return response


def limited(wait_s: int) -> None:
    """Raises Problem."""
    if wait_s:
        raise Problem(429, "too many requests", f"wait {wait_s} s", kind="too_many", retry_s=wait_s)


def address_of(request: Request) -> str:
    """Of whoever asks."""
    return request.client.host if request.client else "local"


def _let_in(hub: Hub, route: Route, request: Request) -> Caller | None:
    """None where nobody has to say who they are. Raises Problem."""
    if route.who is None:
        return None
    caller = caller_of(hub, request)
    if caller is None:
        limited(hub.failures.take(address_of(request)))
        headers = {"WWW-Authenticate": 'Bearer realm="voice appliance"'}
        raise Problem(401, "no token, or one that is not known", "send Authorization: Bearer TOKEN", headers=headers)
    if caller.role not in route.who:
        detail = f"a token of a {caller.role} may not do this"
        raise Problem(403, detail, f"use one of: {', '.join(sorted(route.who))}", kind="not_allowed")
    limited(hub.per_token.take(caller.name))
    return caller


def caller_of(hub: Hub, request: Request) -> Caller | None:
    """By its token, or by its session; a change within a session needs its csrf. Raises Problem."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind:
        return hub.tokens.caller(token.strip()) if kind.lower() == "bearer" else None
    session = hub.sessions.find(request.cookies.get(COOKIE, ""))
    if session is None:
        return None
    if request.method not in SAFE and not same(request.headers.get(CSRF_HEADER, ""), session.csrf):
        raise Problem(403, "the header X-CSRF is not that of the session", "sign in again", kind="csrf")
    return hub.tokens.caller_of_hash(session.token_sha256)


async def _body(request: Request) -> bytes:
    """Raises Problem."""
    too_long = Problem(413, f"a body of more than {MOST_BYTES:,} bytes", "send less", kind="too_long")
    told = request.headers.get("content-length", "0")
    if told.isdecimal() and int(told) > MOST_BYTES:
        raise too_long
    parts, length = [], 0
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                parts.append(part)
                if (length := length + len(part)) > MOST_BYTES:
                    raise too_long
    except TimeoutError:
        raise Problem(408, f"the body did not arrive within {BODY_S:.0f} s", "send it faster") from None
    return b"".join(parts)


def _read(route: Route, request: Request, body: bytes) -> Any:
    """Raises Problem."""
    if route.takes is None:
        return body
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise Problem(415, "the body is no application/json", "send Content-Type: application/json")
    try:
        return route.takes.model_validate_json(body)
    except ValidationError as error:
        at = error.errors(include_url=False, include_context=False)[0]["loc"]
        told, field = first_fault(error, "the body"), str(at[0]) if at else ""
        raise Problem(422, told, "see /openapi.json", kind="bad_schema", field=field) from None


async def _begun(route: Route, call: Call, body: bytes) -> tuple[Running, bool]:
    """The work, and whether it goes on though whoever asked for it goes away. Raises Problem."""

    async def work(tell: Tell) -> Any:
        return await route.handler(call, tell)

    key = call.request.headers.get(HEADER, "")
    if not (key and route.changes and call._caller):
        return Running(work), False
    if len(key) > LONGEST_KEY:
        raise Problem(422, f"a key of more than {LONGEST_KEY} characters", "use a UUID", kind="bad_schema")
    whole = f"{call.caller.name} {route.method} {route.path} {key}"
    return await call.hub.once.run(whole, body, work), True


async def _streamed(present: Present, call: Call, running: Running, keyed: bool) -> Response:
    """Raises Problem where it fails before it told anything: its status is then the right one."""
    await running.begun()
    if running.problem:
        raise running.problem

    async def stream() -> AsyncIterator[ServerSentEvent]:
        try:
            async for event in present(call, running):
                yield event
        finally:
            if not keyed:
                running.abandon()

    return EventSourceResponse(stream(), ping=PING_S, send_timeout=SEND_S)


def _answer(given: Any) -> Response:
    if isinstance(given, Response):
        return given
    return JSONResponse(given.model_dump(mode="json"))


def wants_events(call: Call) -> bool:
    return "text/event-stream" in Headers(scope=call.request.scope).get("accept", "")
