"""What may be looked at on disk while a service holds the memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.errors import StoreUnusable
from appliance.ports import Answer, Entry, Fact, Item, Timer
from appliance.ports.soundcheck import SoundCheck
from appliance.settings import Settings
from appliance.terminal import doctor
from appliance.terminal.kept import facts_told, items_told, timers_told

if TYPE_CHECKING:
    from appliance.body.volume import Volume
    from appliance.memory.store import Store

TIMERS, MEMORY = "timers", "memory"
"""The skills whose items are in tables of their own."""


def timers(settings: Settings) -> list[Timer]:
    """Soonest first. Raises StoreUnusable."""
    with _opened(settings) as store:
        return _timers_in(store)


def items(settings: Settings, skill: str) -> list[Item]:
    """What a skill keeps, oldest first. Raises StoreUnusable."""
    with _opened(settings) as store:
        return _items_in(store, skill)


def kept(settings: Settings, skill: str, now: datetime) -> Answer:
    """Either, as a terminal tells it. Raises StoreUnusable."""
    with _opened(settings) as store:
        return kept_in(store, skill, now)


def kept_in(store: Store | None, skill: str, now: datetime) -> Answer:
    """Likewise, of an open store; None holds nothing."""
    if skill == MEMORY:
        return facts_told(_facts_in(store), now)
    return timers_told(_timers_in(store), now) if skill == TIMERS else items_told(_items_in(store, skill))


def entries(settings: Settings) -> Iterator[Entry]:
    """All that is remembered, as it can be taken in elsewhere. Raises StoreUnusable."""
    from appliance.memory.facts import SqliteMemory

    with _opened(settings) as store:
        if store:
            yield from SqliteMemory(store).entries()


def _facts_in(store: Store | None) -> list[Fact]:
    from appliance.memory.facts import SqliteMemory

    return SqliteMemory(store).facts() if store else []


def _timers_in(store: Store | None) -> list[Timer]:
    from appliance.memory.timers import SqliteTimers

    return SqliteTimers(store).all() if store else []


def _items_in(store: Store | None, skill: str) -> list[Item]:
    from appliance.memory.items import SqliteItems

    return SqliteItems(store, skill).all() if store else []


def volume(settings: Settings) -> Volume:
    """As loud as the box is set. Raises StoreUnusable."""
    from appliance.body.volume import Volume
    from appliance.memory.values import SqliteValues
    from appliance.simulated import MemoryValues

    with _opened(settings) as store:
        return Volume(SqliteValues(store) if store else MemoryValues())


def sound_check(settings: Settings) -> SoundCheck:
    """The card, as loud as the box is set, or by default where that may not be looked at."""
    from appliance.body.soundcheck import CardCheck
    from appliance.body.volume import Volume
    from appliance.simulated import MemoryValues

    try:
        loud = volume(settings)
    except StoreUnusable:
        loud = Volume(MemoryValues())
    return CardCheck(settings.sound, loud)


def copy_out(settings: Settings, folder: str) -> tuple[str, bytes]:
    """The newest copy of the memory into `folder`, see memory/outside.py. Returns its name, and for "-" its content.

    Raises StoreUnusable.
    """
    from appliance.memory import outside

    if folder != "-":
        return outside.copy_out(settings.database, Path(folder)).name, b""
    copy = outside.newest_good(settings.database).path
    return copy.name, copy.read_bytes()


def bring_in(settings: Settings, copy: Path) -> datetime:
    """When the copy was made; see memory/outside.py. Raises StoreUnusable."""
    from appliance.memory.outside import bring_in

    return bring_in(settings.database, copy)


@contextmanager
def _opened(settings: Settings) -> Iterator[Store | None]:
    """None where nothing was ever kept."""
    from appliance.memory.store import Store

    if not is_there(settings):
        yield None
        return
    with Store(settings.database, readonly=True) as store:
        yield store


def is_there(settings: Settings) -> bool:
    """Whether anything was ever kept. Raises StoreUnusable where this user may not know."""
    try:
        settings.database.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        what = f"{settings.database} cannot be looked at ({error.strerror})"
        raise StoreUnusable(what, remedy=doctor.AS_ROOT) from None
    return True
