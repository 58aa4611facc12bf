"""Whether the box is muted, over restarts: a file that is there while it may listen, and is removed to mute it.

Removing a file needs no room, so mute is kept on a full disk too; and what is lost with a card is leave to listen.
"""

from __future__ import annotations

import logging
from pathlib import Path

from appliance.errors import ApplianceError, MuteNotKept
from appliance.ports import ValueStore
from appliance.whole_file import sync_folder

log = logging.getLogger(__name__)


class MuteMarker:
    """Implements ports.ValueStore for that one value, "yes" or empty, in front of the store that keeps the others.

    A second file tells that the box is marked at all: without it, as after an update of a release that marked nothing,
    the value in the store counts.
    """

    def __init__(self, database: Path, values: ValueStore) -> None:
        self._values = values
        self._may_listen = database.with_name(f"{database.name}.may-listen")
        self._marked = database.with_name(f"{database.name}.marked")

    def begin(self, key: str) -> None:
        """Mark a box that never was, if it is not muted. Raises StoreUnusable."""
        if not self._marked.exists() and not self.get(key):
            self._mark()

    def get(self, key: str) -> str | None:
        """Raises StoreUnusable."""
        if not self._marked.exists():
            return self._values.get(key)
        return "" if self._may_listen.exists() else "yes"

    def set(self, key: str, value: str) -> None:
        """Raises MuteNotKept when a restart would not know that the box is muted."""
        try:
            self._values.set(key, value)  # for a release before this one
        except ApplianceError as error:
            log.error("the database does not know whether the box is muted: %s", error)
        self._unmark() if value else self._mark()

    def _unmark(self) -> None:
        try:
            if self._may_listen.exists():  # a read-only disk refuses also where there is nothing to do
                self._may_listen.unlink()
            if not self._marked.exists():
                self._marked.touch(mode=0o600)
            sync_folder(self._marked.parent)
        except OSError as error:
            what = f"a restart will not know that the box is muted ({error.strerror})"
            raise MuteNotKept(
                what, remedy="mute it again after a restart, and see journalctl -k for the disk"
            ) from None

    def _mark(self) -> None:
        """In this order: a power cut in between mutes nobody who did not ask for it."""
        try:
            self._may_listen.touch(mode=0o600)
            self._marked.touch(mode=0o600)
            sync_folder(self._marked.parent)
        except OSError as error:
            log.error("after a restart the box is muted, for the disk keeps no marker (%s)", error.strerror)
