"""The tokens that were given out: a file of their hashes, which only the hub's user can read.

A token is 256 random bits, so nobody finds it by guessing, and a plain SHA-256 of it is enough: slow hashes such as
scrypt are for passwords that people think of. Whoever reads the file cannot use what stands in it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from fcntl import LOCK_EX, flock
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance import whole_file
from appliance.errors import WrongUse
from appliance.hub.access import Caller, Role

log = logging.getLogger(__name__)

FILE = "tokens.json"
MARK = "va_"
"""Begins each token, so that one that was published by mistake is found."""
MOST = 200
"""In one file."""
NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"
"""Of a token: it begins the names of its conversations, and stands in the journal."""


class Entry(BaseModel):
    """One token, without itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=f"^{NAME}$")
    role: Role
    person: str = Field("", max_length=60)
    room: str = Field("", max_length=60)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    made: datetime

    @property
    def caller(self) -> Caller:
        return Caller(self.name, self.role, self.person, self.room)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tokens: list[Entry] = []


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Tokens:
    """The file, read again whenever it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._path = folder, folder / FILE
        self._seen: tuple[int, int, int] | None = None
        self._by_hash: dict[str, Entry] = {}

    def caller(self, token: str) -> Caller | None:
        """Whose it is; None where it is nobody's. A file that cannot be read lets nobody in."""
        return self.caller_of_hash(hash_of(token))

    def caller_of_hash(self, sha256: str) -> Caller | None:
        """Likewise, by the token's hash."""
        entry = self._current().get(sha256)
        return entry.caller if entry else None

    @property
    def owned(self) -> bool:
        """Whether anybody has a token of the owner; True where that cannot be read. Nobody else gets the first one."""
        try:
            return any(each.role == "owner" for each in self._read().tokens)
        except WrongUse:
            return True

    def all(self) -> list[Entry]:
        """By name. Raises WrongUse where the file cannot be read."""
        return sorted(self._read().tokens, key=lambda each: each.name)

    def add(self, name: str, role: Role, person: str = "", room: str = "") -> str:
        """A new one, which nobody can read again. Raises WrongUse."""
        if not re.fullmatch(NAME, name):
            remedy = "use letters, digits, dots, dashes and underscores, 40 at most"
            raise WrongUse(f"{name!r} cannot be the name of a token", remedy=remedy)
        token = MARK + secrets.token_urlsafe(32)
        with self._locked():
            held = self._read()
            if any(each.name == name for each in held.tokens):
                raise WrongUse(f"there is a token {name} already", remedy=f"run: appliance hub token remove {name}")
            if len(held.tokens) >= MOST:
                raise WrongUse(f"there are {MOST} tokens already", remedy="remove those that nobody uses")
            try:
                made = Entry(
                    name=name, role=role, person=person, room=room, sha256=hash_of(token), made=datetime.now(UTC)
                )
            except ValidationError as error:
                first = error.errors()[0]
                raise WrongUse(f"{first['loc'][0]}: {first['msg']}", remedy="shorten it") from None
            self._write(_File(tokens=[*held.tokens, made]))
        return token

    def remove(self, name: str) -> None:
        """From now on it lets nobody in, and ends the sessions that it began. Raises WrongUse."""
        with self._locked():
            held = self._read()
            rest = [each for each in held.tokens if each.name != name]
            if len(rest) == len(held.tokens):
                raise WrongUse(f"there is no token {name}", remedy="run: appliance hub token list")
            self._write(_File(tokens=rest))

    def _current(self) -> dict[str, Entry]:
        try:
            status = self._path.stat()
        except OSError:
            seen = None
        else:
            seen = (status.st_mtime_ns, status.st_size, status.st_ino)
        if seen != self._seen or seen is None:
            try:
                self._by_hash = {each.sha256: each for each in self._read().tokens}
            except WrongUse as error:
                log.error("nobody is let in: %s", error)
                self._by_hash = {}
            self._seen = seen
        return self._by_hash

    def _read(self) -> _File:
        """Raises WrongUse."""
        try:
            return _File.model_validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return _File()
        except (OSError, ValidationError) as error:
            why = getattr(error, "strerror", None) or "it is damaged"
            raise WrongUse(f"{self._path} cannot be read ({why})", remedy=_AS_ROOT) from None

    def _write(self, held: _File) -> None:
        """Raises WrongUse."""
        try:
            whole_file.write(self._path, held.model_dump_json(indent=1).encode())
        except OSError as error:
            raise WrongUse(f"{self._path} cannot be written ({error.strerror})", remedy=_AS_ROOT) from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """No other process writes meanwhile. Raises WrongUse."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise WrongUse(f"{self._folder} cannot be used ({error.strerror})", remedy=_AS_ROOT) from None
        try:
            flock(lock, LOCK_EX)
            yield
        finally:
            os.close(lock)


_AS_ROOT = "run it as root: sudo appliance hub"
