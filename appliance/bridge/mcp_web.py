"""An MCP server at an address, by streamable HTTP; what it sends is counted, whoever of the SDK reads it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from appliance.bridge.mcp_flow import MOST_LINE_BYTES, Flow
from appliance.bridge.trouble import Lost

CONNECT_S, SILENT_S = 5.0, 300.0
"""To connect; and between two pieces of an answer, which the time of a call ends long before: of a stream of news."""
REFUSED = (401, 403)


@asynccontextmanager
async def web(url: str, headers: Mapping[str, str]) -> AsyncIterator[TransportStreams]:
    """Raises Lost, also in place of what runs within."""
    counted = _Counted()
    plain = {**headers, "Accept-Encoding": "identity"}
    times = httpx2.Timeout(CONNECT_S, read=SILENT_S)
    async with (
        httpx2.AsyncClient(transport=counted, headers=plain, timeout=times) as client,
        anyio.create_task_group() as group,
        streamable_http_client(url, http_client=client, max_sse_event_size=MOST_LINE_BYTES) as streams,
    ):
        group.start_soon(counted.fail)
        yield streams
        group.cancel_scope.cancel()


class _Counted(httpx2.AsyncHTTPTransport):
    """Remembers what went wrong: the SDK makes log lines of some of it, and errors of a protocol of the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._flow, self._over, self._lost = Flow(), asyncio.Event(), Lost("no_server")

    async def fail(self) -> None:
        """Raises Lost once there is a reason to."""
        await self._over.wait()
        raise self._lost

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            response = await super().handle_async_request(request)
        except httpx2.TransportError as error:
            self._end(Lost("no_server", str(error)))
            raise
        if response.status_code in REFUSED:
            self._end(Lost("refused", f"HTTP {response.status_code}"))
        if response.headers.get("Content-Encoding", "identity") != "identity":  # nobody asked for it: it may be a bomb
            self._end(Lost("nonsense", "a packed answer"))
            await response.aclose()
            raise httpx2.DecodingError("a packed answer", request=request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _CountedStream(response.stream, self)
        return response

    def count(self, length: int, messages: int) -> None:
        """Raises ReadError where that is too much."""
        try:
            self._flow.count(length, messages)
        except Lost as lost:
            self._end(lost)
            raise httpx2.ReadError(str(lost)) from None

    def _end(self, lost: Lost) -> None:
        if not self._over.is_set():
            self._lost = lost
            self._over.set()


class _CountedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, counted: _Counted) -> None:
        self._stream, self._counted = stream, counted

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._counted.count(len(piece), piece.count(b"\n\n") + piece.count(b"\r\n\r\n"))
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
