"""Who has signed in with a browser. A session lives in memory: after a restart of the hub one signs in again."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

COOKIE = "va_session"
CSRF_HEADER = "x-csrf"
IDLE_S = 12 * 3_600.0
"""A session that nobody used for so long is over."""
MOST = 100
"""The one that was used longest ago goes first."""


@dataclass
class Session:
    token: str
    """That it began with: looked up each time, so that a removed token ends it."""
    csrf: str
    """Sent with each change in a header, which no other site can do."""
    used_s: float


class Sessions:
    def __init__(self) -> None:
        self._held: OrderedDict[str, Session] = OrderedDict()

    def begin(self, token: str) -> tuple[str, Session]:
        """Its secret name, for the cookie; and itself."""
        name = secrets.token_urlsafe(32)
        self._held[name] = Session(token, secrets.token_urlsafe(32), time.monotonic())
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        return name, self._held[name]

    def find(self, name: str) -> Session | None:
        session = self._held.get(name)
        if session is None:
            return None
        now_s = time.monotonic()
        if now_s - session.used_s > IDLE_S:
            del self._held[name]
            return None
        session.used_s = now_s
        self._held.move_to_end(name)
        return session

    def end(self, name: str) -> None:
        self._held.pop(name, None)


def same(given: str, known: str) -> bool:
    """In a time that tells nothing of where they differ."""
    return secrets.compare_digest(given.encode(), known.encode())
