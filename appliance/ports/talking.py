"""What the tools of memory know of the conversation that is going on, and whether anything of it may be kept."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Talking(Protocol):
    """The conversation that is going on."""

    id: str
    person: str
    """Who speaks, by the name they gave in it; empty where nobody gave one. A tool may set it."""
    last_said: str
    """The answer before this one; empty where there is none."""
    hears: str | None
    """Whose voice is heard: a name, empty for one that nobody knows; None where no voice is told from another."""

    @property
    def at_box(self) -> bool:
        """It is with whoever is at the box, not at another device."""
        ...


class NobodyTalks:
    """No conversation. Implements Talking."""

    id, person, last_said = "", "", ""
    hears: str | None = None
    at_box = True


class PrivateMode(Protocol):
    """Private while the owner wants nothing kept of what is said. Every method raises StoreUnusable but `on`."""

    @property
    def on(self) -> bool:
        """Also where it cannot be read whether it is."""
        ...

    @property
    def until(self) -> datetime | None:
        """When it ends by itself; None where it is off, or ends by a word only."""
        ...

    @property
    def ran_out(self) -> bool:
        """It ended by itself, and `end` was not called since."""
        ...

    def begin(self, until: datetime | None = None) -> None:
        """On disk when it returns; until: None is until `end`."""
        ...

    def end(self) -> None: ...
