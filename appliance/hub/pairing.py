"""A new client gets its token by itself: for a few minutes, once, with a code that the owner reads out to it; or as the
core lets it in, by the button (service/pairing.py)."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance import whole_file
from appliance.errors import WrongUse
from appliance.hub.access import Role
from appliance.hub.problems import Problem
from appliance.hub.sessions import same
from appliance.hub.tokens import Tokens, hash_of

FILE = "pairing.json"
OPEN_S = 300.0
"""For which the window is open."""
DIGITS = 8
TRIES = 5
"""Wrong codes that close it: one of 20 million windows is opened by guessing."""


class Window(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sha256: str
    """Of the code."""
    until: float
    """Seconds since 1970."""
    role: Role
    person: str = ""
    room: str = ""
    tries: int = 0


class Pairing:
    """The window is a file: it is opened by one process, `appliance hub pair`, and used by another, the hub."""

    def __init__(self, folder: Path, tokens: Tokens) -> None:
        self._folder, self._path, self._tokens = folder, folder / FILE, tokens

    def open(self, role: Role, person: str = "", room: str = "", open_s: float = OPEN_S) -> str:
        """The code. A window that is open already is closed. Raises WrongUse."""
        code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._write(Window(sha256=hash_of(code), until=time.time() + open_s, role=role, person=person, room=room))
        return code

    def use(self, code: str, name: str) -> tuple[str, Role]:
        """The new token, once; and whose it is. Raises Problem."""
        window = self._window()
        if window is None:
            raise Problem(403, "pairing is not open", "run: appliance hub pair", kind="not_open")
        if not same(hash_of(code), window.sha256):
            window.tries += 1
            if window.tries >= TRIES:
                self._path.unlink(missing_ok=True)
            else:
                self._write(window)
            raise Problem(403, "that is not the code", "read it again where it was shown", kind="wrong_code")
        token = self.add(name, window.role, window.person, window.room)
        self._path.unlink(missing_ok=True)
        return token, window.role

    def check(self, name: str) -> None:
        """Raises Problem where a token is called so already."""
        try:
            known = self._tokens.all()
        except WrongUse as error:
            raise Problem(503, error.what, error.remedy) from None
        if any(each.name == name for each in known):
            raise _taken(f"there is a token {name} already")

    def add(self, name: str, role: Role, person: str = "", room: str = "") -> str:
        """The new token, once. Raises Problem."""
        try:
            return self._tokens.add(name, role, person, room)
        except WrongUse as error:
            raise _taken(error.what) from None

    def _window(self) -> Window | None:
        """None where none is open."""
        try:
            window = Window.model_validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return None
        return window if time.time() < window.until else None

    def _write(self, window: Window) -> None:
        """Raises WrongUse."""
        try:
            whole_file.write(self._path, window.model_dump_json().encode())
        except OSError as error:
            remedy = "run it as root: sudo appliance hub pair"
            raise WrongUse(f"{self._path} cannot be written ({error.strerror})", remedy=remedy) from None


def _taken(what: str) -> Problem:
    return Problem(409, what, "choose another name", kind="name_taken")
