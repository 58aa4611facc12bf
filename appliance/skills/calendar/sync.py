"""The calendar's file and its server, brought to the same state; the server is right where both know an event.

Broken off at any place it is simply done again: what was sent is known there by its UID, and each file is replaced as a
whole.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import icalendar

from appliance.errors import ApplianceError, PartMissing, WrongUse, explained
from appliance.skills.calendar.box import BoxFile, content_of, write_file
from appliance.skills.calendar.diary import FOLDER, SERVER, SYNCED
from appliance.skills.calendar.files import is_cancelled, uid_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Resource:
    """One event on the server, with the exceptions to it."""

    address: str
    content: str
    """ICS."""


class Server(Protocol):
    """A calendar elsewhere. Each raises ApplianceError where it cannot be reached, or refuses."""

    def resources(self) -> Sequence[Resource]: ...

    def create(self, uid: str, content: str) -> None:
        """Nothing happens where it has that UID already."""
        ...

    def delete(self, address: str) -> None:
        """Nothing happens where it is gone already."""
        ...


@dataclass(frozen=True)
class Synchronised:
    sent: int
    deleted: int
    events: int
    """That the server has now."""

    def __str__(self) -> str:
        return f"calendar: {self.events} events on the server; {self.sent} sent, {self.deleted} deleted"


def synchronise(server: Server, state: Path) -> Synchronised:
    """Raises ApplianceError; what was not sent then stays in the box's file."""
    try:
        return _synchronised(server, state / FOLDER)
    except OSError as error:
        what = f"the calendar cannot be kept in {state / FOLDER} ({error.strerror})"
        raise PartMissing(what, remedy="see that the card is neither full nor read-only") from None


def _synchronised(server: Server, folder: Path) -> Synchronised:
    """Raises ApplianceError, OSError."""
    box = BoxFile(folder, synchronised=True)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    told = box.events()
    held = _parsed(server.resources())
    addresses = {uid: address for address, calendar in held.items() for uid in _uids(calendar)}
    gone = [addresses[uid_of(each)] for each in told if is_cancelled(each) and uid_of(each) in addresses]
    new = [each for each in told if not is_cancelled(each) and uid_of(each) not in addresses]
    for address in gone:
        server.delete(address)
    for event in new:
        server.create(uid_of(event), content_of([event]).decode())
    if gone or new:
        held = _parsed(server.resources())
    components = [*_components(held.values())]
    write_file(folder / SERVER, content_of(components))
    box.drop(told)
    (folder / SYNCED).touch()
    return Synchronised(len(new), len(gone), sum(each.name == "VEVENT" for each in components))


def _parsed(resources: Sequence[Resource]) -> dict[str, icalendar.Calendar]:
    """Address -> content; one that cannot be read is left out, and logged."""
    held = dict[str, icalendar.Calendar]()
    for each in resources:
        try:
            with explained(partial(_unreadable, each), log, logging.DEBUG):
                held[each.address] = icalendar.Calendar.from_ical(each.content)
        except ApplianceError as error:
            log.error("%s", error)
    return held


def _unreadable(resource: Resource, error: Exception) -> ApplianceError:
    why = " ".join(str(error).split())[:120]
    return WrongUse(f"{resource.address} is left out ({why})", remedy="correct it on the server")


def _components(calendars: Iterable[icalendar.Calendar]) -> Iterator[icalendar.Component]:
    """The events of all of them, behind each time zone once."""
    zones, events = dict[str, icalendar.Component](), list[icalendar.Component]()
    for calendar in calendars:
        for each in calendar.subcomponents:
            if each.name == "VTIMEZONE":
                zones.setdefault(str(each.get("TZID")), each)
            elif each.name == "VEVENT":
                events.append(each)
    yield from zones.values()
    yield from events


def _uids(calendar: icalendar.Calendar) -> set[str]:
    return {uid_of(event) for event in calendar.walk("VEVENT")}
