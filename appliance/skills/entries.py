"""An alarm or a reminder as it is kept: what it is for and when it is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from appliance.ports import Item
from appliance.skills.due import Due


@dataclass(frozen=True)
class Entry:
    """Implements ports.Ended."""

    id: int
    text: str
    """What it is for, in the user's words; may be empty."""
    due: Due
    since: datetime
    """In UTC, when `due` was reckoned."""
    said: str = ""
    """The words for when."""
    unsure: bool = False
    """It was set by a clock that nobody trusted: `due` is reckoned again once the time is known."""
    missed_from: datetime | None = None
    """Of one that was missed: its first occurrence that was; `due` is the last. None for one that is still to come."""
    of: int = 0
    """Of one that was missed: the one that repeats."""
    rang: bool = False
    plays: str = ""
    """What is to play in place of the chime, in the user's words; empty is the chime."""
    language: str = ""
    """Of `text`, where that matters."""


def read_entry(item: Item) -> Entry:
    body = dict(item.body)
    times = {
        name: datetime.fromisoformat(body[name]) for name in ("at", "anchor", "since", "missed_from") if name in body
    }
    due = Due(times["at"], body.get("rule", ""), times.get("anchor"))
    rest = {name: body[name] for name in ("said", "unsure", "of", "rang", "plays", "language") if name in body}
    return Entry(item.id, body["text"], due, times["since"], missed_from=times.get("missed_from"), **rest)


def body_of(entry: Entry) -> dict[str, Any]:
    times = {"at": entry.due.at, "anchor": entry.due.anchor, "since": entry.since, "missed_from": entry.missed_from}
    written = {name: moment.isoformat() for name, moment in times.items() if moment}
    others = {"rule": entry.due.rule, "said": entry.said, "unsure": entry.unsure, "of": entry.of, "rang": entry.rang}
    others |= {"plays": entry.plays, "language": entry.language}
    return {"text": entry.text, **written, **{name: value for name, value in others.items() if value}}
