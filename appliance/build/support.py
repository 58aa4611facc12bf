"""What goes into the support bundle, from the rooms that know it."""

from __future__ import annotations

import platform
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from appliance import __version__
from appliance.boards import board_name, profiles
from appliance.build.beside import sound_check
from appliance.errors import ApplianceError
from appliance.models.registry import Catalog
from appliance.service.vitals import RELEASE
from appliance.settings import Settings
from appliance.terminal import cleaned, support
from appliance.terminal.check import Check
from appliance.terminal.support import Part

SENTENCES = ("trouble", "missing", "dumb")
"""Of what the service answers at /status."""
NO_SERVICE = "No service runs here.\n"


@dataclass(frozen=True)
class Bundle:
    file: Path
    holds: dict[str, str]
    """Name of each file in it -> what that is."""


@dataclass(frozen=True)
class Sources:
    """What is not looked up in settings and state."""

    examine: Callable[[], list[Check]]
    """The doctor's look."""
    ask: Callable[[str], dict[str, Any] | None] | None
    """The running service, at its socket; None where none runs. Raises OSError."""
    read: Callable[[str], str | None] | None
    """The same, as text."""
    journal: str | None
    """As `support.JOURNAL` prints it; None: that is asked."""


def bundle(settings: Settings, sources: Sources, out: Path | None) -> Bundle:
    """Write it, into the state folder where `out` names no other place. Raises WrongUse."""
    parts = Report(settings, sources).parts()
    support.write(file := out or settings.state / support.NAME, parts)
    return Bundle(file, {part.name: part.what for part in parts})


class Report:
    def __init__(self, settings: Settings, sources: Sources) -> None:
        self._settings, self._sources = settings, sources
        self._catalog = Catalog(settings.models)
        self._chosen, removed = cleaned.settings(settings, {*_ours(self._catalog)})
        names = {str(Path.home()), socket.gethostname(), *self._devices()}
        self._cleaner = cleaned.Cleaner(removed | names)

    def parts(self) -> list[Part]:
        from appliance.memory import outline

        database = self._settings.database
        return [
            Part("version.json", "release, Python, board and kernel", self._version),
            Part("settings.json", "numbers, switches and choices; of texts whether they are set", lambda: self._chosen),
            Part("doctor.json", "what `appliance doctor` finds", self._checks),
            Part("status.json", "what the running service says of itself", self._status),
            Part("metrics.prom", "its metrics (docs/reference.md)", self._metrics),
            Part("models.json", "the models of the settings, by hash, and whether they are here", self._models),
            Part("units.txt", "the states of its units", support.units),
            Part("journal.txt", "the last 5,000 lines of its log, without words", self._journal),
            Part("database.json", "its schema and the number of its rows", partial(outline.outline, database)),
            Part("state.json", "bytes in its folder", partial(outline.sizes, database.parent, database.name)),
        ]

    def _version(self) -> dict[str, str]:
        return {
            "version": __version__,
            "release": RELEASE if RELEASE.startswith(__version__) else "",  # else a folder of the owner's
            "python": platform.python_version(),
            "machine": platform.machine(),
            "kernel": platform.release(),
            "board": board_name(),
        }

    def _checks(self) -> list[dict[str, Any]]:
        message = self._cleaner.message
        return [
            check.as_dict()
            | {"part": message(check.part), "found": message(check.found), "remedy": message(check.remedy)}
            for check in self._sources.examine()
        ]

    def _status(self) -> Any:
        told = self._sources.ask("/status") if self._sources.ask else None
        if told is None:
            return NO_SERVICE
        there = {part: bool(name) for part, name in told.get("devices", {}).items()}
        sentences = {name: self._cleaner.message(str(told[name])) for name in SENTENCES if name in told}
        return self._cleaner.clean(told | sentences | {"devices": there})

    def _metrics(self) -> Any:
        told = self._sources.read("/metrics") if self._sources.read else None
        return self._cleaner.clean(told) if told else NO_SERVICE

    def _models(self) -> list[dict[str, Any]]:
        wanted = [name for name in self._catalog.wanted(self._settings) if name in self._catalog.models]
        rows = {row.name: row for row in self._catalog.rows(wanted)}
        return [
            asdict(rows[name])
            | {"what": self._cleaner.message(rows[name].what), "sha256": [file.sha256 for file in model.files]}
            for name, model in self._catalog.models.items()
            if name in rows
        ]

    def _journal(self) -> str:
        if self._settings.log_words:
            return support.WORDS_IN_IT
        given = self._sources.journal
        lines = (support.told_by(support.JOURNAL) if given is None else given).splitlines()
        return self._cleaner.journal(lines) if lines else support.UNREADABLE

    def _devices(self) -> Iterator[str]:
        """As a sound server names them, which its owner may have done."""
        with suppress(OSError, ApplianceError):
            told = self._sources.ask("/status") if self._sources.ask else None
            yield from (told or {}).get("devices", {}).values()
            yield from (device.name for device in sound_check(self._settings).devices())


def _ours(catalog: Catalog) -> Iterator[str]:
    """Texts of settings that say nothing of an owner."""
    yield from catalog.models
    yield from (name.removeprefix("wake/") for name in catalog.models)
    yield from profiles()
    yield from (each.name for each in resources.files("appliance.skills").iterdir() if each.is_dir())
