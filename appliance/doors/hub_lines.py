"""The lines that go over the hub's socket (ports/hub.py), and what does what they ask for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from appliance import json_lines
from appliance.audio import Stale
from appliance.errors import ApplianceError, PartMissing, WrongUse
from appliance.ports.hub import Request
from appliance.ports.refusals import Kind, Refusal, Refused

log = logging.getLogger(__name__)


HUB, SPEECH = "hub", "speech"
"""FileDescriptorName= of the socket that the hub comes through; and of the one for whoever may only have words written
down and spoken."""

Tell = Callable[[BaseModel], None]
"""Sends an event of the request; from any thread."""
Done = BaseModel | Future[Any]


@dataclass(frozen=True)
class Handler:
    """What does one kind of request, on a thread of its own."""

    do: Callable[[Any, Tell, Stale], Done]
    """Of its arguments; the `Stale` is true once the hub has hung up. Raises ApplianceError."""
    slow: bool = False


def request(read: bytes) -> Request:
    """Raises ValueError."""
    try:
        return Request.model_validate_json(read)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"no request: {'.'.join(map(str, first['loc']))} {first['msg']}") from None


def line(number: int, told: dict[str, Any]) -> bytes:
    """Raises TooLong."""
    return json_lines.line({"id": number, **told})


def refusal(number: int, error: BaseException) -> bytes:
    """What a request ended in."""
    told = Refusal(**_refused(error))
    return line(number, told.model_dump())


def _refused(error: BaseException) -> dict[str, Any]:
    if isinstance(error, ApplianceError):
        return {"error": error.what, "remedy": error.remedy, "code": error.exit_code, "kind": _kind(error)}
    if isinstance(error, CancelledError):
        return _refused(Refused("failed", "the service is ending", remedy="try again in a moment"))
    log.error("a request of the hub broke", exc_info=error)
    return _refused(Refused("failed", f"it broke ({type(error).__name__})", remedy="see: journalctl -u va"))


def _kind(error: ApplianceError) -> Kind:
    if isinstance(error, Refused):
        return error.kind
    if isinstance(error, WrongUse):
        return "bad_request"
    return "missing" if isinstance(error, PartMissing) else "failed"
