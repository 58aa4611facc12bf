"""Who has signed in with a browser.

Sessions outlive the hub, which is started again whenever the box is: they are in a file that only the hub's user can
read. It holds no token and no cookie, but their hashes.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import OrderedDict
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance import whole_file
from appliance.hub.tokens import hash_of

log = logging.getLogger(__name__)

COOKIE = "va_session"
CSRF_HEADER = "x-csrf"
FILE = "sessions.json"
IDLE_S = 12 * 3_600.0
"""A session that nobody used for so long is over; it is counted anew when the hub starts, whose clock may be wrong."""
MOST = 100
"""The one that was used longest ago goes first."""


class Session(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token_sha256: str
    """Of the token that it began with: looked up each time, so that a removed token ends it."""
    csrf: str
    """Sent with each change in a header, which no other site can do."""
    used_s: float = Field(default_factory=time.monotonic, exclude=True)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sessions: dict[str, Session] = Field({}, max_length=MOST)
    """By the hash of its secret name."""


class Sessions:
    def __init__(self, folder: Path | None = None) -> None:
        """folder: the hub's; None keeps them in memory alone."""
        self._path = folder / FILE if folder else None
        self._held = OrderedDict(self._read().sessions)

    def begin(self, token: str) -> tuple[str, Session]:
        """Its secret name, for the cookie; and itself."""
        name = secrets.token_urlsafe(32)
        session = Session(token_sha256=hash_of(token), csrf=secrets.token_urlsafe(32))
        self._held[hash_of(name)] = session
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        self._write()
        return name, session

    def find(self, name: str) -> Session | None:
        key, now_s = hash_of(name), time.monotonic()
        session = self._held.get(key)
        if session is None:
            return None
        if now_s - session.used_s > IDLE_S:
            self.end(name)
            return None
        session.used_s = now_s
        self._held.move_to_end(key)
        return session

    def end(self, name: str) -> None:
        if self._held.pop(hash_of(name), None):
            self._write()

    def _read(self) -> _File:
        try:
            return _File.model_validate_json(self._path.read_bytes()) if self._path else _File()
        except FileNotFoundError:
            return _File()
        except (OSError, ValidationError) as error:
            log.error("%s is passed over (%s): everybody has to sign in again", self._path, type(error).__name__)
            return _File()

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            whole_file.write(self._path, _File(sessions=dict(self._held)).model_dump_json().encode())
        except OSError as error:
            log.warning("%s cannot be written (%s): sessions end with the hub", self._path, error.strerror)


def same(given: str, known: str) -> bool:
    """In a time that tells nothing of where they differ."""
    return secrets.compare_digest(given.encode(), known.encode())
