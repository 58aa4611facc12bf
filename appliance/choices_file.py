"""What the owner chose on the hub's page: a file in the state folder, laid under the settings file.

Only root may write the settings file; the service's user may write this one. So nothing but `Kept` is read from it, and
what the settings file says wins.
"""

from __future__ import annotations

import json
import logging
import math
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance import whole_file
from appliance.errors import StoreUnusable, WrongUse
from appliance.settings_choices import Kept

log = logging.getLogger(__name__)

FILE = "choices.json"
MOST_BYTES = 65_536
"""Of the file: far more than it ever holds."""
TRIES = 2
"""Starts that a change gets to end well, before it is taken back."""
RESTARTS_MOST, WITHIN_S = 4, 3_600
"""That may be asked for, within so long: va.service gives up after 8 starts in an hour, its own failures among them."""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    chosen: Kept = Kept()
    good: Kept = Kept()
    """What the box last started well with."""
    tries: int = 0
    """Starts that began with `chosen`, since it is another than `good`."""
    taken_back: bool = False
    """Whether the last change was, because the box did not start well with it."""
    restarts: list[float] = Field([], max_length=100)
    """When they were asked for, in seconds since 1970; the newest."""


class Choices:
    """The file; written by the running service alone, whole or as it was before."""

    def __init__(self, state: Path) -> None:
        self._path = state / FILE

    @property
    def there(self) -> bool:
        """Whether anything was ever chosen."""
        return bool(self._read().chosen.model_fields_set)

    @property
    def kept(self) -> Kept:
        """As chosen. Empty where there is no file, or none that this user may read."""
        return self._read().chosen

    @property
    def taken_back(self) -> bool:
        return self._read().taken_back

    def begin(self) -> bool:
        """A start of the service begins with them. Whether the last change was taken back just now."""
        held = self._read()
        if _dump(held.chosen) == _dump(held.good):
            return False
        if back := held.tries >= TRIES:
            held.chosen, held.tries, held.taken_back = held.good, 0, True
        else:
            held.tries += 1
        with suppress(StoreUnusable):  # a card that takes nothing is told of elsewhere
            self._write(held)
        return back

    def well(self, kept: Kept) -> None:
        """The box has started well with these. Raises StoreUnusable."""
        held = self._read()
        if _dump(held.good) == _dump(kept) and not held.tries:
            return
        held.good = kept
        if _dump(held.chosen) == _dump(kept):
            held.tries = 0
        self._write(held)

    def choose(self, kept: Kept) -> None:
        """From the next start on; on the disk once this returns. Raises StoreUnusable."""
        held = self._read()
        held.chosen, held.tries, held.taken_back = kept, 0, False
        self._write(held)

    def note_restart(self) -> None:
        """Raises WrongUse where it was asked for too often, StoreUnusable."""
        held, now_s = self._read(), time.time()
        recent = [at_s for at_s in held.restarts if 0 <= now_s - at_s < WITHIN_S]
        if len(recent) >= RESTARTS_MOST:
            minutes = math.ceil((WITHIN_S - (now_s - recent[0])) / 60)
            raise WrongUse(
                f"it was started again {RESTARTS_MOST} times within an hour", remedy=f"wait {minutes} minutes"
            )
        held.restarts = [*recent, now_s]
        held.tries = max(0, held.tries - 1)  # a start that is ended on request has not failed
        self._write(held)

    def _read(self) -> _File:
        try:
            return _File.model_validate_json(_content(self._path))
        except (FileNotFoundError, PermissionError, NotADirectoryError):
            return _File()
        except (OSError, ValidationError) as error:
            why = getattr(error, "strerror", None) or "it is damaged"
            log.error("%s is passed over (%s); choose again on the page", self._path, why)
            return _File()

    def _write(self, held: _File) -> None:
        """Raises StoreUnusable."""
        content = {name: _dump(value) if isinstance(value, Kept) else value for name, value in held}
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            whole_file.write(self._path, json.dumps(content, indent=1).encode())
        except OSError as error:
            what = f"{self._path} cannot be written ({error.strerror}); nothing was changed"
            raise StoreUnusable(what, remedy="run: appliance doctor") from None


def _content(path: Path) -> bytes:
    """Of a plain file: another user may have put a link or a pipe there. Raises OSError."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "it is no file")
        return file.read(MOST_BYTES)


def _dump(kept: Kept) -> dict[str, Any]:
    return kept.model_dump(mode="json", exclude_unset=True)
