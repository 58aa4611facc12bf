"""The server's application: the routes, the page's files, and what holds for every answer."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.routing import Route as Path_
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.hub.gate import SAFE, Route, respond
from appliance.hub.openapi import document
from appliance.hub.problems import Problem
from appliance.hub.routes import ROUTES
from appliance.hub.state import Hub

T = TypeVar("T")
PAGE = Path(__file__).parent / "page"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
}
"""Of every answer. No other site may read one (no CORS), frame the page, or have it run what is not the hub's."""
API = ("/api/", "/v1/", "/metrics", "/readyz", "/healthz")
"""What no browser may keep."""


def application(hub: Hub, names: Collection[str] = (), page: Path = PAGE) -> ASGIApp:
    """names: by which the hub may be called, beside localhost and any address in digits."""
    by_path: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        by_path.setdefault(route.path, {})[route.method] = route
    described = JSONResponse(document(ROUTES, hub.version))

    async def openapi(request: Request) -> Response:
        _method(request, {"GET": None})
        return described

    paths: list[BaseRoute] = [Path_(path, Endpoint(partial(_answered, hub, each))) for path, each in by_path.items()]
    paths.append(Path_("/openapi.json", Endpoint(openapi)))
    if page.is_dir():
        paths.append(Mount("/", StaticFiles(directory=page, html=True)))
    handlers = {Problem: _problem, HTTPException: _of_starlette, Exception: _broke}
    return Shell(Starlette(routes=paths, exception_handlers=handlers), names)


class Endpoint:
    """Of a path, for any method: Starlette would look further where a function does not take one."""

    def __init__(self, answer: Callable[[Request], Awaitable[Response]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)


async def _answered(hub: Hub, routes: Mapping[str, Route], request: Request) -> Response:
    """Raises Problem."""
    return await respond(hub, _method(request, routes), request)


def _method(request: Request, routes: Mapping[str, T]) -> T:
    """Raises Problem."""
    method = "GET" if request.method in SAFE else request.method
    if method not in routes:
        allowed = ", ".join(routes)
        raise Problem(405, f"{request.method} is not for this path", f"use {allowed}", headers={"Allow": allowed})
    return routes[method]


async def _problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return problem.response()


async def _of_starlette(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = 404 if error.status_code == 405 else error.status_code  # no file is there: nothing else takes all paths
    return Problem(status, "there is nothing here", "see /openapi.json").response()


async def _broke(request: Request, error: Exception) -> Response:
    """It is in the journal with its traceback: the server writes it there."""
    return Problem(500, f"the hub broke ({type(error).__name__})", "see: journalctl -u va-hub").response()


class Shell:
    """Answers only to its own names, for a name that somebody else's DNS leads here is not ours; sets HEADERS."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app, self._names = app, {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        app = self._app if self._is_ours(dict(scope["headers"]).get(b"host", b"").decode("latin-1")) else _misdirected
        await app(scope, receive, _with_headers(scope, send))

    def _is_ours(self, host: str) -> bool:
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name.lower().rstrip(".") in self._names
        return True


def _with_headers(scope: Scope, send: Send) -> Send:
    kept = b"no-store" if scope["path"].startswith(API) else b"no-cache"

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [each for each in message["headers"] if each[0].lower() != b"cache-control"]
            headers += [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*headers, (b"cache-control", kept)]
        await send(message)

    return sent


async def crowded(scope: Scope, receive: Receive, send: Send) -> None:
    """Takes the place of the application for a connection that is one too many, which then ends."""
    problem = Problem(
        503,
        "too many connections are open",
        "close pages and programs that use the box, and try again",
        kind="crowded",
        headers={"Connection": "close"},
    )
    await problem.response()(scope, receive, _with_headers(scope, send))


async def _misdirected(scope: Scope, receive: Receive, send: Send) -> None:
    problem = Problem(421, "the hub does not go by this name", "set hub.name, or use its address", kind="misdirected")
    await problem.response()(scope, receive, send)
