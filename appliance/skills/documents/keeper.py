"""Brings the index to what is in the folder, in the background: a file at a time, while nobody is served."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from pathlib import Path

from appliance.skills.documents.folder import SETTLED_S, called, is_same, look
from appliance.skills.documents.index import READ, WAITING, File, Index
from appliance.skills.documents.passage import Passage
from appliance.skills.documents.reader import Reader

log = logging.getLogger(__name__)

ROOM_BYTES = 500_000_000
"""What the index leaves free on its disk: what somebody tells the box goes before."""

GoOn = Callable[[], bool]
"""Blocks while somebody is served; False once the service ends."""


class Ends(Exception):
    """The service ends: what was begun is left as it was before."""


class Keeper:
    def __init__(self, folder: Path, index: Index, why: Mapping[str, str], settled_s: float = SETTLED_S) -> None:
        """why: for the log, see phrases/.  settled_s: see folder.py."""
        self._folder, self._index = folder, index
        self._why, self._settled_s = why, settled_s
        self._told = ""
        """What was logged last of why nothing can be kept."""

    def tend(self, go_on: GoOn) -> None:
        """One look at the folder, and all that is to be done by it. A folder that is away changes nothing."""
        try:
            found = look(self._folder, self._settled_s)
            self._follow(found)
            self._read([each for each in self._index.files() if each.state == WAITING], go_on)
            self._told = ""
        except (OSError, sqlite3.Error) as error:
            self._tell(
                f"the documents are not read ({error}); see that {self._folder} can be read, and the disk has room"
            )
        except Ends:
            return

    def _follow(self, found: Mapping[str, str]) -> None:
        known = {each.path: each for each in self._index.files()}
        gone, new = known.keys() - found.keys(), found.keys() - known.keys()
        moved = {known[path].mark: path for path in gone if known[path].state != WAITING}
        for path in sorted(new):
            if (old := moved.pop(found[path], None)) is not None:
                self._index.rename(old, path, called(path))
                gone, new = gone - {old}, new - {path}
        for path in sorted(gone):
            self._index.remove(path)
        changed = {path for path in known.keys() & found.keys() if not is_same(known[path].mark, found[path])}
        if new | changed:
            self._index.await_reading([File(path, found[path]) for path in sorted(new | changed)])

    def _read(self, waiting: list[File], go_on: GoOn) -> None:
        """Raises Ends, OSError, sqlite3.Error."""
        with Reader() as reader:
            for each in waiting:
                if shutil.disk_usage(self._index.path.parent).free < ROOM_BYTES:
                    raise OSError(f"less than {ROOM_BYTES / 1e6:.0f} MB are free")
                with closing(self._passages(reader, each, go_on)) as passages:
                    read = self._index.put(each.path, called(each.path), passages)
                if read.state != READ:
                    log.warning("the document %s is %s: %s", self._folder / each.path, read.state, self._why[read.why])

    def _passages(self, reader: Reader, file: File, go_on: GoOn) -> Generator[Passage]:
        """Raises Ends, LeftOut, OSError."""
        if not go_on():
            raise Ends
        for passage in reader.read(self._folder / file.path):
            yield passage
            if not go_on():
                raise Ends

    def _tell(self, text: str) -> None:
        if text != self._told:
            log.error("%s", text)
        self._told = text
