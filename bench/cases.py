"""The written cases of `cases/*.yaml`, checked as they are read; the head of `open.yaml` explains their fields."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml
from pydantic import BaseModel, ConfigDict, Field

import appliance.skills

FOLDER = Path(__file__).with_name("cases")
OPEN, HELD_OUT, POISON, FRESH, JURY, ABSENT = "open", "held_out", "poison", "fresh", "jury", "absent"
POISON_SOURCES = "poison_sources"
FILES = (OPEN, HELD_OUT, POISON, POISON_SOURCES, FRESH, JURY, ABSENT)
"""`held_out` is run but not looked at while prompts are changed; `poison` holds hostile results, `poison_sources` sixty
more of what a box may read from; `fresh` was written by
somebody who had seen none of the others; `jury` by four from the README's list of abilities alone: it decides what a
part of the reply is worth, and is never read; `absent` holds what no box can do."""
SKILLS = "skills"
"""The `cases.yaml` of every skill: what it must do for a line, and the near misses that it must leave alone."""
SKILL_FOLDERS = Path(appliance.skills.__file__).parent
Arguments = dict[str, dict[str, Any]]


class Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Result(Entry):
    """What a scripted tool gives; of those that fit, the first."""

    tool: str
    when: str = ""
    """A word in the arguments, in any case."""
    gives: str = ""
    fails: str = ""
    hangs: bool = False


class Turn(Entry):
    say: str = Field(min_length=1)
    tools: tuple[str, ...] | None = None
    may: tuple[str, ...] = ()
    arguments: Arguments = {}
    said: tuple[str, ...] = ()
    not_said: tuple[str, ...] = ()
    admits: bool = False
    """It says that it does not know, finds nothing or is not able, in whatever words (bench/judge.py)."""
    outcome: str = ""
    saved: tuple[str, ...] = ()
    not_saved: tuple[str, ...] = ()
    unchanged: bool = False


class Situation(Entry):
    """What is so before anybody speaks."""

    place: str = "Utrecht, Netherlands"
    now: datetime = datetime.fromisoformat("2026-03-14T18:30:00+00:00")
    facts: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()


class Case(Situation):
    name: str
    kind: str
    file: str
    turns: tuple[Turn, ...] = Field(min_length=1)


def load(*files: str) -> list[Case]:
    """Raises pydantic's ValidationError, which names the entry."""
    return [
        Case.model_validate({**entry, "file": file})
        for file in files
        for path in paths(file)
        for entry in yaml.safe_load(path.read_text("utf-8"))
    ]


def paths(file: str) -> list[Path]:
    return sorted(SKILL_FOLDERS.glob("*/cases.yaml")) if file == SKILLS else [FOLDER / f"{file}.yaml"]


def zoned(now: str) -> datetime:
    """Of "2026-11-24T09:30:00+00:00[Europe/London]", as the files say when a line is said: in that zone."""
    shown, _, zone = now.removesuffix("]").partition("[")
    return datetime.fromisoformat(shown).astimezone(ZoneInfo(zone))
