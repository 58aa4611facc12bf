"""What is kept, for a terminal: timers, and the items of a skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from appliance.ports import Item, Timer

Row = dict[str, Any]


def timer_rows(timers: Sequence[Timer], now: datetime) -> list[Row]:
    """Each with its due in the zone of `now`, and the whole seconds that are left."""
    return [
        asdict(timer)
        | {"due": timer.due.astimezone(now.tzinfo), "left_s": max(0, round((timer.due - now).total_seconds()))}
        for timer in timers
    ]


def timer_lines(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield f"{timedelta(seconds=row['left_s'])!s:>9} left  {row['label'] or 'timer'}  ({row['due']:%H:%M:%S})"


def item_rows(items: Sequence[Item]) -> list[Row]:
    return [{"id": item.id, **item.body} for item in items]


def item_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Each on a line: its number, then what it says, as the skill names it."""
    for row in rows:
        told = ", ".join(f"{name}: {_told(value)}" for name, value in row.items() if name != "id" and value)
        yield f"{row['id']:>5}  {told}"


def _told(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(_told, value)) or "nothing"
    if isinstance(value, dict):
        return " ".join(f"({name})" if each is True else _told(each) for name, each in value.items() if each)
    return str(value)
