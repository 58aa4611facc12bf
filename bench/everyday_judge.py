"""What became of an everyday line: the right tool with the right arguments, or which other end it took."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, Literal

import yaml
from pydantic import Field

from appliance import build
from appliance.records import Step, TurnRecord
from appliance.settings import Settings
from appliance.skills.entries import read_entry
from bench import cases, judge, wanted
from bench.alike import says
from bench.meaning import near
from bench.times_wanted import Where

Outcome = Literal["right", "acted", "other tool", "arguments", "asked", "refused", "words", "left", "failed"]
"""acted: another tool did something.  other tool: it read, or had nothing to act on.  arguments: the right tool, with
others, or with another end than `after` says.  left: to the model, which was not asked.  failed: with an error."""
NONE = "none"
SAME: Mapping[str, tuple[str, ...]] = {
    "days_until": ("get_time",),
    "remember": ("update_memory",),
    "set_volume": ("change_volume",),
}
"""Tool of a case -> tools of the box that do it too."""
_DENIES = re.compile(r"\b(kann|konnte|weiß|habe|finde|kenne)\b.*\b(nicht|nichts|kein\w*)\b", re.IGNORECASE)
"""German for what judge.admits knows in English."""
Kept = Mapping[str, Sequence[Any]]
"""Name of a skill -> what it keeps, as `after` of a case names it."""


class Everyday(cases.Entry):
    """See the head of cases/everyday.yaml."""

    name: str
    kind: str
    half: Literal["work", "unseen"]
    language: Literal["en", "de"]
    now: str
    say: tuple[str, ...] = Field(min_length=1)
    before: tuple[str, ...] = ()
    tool: str
    arguments: dict[str, Any]
    or_tool: tuple[str, ...] = ()
    says: str = ""
    after: dict[Literal["timers", "alarms", "reminders", "lists"], tuple[float | str, ...]] | None = None
    note: str = ""

    @property
    def where(self) -> Where:
        return Where(cases.zoned(self.now), self.language)


def load() -> list[Everyday]:
    """Raises pydantic's ValidationError, which names the entry."""
    text = (cases.FOLDER / "everyday.yaml").read_text("utf-8")
    return [Everyday.model_validate(entry) for entry in yaml.load(text, Loader=yaml.CSafeLoader)]


def outcome(case: Everyday, record: TurnRecord, kept: Kept) -> Outcome:
    """Of the last line of a case. kept: what is kept after it."""
    ran = judge.carried_out(record)
    if _right(case, record, ran, kept):
        return "right"
    if not ran:
        return _without_tool(record)
    if any(step.effect != "read" and step.outcome == "ok" and not _is_wanted(step, case) for step in ran):
        return "acted"
    if record.outcome == "asked":
        return "asked"
    return "arguments" if any(_is_wanted(step, case) for step in ran) else "other tool"


def _right(case: Everyday, record: TurnRecord, ran: Sequence[Step], kept: Kept) -> bool:
    if case.after is not None:
        return all(_as_wanted(skill, things, kept[skill], case) for skill, things in case.after.items())
    wanted_tools = (case.tool, *case.or_tool)
    acts = [step for step in ran if step.effect != "read"]
    if NONE in wanted_tools and not acts and _said(case, record):
        return True
    if any(not _is_wanted(step, case) for step in acts):
        return False
    return _said(case, record) and any(_called(tool, case, ran) for tool in wanted_tools)


def _called(tool: str, case: Everyday, ran: Sequence[Step]) -> bool:
    steps = [step.arguments for step in ran if step.tool in _names(tool) and step.outcome != "timeout"]
    return any(wanted.holds(tool, case.arguments, given, case.where) for given in [*steps, *_together(steps)])


def _together(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Several calls that put one thing each on one list, as the one that puts all there."""
    things = [str(given["item"]) for given in steps if given.get("item")]
    return [{**steps[0], "item": ", ".join(things)}] if len(things) > 1 else []


def _names(tool: str) -> tuple[str, ...]:
    return tool, *SAME.get(tool, ())


def _is_wanted(step: Step, case: Everyday) -> bool:
    return any(step.tool in _names(tool) for tool in (case.tool, *case.or_tool))


def _said(case: Everyday, record: TurnRecord) -> bool:
    said = record.said.casefold()
    return any(each.casefold() in said for each in case.says.split("|")) and bool(said or case.tool != NONE)


def _without_tool(record: TurnRecord) -> Outcome:
    if record.outcome == "error":
        return "failed"
    if record.outcome == "asked":
        return "asked"
    fixed = record.said and not record.model.calls
    return "refused" if fixed or judge.admits(record.said) or _DENIES.search(record.said) else "words"


def _as_wanted(skill: str, things: Sequence[float | str], kept: Sequence[Any], case: Everyday) -> bool:
    same: Mapping[str, Callable[[Any, Any], bool]] = {
        "timers": lambda one, other: near(other, one),
        "alarms": lambda one, other: datetime.fromisoformat(one) == other,
        "reminders": lambda one, other: says(one, other, case.language),
        "lists": lambda one, other: says(one, other, case.language),
    }
    return len(things) == len(kept) and all(map(same[skill], things, kept))


def kept_by(settings: Settings, zone: tzinfo) -> Kept:
    """What is on disk, oldest first."""
    alarms, reminders = (
        [read_entry(item) for item in build.items_on_disk(settings, name)] for name in ("alarms", "reminders")
    )
    lists = [item.body["entries"] for item in build.items_on_disk(settings, "lists")]
    return {
        "timers": [timer.seconds for timer in build.timers_on_disk(settings)],
        "alarms": [entry.due.moment(zone).replace(tzinfo=None, fold=0) for entry in alarms],
        "reminders": [entry.text for entry in reminders],
        "lists": [each["text"] for entries in lists for each in entries if not each["done"]],
    }
