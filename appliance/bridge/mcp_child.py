"""An MCP server that is a program: a child of the bridge, with limits, and its pipes as the SDK wants them.

A child and no systemd unit of its own: the bridge has to hold both ends of its pipes anyway, the unit of the bridge
(va-bridge.service) already takes from it and all its children what they need not have, and an owner adds a server with
three lines of settings, without root. What one child must not take from the others is limited here for each.

The SDK's own client for this reads a line of any length, and hands HOME, PATH and USER of this process on.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from appliance.bridge.mcp_flow import MOST_LINE_BYTES, Flow
from appliance.bridge.trouble import Lost

Incoming = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]

CPU_S = 3_600
"""Of CPU in its whole life: a server that spins ends after an hour or two, at the lowest priority, and starts anew."""
FILE_BYTES = 64 << 20
"""Of a file that it writes."""
PROCESSES = 512
"""Of the bridge's user, threads among them; node has 11 at rest."""
NICE = 10
GRACE_S = 1.0
"""For it to end by itself once nothing more is said to it; as the specification of MCP wants."""


@asynccontextmanager
async def child(command: Sequence[str], environment: Mapping[str, str], memory_mb: int) -> AsyncIterator[Streams]:
    """Started, and at the end killed with all of its process group. Raises Lost, also in place of what runs within."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=dict(environment), cwd="/", start_new_session=True,
            limit=MOST_LINE_BYTES,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        raise Lost("no_program", str(error)) from None
    try:
        _limit(process.pid, memory_mb << 20)
        async with _piped(process) as streams:
            yield streams
    finally:
        await _end(process)


@asynccontextmanager
async def _piped(process: Process) -> AsyncIterator[Streams]:
    into, heard = anyio.create_memory_object_stream[Incoming](0)
    say, from_us = anyio.create_memory_object_stream[SessionMessage](0)
    async with into, heard, say, from_us, anyio.create_task_group() as group:
        group.start_soon(_read, process, into)
        group.start_soon(_write, process, from_us)
        yield heard, say
        group.cancel_scope.cancel()


def _limit(pid: int, data_bytes: int) -> None:
    """RLIMIT_DATA and not RLIMIT_AS: node reserves many gigabytes of addresses that it never touches."""
    limits = {
        resource.RLIMIT_DATA: data_bytes,
        resource.RLIMIT_CPU: CPU_S,
        resource.RLIMIT_NPROC: PROCESSES,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    with suppress(ProcessLookupError):  # it has ended already
        for kind, most in limits.items():
            _, hard = resource.prlimit(pid, kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(pid, kind, (most, most))
        os.setpriority(os.PRIO_PROCESS, pid, NICE)


async def _read(process: Process, into: MemoryObjectSendStream[Incoming]) -> None:
    """Raises Lost: at its end, and for a line or a flow that is too much."""
    assert process.stdout
    flow = Flow()
    while True:
        try:
            line = await process.stdout.readline()
        except ValueError:
            raise Lost("flood", f"a line of more than {MOST_LINE_BYTES} bytes") from None
        if not line:
            raise Lost("ended", await _how(process))
        flow.count(len(line))
        if line.strip():
            await into.send(_message(line))


async def _how(process: Process) -> str:
    with anyio.move_on_after(GRACE_S):
        return f"exit status {await process.wait()}"
    return "its output was closed"


def _message(line: bytes) -> Incoming:
    """What is none is handed on as an error, as the SDK's own client does: it is logged, and no reason to end."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _write(process: Process, from_us: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin
    async for each in from_us:
        process.stdin.write(each.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
        with suppress(ConnectionError):  # it has ended: its output says so too
            await process.stdin.drain()


async def _end(process: Process) -> None:
    """The child and all of its group. Who left the group ends with the bridge's unit."""
    assert process.stdin
    process.stdin.close()
    try:
        with anyio.CancelScope(shield=True), anyio.move_on_after(GRACE_S):
            await process.wait()
    finally:  # also where the task is cancelled, which no scope holds back
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        # Or it waits for what a grandchild in another group holds open; nothing public closes it.
        process._transport.close()  # type: ignore[attr-defined]
