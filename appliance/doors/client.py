"""One question, or one command, to the running service, at the socket that systemd holds for it."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

from pydantic import ValidationError

from appliance.errors import ApplianceError, PartMissing, TurnFailed, WrongUse
from appliance.ports import Answer, Command

SOCKET = Path("/run/va/api.sock")
"""As in systemd/va-api.socket."""
PATIENCE_S = 3.0
OF_CODE: dict[int, type[ApplianceError]] = {2: WrongUse, 3: PartMissing, 4: TurnFailed}
"""Exit code -> what is raised."""
RESTART = "start it again: sudo systemctl restart va-api.socket va"
UNKNOWN = "whether it was done is not known: look, and see journalctl -u va"


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        super().__init__("va", timeout=patience_s)
        self._path = path

    def connect(self) -> None:
        """Into a queue: who is in it waits for the answer, who is not in it soon never will be."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE_S)
        self.sock.connect(str(self._path))
        self.sock.settimeout(self.timeout)


def ask(target: str, path: Path = SOCKET) -> dict[str, object] | None:
    """As `read`, of what is answered in JSON."""
    text = read(target, path)
    try:
        return None if text is None else dict(json.loads(text))
    except ValueError as error:
        raise OSError(f"it answers nonsense: {error}") from None


def read(target: str, path: Path = SOCKET) -> str | None:
    """What is answered there, whether or not all is well; None where it does not know such a question.

    Ask only while the service runs: systemd starts it for who asks. Raises OSError where nobody answers.
    """
    connection = _OverSocket(path)
    try:
        connection.request("GET", target)
        answer = connection.getresponse()
        told = answer.read().decode()
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(f"it answers nonsense: {error}") from None
    finally:
        connection.close()
    return told if answer.status in (200, 503) else None


def command(given: Command, patience_s: float, path: Path | None = None) -> Answer | None:
    """Have the running service carry it out; None where that has another state folder, or is not for this user.

    Raises ApplianceError, which says whether it was done.
    """
    connection = _OverSocket(path or SOCKET, patience_s)
    try:
        try:
            _connect(connection)
        except PermissionError:
            return None
        try:
            with suppress(BrokenPipeError):  # refused before it was read whole: the answer is there
                connection.request("POST", "/commands", given.model_dump_json().encode())
            answer = connection.getresponse()
            status, body = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            why = f"no answer within {patience_s:.0f} s" if isinstance(error, TimeoutError) else "it broke off"
            raise TurnFailed(f"the service took the command and did not answer: {why}", remedy=UNKNOWN) from None
    finally:
        connection.close()
    return None if status == HTTPStatus.CONFLICT else _answer(status, body)


def _connect(connection: _OverSocket) -> None:
    """Raises PermissionError, ApplianceError; nothing was done then."""
    try:
        connection.connect()
    except PermissionError:
        raise
    except (TimeoutError, BlockingIOError):
        raise TurnFailed("the service takes no more commands now", remedy="try again in a moment") from None
    except OSError as error:
        raise PartMissing(
            f"the service runs, and its socket does not answer ({error.strerror})", remedy=RESTART
        ) from None


def _answer(status: int, body: bytes) -> Answer:
    """Raises ApplianceError."""
    try:
        if status == HTTPStatus.OK:
            return Answer.model_validate_json(body)
        told = json.loads(body)
        what, remedy, kind = str(told["error"]), str(told["remedy"]), OF_CODE[told["code"]]
    except (ValueError, KeyError, TypeError, ValidationError):
        what, remedy, kind = "the running service knows no commands: it is of another release", RESTART, PartMissing
    raise kind(what, remedy=remedy)
