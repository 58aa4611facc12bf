"""Why the core does not do what the hub asks for (ports/hub.py)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from appliance.errors import ApplianceError

Kind = Literal[
    "bad_request",
    "no_conversation",
    "expired",
    "no_call",
    "answered",
    "not_asked",
    "not_allowed",
    "busy",
    "starting",
    "missing",
    "failed",
]
"""Why a request was refused. bad_request: it does not have the shape that is asked for.  no_conversation: none of that
name was started, or it was ended.  expired: it was, too long ago.  no_call: no call of that id was made, or a newer
line has dropped it.  answered: a call has its result already.  not_asked: an answer, where nothing was asked.
not_allowed: the channel may not.  busy: too many wait already.  starting: the core is not ready yet.  missing: a part
is not there.  failed: all else."""

CODES: dict[Kind, int] = {"starting": 3, "missing": 3, "busy": 4, "failed": 4}
"""Exit code of an error (errors.py); of all others 2."""


class Refused(ApplianceError):
    """A request that is not done, or that failed."""

    def __init__(self, kind: Kind, what: str, *, remedy: str) -> None:
        super().__init__(what, remedy=remedy)
        self.kind: Kind = kind
        self.exit_code = CODES.get(kind, 2)


class Refusal(BaseModel):
    model_config = ConfigDict(extra="forbid")

    error: str
    remedy: str
    code: int = Field(ge=2, le=4)
    """2: wrong use; 3: a part is missing; 4: it failed."""
    kind: Kind
