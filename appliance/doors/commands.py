"""POST /commands at the health socket: a command of ports/commands.py in JSON, carried out by the running service.

Whoever may open the socket (its group) may have things told. Only root and the service's own user may change anything:
the kernel says who the caller is (SO_PEERCRED, man unix). Over a network nobody may do either.
"""

from __future__ import annotations

import logging
import os
import re
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore, Event
from types import TracebackType

from pydantic import ValidationError

from appliance.doors.health import PATIENCE_S, response
from appliance.errors import (
    ApplianceError,
    OtherState,
    PartMissing,
    TurnFailed,
    WrongUse,
    explained,
    first_fault,
    logged,
)
from appliance.ports import CarryOut, Command

log = logging.getLogger(__name__)

PATH = "/commands"
WAITING = 4
"""Commands that wait at once: more are a program in a loop, not people."""
LONGEST = 8_192
"""Bytes of a command."""
START_S = 20.0
"""Longest wait for a service that is starting: what it keeps is open within seconds, long before its models are."""
ROOT = 0
_UCRED = struct.Struct("=iII")
"""pid, uid, gid."""
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r\n", re.IGNORECASE)
STATUS = {2: "400 Bad Request", 3: "503 Service Unavailable", 4: "500 Internal Server Error"}
"""Exit code of an error -> how it is answered. Its JSON has the code."""


class CommandDesk:
    """A context manager. Each command has a thread of its own while it waits for the one that carries it out."""

    def __init__(self) -> None:
        self._opened, self._free = Event(), BoundedSemaphore(WAITING)
        self._carry_out: CarryOut | None = None
        self._pool = ThreadPoolExecutor(WAITING, thread_name_prefix="commands")

    def open(self, carry_out: CarryOut) -> None:
        """Until then commands wait."""
        self._carry_out = carry_out
        self._opened.set()

    def __enter__(self) -> CommandDesk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.set()  # whoever waits for a start that has ended
        self._pool.shutdown(wait=False, cancel_futures=True)

    def take(self, caller: socket.socket, request: bytes) -> None:
        """A `Taker` of health.py."""
        if not self._free.acquire(blocking=False):
            busy = TurnFailed("too many commands wait already; nothing was done", remedy="try again in a moment")
            with caller:
                caller.sendall(_refusal(busy))
            return
        try:
            self._pool.submit(self._serve, caller, request).add_done_callback(lambda _: self._free.release())
        except RuntimeError:  # closed meanwhile
            caller.close()

    def _serve(self, caller: socket.socket, request: bytes) -> None:
        with caller, logged(log, "a command"):
            try:
                answer = self._answer(caller, request)
            except ApplianceError as error:
                answer = _refusal(error)
            except OSError as error:
                log.debug("whoever gave a command went away or was too slow (%s)", error)
                return
            _send(caller, answer)

    def _answer(self, caller: socket.socket, request: bytes) -> bytes:
        """Raises ApplianceError, OSError."""
        uid = _uid(caller)
        command = _command(_body(caller, request))
        if not self._opened.wait(START_S) or self._carry_out is None:
            raise PartMissing("the service is still starting", remedy="try again in a moment")
        since_s = time.monotonic()
        with explained(_broke, log):
            answer = self._carry_out(command, uid in (ROOT, os.geteuid()))
        log.info("command of user %d: %s in %.0f ms", uid, answer.tool or "told", (time.monotonic() - since_s) * 1_000)
        return response("200 OK", answer.model_dump(mode="json"))


def _broke(error: Exception) -> ApplianceError:
    return TurnFailed(f"the command broke ({type(error).__name__})", remedy="see the journal: journalctl -u va")


def _uid(caller: socket.socket) -> int:
    """Who it is. Raises WrongUse for one who comes over a network."""
    if caller.family != socket.AF_UNIX:
        raise WrongUse("commands are taken from this machine alone", remedy="use the socket in /run/va")
    _, uid, _ = _UCRED.unpack(caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))
    return int(uid)


def _body(caller: socket.socket, request: bytes) -> bytes:
    """Raises WrongUse, OSError."""
    head, _, body = request.partition(b"\r\n\r\n")
    told = _CONTENT_LENGTH.search(head + b"\r\n")
    length = int(told[1]) if told else 0
    if not 0 < length <= LONGEST:
        raise WrongUse(f"a command has 1 to {LONGEST:,} bytes, told by Content-Length", remedy="shorten it")
    ends_s = time.monotonic() + PATIENCE_S
    while len(body) < length:
        caller.settimeout(max(ends_s - time.monotonic(), 0.001))
        more = caller.recv(length - len(body))
        if not more:
            raise ConnectionError("it broke off")
        body += more
    return body[:length]


def _command(body: bytes) -> Command:
    """Raises WrongUse."""
    try:
        return Command.model_validate_json(body)
    except ValidationError as error:
        raise no_command(error) from None


def no_command(error: ValidationError) -> WrongUse:
    return WrongUse(first_fault(error, "the command"), remedy=f"keys: {', '.join(Command.model_fields)}")


def _refusal(error: ApplianceError) -> bytes:
    told = {"error": error.what, "remedy": error.remedy, "code": error.exit_code}
    return response("409 Conflict" if isinstance(error, OtherState) else STATUS[error.exit_code], told)


def _send(caller: socket.socket, answer: bytes) -> None:
    try:
        caller.settimeout(PATIENCE_S)
        caller.sendall(answer)
    except OSError as error:
        log.debug("whoever gave a command did not wait for the answer (%s)", error)
