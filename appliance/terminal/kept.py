"""What is kept, for a terminal: timers, facts, and the items of a skill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from appliance.ports import Answer, Fact, Item, Timer

Row = dict[str, Any]


def timers_told(timers: Sequence[Timer], now: datetime) -> Answer:
    """Each with its due in the zone of `now`, and the whole seconds that are left."""
    rows, lines = list[Row](), list[str]()
    for timer in timers:
        due, left_s = timer.due.astimezone(now.tzinfo), max(0, round((timer.due - now).total_seconds()))
        rows.append(asdict(timer) | {"due": str(due), "left_s": left_s})
        lines.append(f"{timedelta(seconds=left_s)!s:>9} left  {timer.label or 'timer'}  ({due:%H:%M:%S})")
    return Answer(said="\n".join(lines) or "no timers", rows=rows)


def items_told(items: Sequence[Item]) -> Answer:
    """Each on a line: its number, then what it says, as the skill names it."""
    rows = [{"id": item.id, **item.body} for item in items]
    return Answer(said="\n".join(map(_line, rows)) or "nothing", rows=rows)


def facts_told(facts: Sequence[Fact], now: datetime) -> Answer:
    """Each on a line, the newest first: its number, the day it was said, whose it is, and what it says."""
    rows, lines = list[Row](), list[str]()
    for fact in facts:
        at = fact.at.astimezone(now.tzinfo)
        rows.append(asdict(fact) | {"at": at.isoformat()})
        marks = [
            fact.person,
            "" if fact.kind == "user" else fact.kind,
            f"{fact.confidence:.0%}" * (fact.confidence < 1),
        ]
        told = ", ".join(filter(None, marks))
        lines.append(f"{fact.id:>5}  {at:%Y-%m-%d}  {f'({told}) ' if told else ''}{fact.text}")
    return Answer(said="\n".join(lines) or "nothing", rows=rows)


def _line(row: Row) -> str:
    told = ", ".join(f"{name}: {_told(value)}" for name, value in row.items() if name != "id" and value)
    return f"{row['id']:>5}  {told}"


def _told(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(_told, value)) or "nothing"
    if isinstance(value, dict):
        return " ".join(f"({name})" if each is True else _told(each) for name, each in value.items() if each)
    return str(value)
