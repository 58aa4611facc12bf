"""Sixty days of a household that talks to its box, and questions about them: made of recall.yaml, always the same."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from itertools import chain, cycle
from pathlib import Path
from typing import Any

import yaml

TABLES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("recall.yaml").read_text("utf-8"))
ZONE = timezone(timedelta(hours=2))
FIRST = date(2026, 3, 16)
"""A Monday."""
DAYS, TURNS_A_DAY, FACTS, CHANGING, SEED = 60, 25, 300, 100, 20261128
TOPICS_A_DAY = 4
LAST = FIRST + timedelta(days=DAYS - 1)
MIDNIGHT = time(tzinfo=ZONE)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = {3: "March", 4: "April", 5: "May"}


@dataclass
class Told:
    """One thing that is so: what it is now, and what it was."""

    fact: str
    """As it is stored, with {value} left out."""
    first: str
    changed: str
    asked: Sequence[str]
    values: list[str]
    """The last one holds now."""

    def text(self, at: int = -1) -> str:
        return self.fact.format(value=self.values[at])


@dataclass(frozen=True)
class Said:
    at: datetime
    heard: str
    said: str
    topic: str = ""
    tells: Told | None = None
    value: int = 0
    """Which of its values."""


@dataclass(frozen=True)
class Question:
    """wanted: the fact, or by time the topics of each day."""

    kind: str
    text: str
    since: datetime | None = None
    until: datetime | None = None
    told: Told | None = None
    topics: dict[date, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Household:
    said: list[Said]
    told: list[Told]
    topics: dict[date, list[str]]


def household() -> Household:
    """1,500 turns in order; 300 facts, of which 100 change, some twice."""
    chance = random.Random(SEED)
    told = list(_facts(chance))
    for each in chance.sample(told, CHANGING):
        others = [value for value in _values(each) if value != each.values[0]]
        each.values += chance.sample(others, 2 if len(others) > 1 and chance.random() < 0.2 else 1)
    topics = {day: chance.sample(sorted(TABLES["topics"]), TOPICS_A_DAY) for day in map(_day, range(DAYS))}
    return Household(list(_turns(told, topics, chance)), told, topics)


def diary_of(day: date, house: Household) -> str:
    """What a summary of the day would say."""
    return f"The user asked about {', '.join(house.topics[day])}."


def questions(house: Household) -> list[Question]:
    """Two hundred: 100 of what never changed, 40 of what did, 40 by time alone, 20 by topic and time."""
    chance = random.Random(SEED + 1)
    same = chance.sample([each for each in house.told if len(each.values) == 1], 100)
    other = chance.sample([each for each in house.told if len(each.values) > 1], 40)
    asked = [
        Question(f"{kind}:{('same', 'some', 'other')[at % 3]}", each.asked[at % 3], told=each)
        for kind, group in (("fact", same), ("changed", other))
        for at, each in enumerate(group)
    ]
    return [*asked, *_by_time(house, chance), *_by_topic(house, chance)]


def _facts(chance: random.Random) -> Iterator[Told]:
    """Each attribute of each person, then those of the house: 300 in all."""
    people = list(TABLES["people"].items())
    values = {
        name: cycle(chance.sample(each["values"], len(each["values"]))) for name, each in TABLES["of_people"].items()
    }
    for (_, names), (name, each) in ((one, two) for one in people for two in TABLES["of_people"].items()):
        asked = [line.replace("{who}", names[at == 2]) for at, line in enumerate(each["asked"])]
        fact, first, changed = (each[part].replace("{who}", names[0]) for part in ("fact", "told", "changed"))
        yield Told(fact, first, changed, asked, [next(values[name])])
    for each in TABLES["own"]:
        yield Told(each["fact"], each["told"], each["changed"], each["asked"], [each["values"][0]])


def _values(told: Told) -> list[str]:
    tables = chain(TABLES["of_people"].values(), TABLES["own"])
    return next(list(each["values"]) for each in tables if told.values[0] in each["values"])


def _turns(told: list[Told], topics: dict[date, list[str]], chance: random.Random) -> Iterator[Said]:
    """A fact is told in the first half, and changes in the second."""
    lines: dict[int, list[tuple[Told, int]]] = {day: [] for day in range(DAYS)}
    for place, each in enumerate(chance.sample(told, len(told))):
        lines[place % (DAYS // 2)].append((each, 0))
        for change in range(1, len(each.values)):
            lines[DAYS // 2 + (place + 11 * change) % (DAYS // 4) + (change - 1) * DAYS // 4].append((each, change))
    for number, telling in lines.items():
        day = _day(number)
        for turn in range(TURNS_A_DAY):
            at = datetime.combine(day, time(7, 5), ZONE) + timedelta(minutes=37 * turn)
            if turn < 2 * len(telling) and turn % 2:
                each, value = telling[turn // 2]
                heard = (each.changed if value else each.first).format(value=each.values[value])
                yield Said(at, heard, "I will remember that.", tells=each, value=value)
            else:
                topic = topics[day][turn % TOPICS_A_DAY]
                yield Said(at, chance.choice(TABLES["topics"][topic]), f"That about {topic} is a long story.", topic)


def _by_time(house: Household, chance: random.Random) -> Iterator[Question]:
    """What we talked about on a day, in a week, in a month, today."""
    spans = [(f"what did we talk about on {WEEKDAYS[day.weekday()]}", day, 1) for day in _days(-7, -1)]
    spans += [
        (f"what was it on the {day.day} of {MONTHS[day.month]}", day, 1) for day in chance.sample(_days(0, -7), 22)
    ]
    spans += [("what have we talked about today", LAST, 1), ("what did I ask you yesterday", _day(DAYS - 2), 1)]
    spans += [(f"what was going on {weeks} weeks ago", _day(DAYS - 7 * (weeks + 1)), 7) for weeks in range(1, 8)]
    spans += [
        (f"what did we speak of in {MONTHS[month]}", date(2026, month, 1), days)
        for month, days in ((3, 31), (4, 30), (5, 31))
    ]
    for text, day, days in spans[:40]:
        until = day + timedelta(days=days)
        within = {each: frozenset(topics) for each, topics in house.topics.items() if day <= each < until}
        yield Question("time", text, datetime.combine(day, MIDNIGHT), datetime.combine(until, MIDNIGHT), topics=within)


def _by_topic(house: Household, chance: random.Random) -> Iterator[Question]:
    for day in chance.sample(_days(0, -1), 20):
        topic = house.topics[day][0]
        span = datetime.combine(day, MIDNIGHT), datetime.combine(day + timedelta(days=1), MIDNIGHT)
        text = f"what did I say about {topic} on {WEEKDAYS[day.weekday()]}"
        yield Question("topic", text, *span, topics={day: frozenset([topic])})


def _day(number: int) -> date:
    return FIRST + timedelta(days=number)


def _days(first: int, last: int) -> list[date]:
    return [*map(_day, range(DAYS))][first:last]
