"""A file with the metrics, for the textfile collector of node_exporter."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

log = logging.getLogger(__name__)

EVERY_S = 15.0
"""A usual interval of a scrape."""
END_S = 2.0
"""Longest wait for a disk that hangs."""
MODE = 0o644
"""Others read it; the service's UMask= would keep it from them."""


class TextFile:
    """A context manager; writes on a thread of its own, so that a slow disk holds up nobody.

    The file is whole at every moment, and gone with the service: an old one would tell of a box as if it still ran.
    """

    def __init__(self, path: Path, text: Callable[[], str], every_s: float = EVERY_S) -> None:
        self._path, self._text, self._every_s = path, text, every_s
        self._draft = path.with_name(f"{path.name}.new")
        self._closing = Event()
        self._told = ""
        self._thread = Thread(target=self._write_on, name="metrics", daemon=True)

    def __enter__(self) -> TextFile:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._thread.join(END_S)
        self._try(lambda: self._path.unlink(missing_ok=True))

    def _write_on(self) -> None:
        while not self._closing.is_set():
            self._try(self._write)
            self._closing.wait(self._every_s)

    def _write(self) -> None:
        self._draft.write_text(self._text())
        self._draft.chmod(MODE)
        self._draft.replace(self._path)

    def _try(self, do: Callable[[], None]) -> None:
        """Another error than the last one is a line in the log."""
        told = ""
        try:
            do()
        except OSError as error:
            told = f"{self._path} cannot be written ({error.strerror}); choose a place in /run/va-work: metrics_file"
        if told != self._told and told:
            log.warning("%s", told)
        self._told = told
