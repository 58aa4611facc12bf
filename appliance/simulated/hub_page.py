"""A hub for the page alone: signs in, tells what a test put there, and hands commands on. Adapts Starlette.

What the page must not see of the real hub is left out: rate limits, roles, the core behind it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.errors import ApplianceError
from appliance.ports import Answer

TOKEN, CODE = "token-of-the-owner", "12345678"
COOKIE = "session"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "microphone=(self)",
    "Cache-Control": "no-cache",
}
OPEN = ("/api/v0/login", "/api/v0/pair", "/api/v0/pair/button", "/api/v0/pair/first", "/api/v0/door")
STATUS = {2: 400, 3: 503, 4: 500}
"""Exit code of an error -> how it is answered."""

Row = dict[str, Any]
CarryOut = Callable[[str, Sequence[str], bool], Answer]
"""Skill, words and yes -> what came of it. Raises ApplianceError."""


def problem(status: int, detail: str, remedy: str = "", kind: str = "", **more: str) -> JSONResponse:
    told = {"title": HTTPStatus(status).phrase, "detail": detail, "remedy": remedy, "status": status} | more
    return JSONResponse(told | {"kind": kind}, status, media_type="application/problem+json")


class PageHub:
    """`app` is served by whoever makes it. What it tells may be changed while it runs."""

    def __init__(self, page: Path, carry_out: CarryOut) -> None:
        self.carry_out = carry_out
        self._sessions = dict[str, str]()
        """Cookie -> csrf."""
        self._watchers = set[asyncio.Queue[bytes | None]]()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.asked: list[tuple[str, str, Row]] = []
        """Method, path and body of each request to the API that was let in."""
        self.broken: dict[str, tuple[int, str, str] | tuple[int, str, str, str]] = {}
        """Path -> status, title, remedy and perhaps kind that it is refused with."""
        self.slow_s: dict[str, float] = {}
        """Path -> how long its answer takes."""
        self.status: Row = {"ready": True, "state": "idle", "trouble": "", "next_ring_s": None, "microphone": "open"}
        self.turns: list[Row] = []
        self.replies: list[Row] = []
        """What lines are answered, one after the other."""
        self.facts: list[Row] = []
        self.facts_said = ""
        """In place of them."""
        self.reasons: dict[int, Row] = {}
        self.skills: list[Row] = []
        self.settings: Row = {}
        self.checks: list[Row] = []
        self.installed: Row = {}
        self.networks: list[Row] = []
        self.owned, self.language = True, "en"
        self.heard = "what time is it"
        self.wav = b""
        """What was to be transcribed last."""
        self._routes = self._made(page)
        self.app: ASGIApp = self._serve

    def tell(self, event: str, data: Row) -> None:
        """From any thread: to whoever watches."""
        self._hand(f"event: {event}\ndata: {json.dumps(data)}\n\n".encode())

    @property
    def watching(self) -> int:
        """How many do."""
        return len(self._watchers)

    def close(self) -> None:
        """Whoever watches is let go."""
        self._hand(None)

    def expire(self) -> None:
        """Nobody is signed in any more."""
        self._sessions.clear()

    def said(self, path: str) -> list[Row]:
        """Bodies of what was posted or put there."""
        return [body for method, asked, body in self.asked if asked == path and method != "GET"]

    def _hand(self, line: bytes | None) -> None:
        for queue in [*self._watchers]:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(queue.put_nowait, line)

    def _made(self, page: Path) -> Starlette:
        handlers: dict[str, Callable[[Row], Row | Response]] = {
            "POST /api/v0/login": self._login,
            "GET /api/v0/session": self._session,
            "POST /api/v0/logout": self._logout,
            "POST /api/v0/pair": self._pair,
            "POST /api/v0/pair/button": lambda _: {"token": TOKEN},
            "GET /api/v0/status": lambda _: self.status | {"turns": self.turns},
            "GET /api/v0/events": self._events,
            "POST /api/v0/conversation/start": lambda body: {"status": "ok"} | body,
            "POST /api/v0/voice/command": self._reply,
            "POST /api/v0/voice/command/continue": self._reply,
            "POST /api/v0/stop": lambda _: {},
            "POST /api/v0/mute": lambda _: {},
            "POST /api/v0/commands": self._command,
            "GET /api/v0/doctor": lambda _: {"checks": self.checks},
            "GET /api/v0/installed": lambda _: self.installed,
            "GET /api/v0/door": lambda _: {"owned": self.owned, "language": self.language},
            "POST /api/v0/pair/first": lambda _: {},
            "POST /api/v0/restart": self._restart,
            "GET /api/v0/settings": lambda _: self.settings,
            "PUT /api/v0/settings": self._set,
            "GET /api/v0/wifi": lambda _: {"networks": self.networks},
            "POST /api/v0/wifi/join": lambda body: {"joined": body["network"]},
            "POST /api/v0/wifi/keep": lambda _: {},
            "GET /api/v0/skills": lambda _: {"skills": self.skills},
            "PUT /api/v0/skills/{name}": self._switch,
            "GET /api/v0/memory": self._find,
            "GET /api/v0/memory/{id}/why": lambda body: self.reasons[int(body["id"])],
            "POST /api/v0/memory/{id}/correct": self._correct,
            "POST /api/v0/memory/{id}/forget": self._forget,
            "POST /v1/audio/transcriptions": self._transcribe,
        }
        routes = list[BaseRoute]()
        for name, handler in handlers.items():
            method, path = name.split(" ")
            routes.append(self._route(method, path, handler))
        return Starlette(routes=[*routes, Mount("/", StaticFiles(directory=page, html=True))])

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The app, with the headers of each answer."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        self._loop = asyncio.get_running_loop()
        await self._routes(scope, receive, sent)

    def _refusal(self, request: Request) -> Response | None:
        path = request.url.path
        csrf = self._sessions.get(request.cookies.get(COOKIE, ""))
        if path not in OPEN and csrf is None:
            return problem(401, "nobody is signed in", "sign in with a token")
        if path not in OPEN and request.method != "GET" and request.headers.get("X-CSRF") != csrf:
            return problem(403, "the change has no token of this page", "load the page again")
        return problem(*self.broken[path]) if path in self.broken else None

    def _login(self, body: Row) -> Response:
        if body.get("token") != TOKEN:
            return problem(401, "that token is not known", "make one: sudo appliance hub token add")
        cookie, csrf = secrets.token_hex(8), secrets.token_hex(8)
        self._sessions[cookie] = csrf
        response = JSONResponse({"csrf": csrf, "name": "phone", "role": "owner"})
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict")
        return response

    def _session(self, body: Row) -> Row:
        return {"csrf": self._sessions[body["cookie"]], "name": "phone", "role": "owner"}

    def _logout(self, body: Row) -> Row:
        del self._sessions[body["cookie"]]
        return {}

    def _pair(self, body: Row) -> Row | Response:
        return {"token": TOKEN} if body.get("code") == CODE else problem(403, "nobody pairs now", "run: hub pair")

    def _events(self, _: Row) -> Response:
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _stream(self) -> AsyncIterator[bytes]:
        queue = asyncio.Queue[bytes | None]()
        self._watchers.add(queue)
        try:
            yield b": hello\n\n"
            while line := await queue.get():
                yield line
        finally:
            self._watchers.discard(queue)

    def _reply(self, body: Row) -> Row | Response:
        told: Row = dict(self.replies.pop(0)) if self.replies else {"assistant_message": "It is noon."}
        if "status" in told:
            return problem(told["status"], told["title"], told["remedy"])
        asked = {key: body.get(key) for key in ("voice_command", "conversation_id")}
        clauses = told.pop("clauses", [])
        base: Row = {"commands": [], "request_information": asked, "stop_reason": "complete", "tool_calls": None}
        whole = base | {"assistant_message": "", "validation_request": None} | told
        return StreamingResponse(_aloud(clauses, whole), media_type="text/event-stream") if clauses else whole

    def _command(self, body: Row) -> Row | Response:
        try:
            return self.carry_out(body["skill"], body["words"], body["yes"]).model_dump(mode="json")
        except ApplianceError as error:
            return problem(STATUS[error.exit_code], error.what, error.remedy)

    def _set(self, body: Row) -> Row | Response:
        if body.get("timezone") == "Nowhere/Land":
            return problem(422, "there is no time zone Nowhere/Land", "choose one of the list", field="timezone")
        body = {name: value for name, value in body.items() if name in self.settings["values"]}
        self.settings["values"] |= body
        self.settings["waits"] = [*body.keys() - {"volume"}]
        self.settings["set_up"] = self.status["set_up"] = True
        return self.settings

    def _restart(self, _: Row) -> Row:
        self.settings["waits"] = []
        for skill in self.skills:
            skill["waits"] = False
        return {}

    def _switch(self, body: Row) -> Row:
        skill = next(each for each in self.skills if each["name"] == body["name"])
        skill |= {"on": body["on"], "waits": True}
        self.settings["waits"] = ["skills"]
        return {"skills": self.skills}

    def _find(self, body: Row) -> Row:
        if self.facts_said:
            return {"said": self.facts_said, "rows": None}
        wanted = body.get("query", "").casefold()
        return {"facts": [fact for fact in self.facts if wanted in fact["text"].casefold()][: int(body["limit"])]}

    def _correct(self, body: Row) -> Row:
        fact = next(each for each in self.facts if each["id"] == int(body["id"]))
        fact["text"] = body["text"]
        return fact

    def _forget(self, body: Row) -> Row:
        self.facts = [each for each in self.facts if each["id"] != int(body["id"])]
        return {"forgotten": 1}

    def _transcribe(self, body: Row) -> Row:
        self.wav = body["file"]
        return {"text": self.heard}

    def _route(self, method: str, path: str, handler: Callable[[Row], Row | Response]) -> Route:
        """`handler` is called on a thread, as the commands of a core take their time."""

        async def answer(request: Request) -> Response:
            await asyncio.sleep(self.slow_s.get(request.url.path, 0))
            if refusal := self._refusal(request):
                return refusal
            body = await _body(request)
            self.asked.append((method, request.url.path, body))
            told = await run_in_threadpool(handler, body | {"cookie": request.cookies.get(COOKIE, "")})
            return told if isinstance(told, Response) else JSONResponse(told)

        return Route(path, answer, methods=[method])


async def _aloud(clauses: Sequence[Row], whole: Row) -> AsyncIterator[bytes]:
    """Each after a while: {"text": ..} or, in place of the end, {"error": ..}; an error of None breaks off."""
    for each in clauses:
        await asyncio.sleep(1.0)
        name, data = ("error", each["error"]) if "error" in each else ("text", each)
        if not data:
            return
        yield f"event: {name}\r\ndata: {json.dumps(data)}\r\n\r\n".encode()
        if name == "error":
            return
    await asyncio.sleep(1.0)
    yield f": alive\r\n\r\nevent: done\r\ndata: {json.dumps(whole)}\r\n\r\n".encode()


async def _body(request: Request) -> Row:
    """What was sent, with the query and the names in the path."""
    more: Row = dict(request.query_params) | request.path_params
    if "multipart/form-data" in request.headers.get("Content-Type", ""):
        form = await request.form()
        return more | {name: await value.read() if hasattr(value, "read") else value for name, value in form.items()}
    raw = await request.body()
    return more | (json.loads(raw) if raw else {})
