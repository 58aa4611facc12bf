"""What is answered to a request that is not carried out: RFC 9457, with a remedy in each."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

MEDIA_TYPE = "application/problem+json"

STATUS_OF_KIND: Mapping[str, int] = {
    "bad_request": 422,
    "no_conversation": 404,
    "expired": 404,
    "no_call": 409,
    "answered": 409,
    "not_asked": 409,
    "not_allowed": 403,
    "busy": 429,
    "starting": 503,
    "missing": 503,
    "failed": 500,
    "gone": 503,
    "unknown": 503,
    "slow": 504,
    "too_long": 413,
}
"""Why the core refused, or why it was not reached (core.py) -> how that is answered."""
UNDONE = frozenset(STATUS_OF_KIND) - {"failed", "unknown", "slow"}
"""Where nothing at all was done, so that the same request may come again under the same key."""
RETRY_S = 5
"""After which one who was told "busy" or "not now" may ask again."""
LATER = (429, 503)
_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
"""Of OpenAI's errors."""


class Problem(Exception):
    """A request that is refused, or failed."""

    def __init__(
        self,
        status: int,
        detail: str,
        remedy: str,
        *,
        kind: str = "",
        retry_s: int | None = None,
        headers: Mapping[str, str] | None = None,
        undone: bool = True,
        field: str = "",
    ) -> None:
        """kind: a word for programs.  undone: nothing was done, and it may be asked again.  field: what of the body is
        wrong, where it is one of it."""
        super().__init__(detail)
        self.status, self.detail, self.remedy, self.undone = status, detail, remedy, undone
        self.field = field
        self.kind = kind or HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")
        wait_s = RETRY_S if retry_s is None and status in LATER else retry_s
        self.headers = dict(headers or {}) | ({"Retry-After": str(wait_s)} if wait_s is not None else {})

    @classmethod
    def of_kind(cls, kind: str, detail: str, remedy: str) -> Problem:
        """`kind`: of STATUS_OF_KIND."""
        status = STATUS_OF_KIND.get(kind, 500)
        return cls(status, detail, remedy, kind=kind, undone=kind in UNDONE)

    @property
    def told(self) -> dict[str, Any]:
        """`error` is for OpenAI's clients, who look there."""
        error = {"message": f"{self.detail}; {self.remedy}", "type": _TYPES.get(self.status, "invalid_request_error")}
        if self.status >= 500:
            error["type"] = "server_error"
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "remedy": self.remedy,
            "kind": self.kind,
            "field": self.field,
            "error": error | {"code": self.kind, "param": None},
        }

    def response(self) -> JSONResponse:
        return JSONResponse(self.told, self.status, self.headers, media_type=MEDIA_TYPE)
