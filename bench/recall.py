"""Is what was told found again after sixty days, in other words too? `python -m bench.recall [--write] [--wrong]`

1,500 turns of sixty days, 300 facts of which 100 change, 200 questions (recall.yaml, recall_days.py), the real store on
a real file; no language model. Once with vectors and once by words alone. Then the time of a recall in 100,000 rows,
and how it grows.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

from appliance.language.meanings import meanings
from appliance.language.stopwords import NOISE, common
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from bench import results
from bench.recall_days import DAYS, FIRST, MIDNIGHT, TABLES, Household, Question, diary_of, household, questions
from bench.results import Row

RECALLED = 5
"""Entries of one recall."""
WITHOUT_DIARY = 2
"""The last days, of which none is written yet."""
ROWS = 100_000
CONVERSATIONS = (1, 10, 100, 1_000)
FACTS = (10, 100, 1_000, 10_000)
TURNS_OF_ONE = 10
"""Of a conversation."""
TURN_MS = 700.0
"""From the end of speech to the answer where no tool is called (README, How good it is)."""
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
SOON = datetime.combine(FIRST, MIDNIGHT) + 14 * DAY
ASKED = {"with": 95.0, "without": 85.0, "superseded": 1.0, "time": 90.0, "p95_ms": 25.0, "flat": 1.5}
"""What issue 44 asks for: percent, milliseconds, and how many times as long."""


@dataclass(frozen=True)
class Recalled:
    question: Question
    right: bool
    superseded: bool
    texts: Sequence[str]


def remembering(store: Store, vectors: bool) -> SqliteMemory:
    return SqliteMemory(store, meanings=meanings("en") if vectors else None, noise=common("en") | NOISE)


def kept(store: Store, house: Household, vectors: bool) -> SqliteMemory:
    """A memory that lived through the days."""
    memory = remembering(store, vectors)
    facts = dict[str, int]()
    for number, each in enumerate(house.said):
        exchange = memory.add_exchange(f"c-{number // TURNS_OF_ONE}", each.heard, each.said, each.at)
        if not each.tells:
            continue
        text = each.tells.text(each.value)
        if each.value:
            fact = memory.update(facts[each.tells.fact], text, each.at, source=exchange)
        else:
            fact = memory.save(text, "user", each.at, source=exchange)
        facts[each.tells.fact] = fact.id
    for day in list(house.topics)[: DAYS - WITHOUT_DIARY]:
        memory.write_diary(
            day, diary_of(day, house), datetime.combine(day, datetime.max.time(), house.said[0].at.tzinfo)
        )
    return memory


def ask(memory: SqliteMemory, question: Question) -> Recalled:
    """A fact is asked for among the facts and among all; what else is asked for, among all."""
    found = memory.search(
        question.text if not question.since or question.kind == "topic" else "",
        RECALLED,
        question.since,
        question.until,
    )
    texts = [each.text for each in found]
    if question.told is None:
        return Recalled(question, _of_the_time(question, [(each.at, each.text) for each in found]), False, texts)
    facts = [each.text for each in memory.nearest(question.text, RECALLED)]
    now = question.told.text()
    before = [question.told.fact.format(value=value) for value in question.told.values[:-1]]
    told_before = [
        (line if at else question.told.first).format(value=value)
        for at, value in enumerate(question.told.values[:-1])
        for line in [question.told.changed]
    ]
    stale = any(each in facts or each in texts for each in before)
    stale = stale or (now not in texts and any(f'"{each}"' in text for each in told_before for text in texts))
    return Recalled(question, now in facts, stale, facts)


def _of_the_time(question: Question, found: Sequence[tuple[datetime, str]]) -> bool:
    """All of them are of the span; and they name most of a day's topics, or those of as many days as there can be."""
    assert question.since
    assert question.until
    if not found or any(not question.since <= at < question.until for at, _ in found):
        return False
    named = {
        (day, topic)
        for day, topics in question.topics.items()
        for topic in topics
        for at, text in found
        if at.date() == day and (topic in text or any(line in text for line in TABLES["topics"][topic]))
    }
    if len(question.topics) == 1:
        (topics,) = question.topics.values()
        return len(named) >= len(topics) - 1 or len(named) == len(topics)
    return len({day for day, _ in named}) >= min(RECALLED, len(question.topics))


def percent(values: Sequence[bool]) -> float:
    return round(100 * statistics.fmean(values), 1) if values else 0.0


def quality(house: Household, asked: Sequence[Question], vectors: bool, wrong: bool) -> Row:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "box.db") as store:
        memory = kept(store, house, vectors)
        found = [ask(memory, each) for each in asked]
        former = sum(len(memory.history(fact.id)) for fact in memory.facts())
    for each in found:
        if wrong and (not each.right or each.superseded):
            wanted = (
                each.question.told.text()
                if each.question.told
                else sorted(map(sorted, each.question.topics.values()))[:2]
            )
            print(f"{each.question.kind}: {each.question.text} -> {wanted}\n   {' | '.join(each.texts)}")
    facts = [each for each in found if each.question.told]
    kinds = sorted({each.question.kind for each in found})
    return {
        "facts": percent([each.right for each in facts]),
        "time": percent([each.right for each in found if each.question.kind == "time"]),
        "topic": percent([each.right for each in found if each.question.kind == "topic"]),
        "superseded": percent([each.superseded for each in facts]),
        "former": former,
        "by_kind": results.tally((each.question.kind, each.right) for each in found if each.question.kind in kinds),
    }


def filled(store: Store, house: Household, facts: int, exchanges: int) -> SqliteMemory:
    """The household's facts and turns again and again, each with words of others, up to so many rows."""
    chance, memory = random.Random(exchanges), remembering(store, vectors=True)
    lines = [each.heard for each in house.said]
    words = sorted({word for line in lines for word in line.split()})

    def more() -> str:
        return " ".join(chance.choices(words, k=4))

    said = (
        {"what": "exchange", "id": number, "conversation": f"c-{number // TURNS_OF_ONE}", "said": f"About {more()}.",
         "heard": f"{lines[number % len(lines)]} {more()}", "at": (house.said[0].at + number * MINUTE).isoformat()}
        for number in range(exchanges)
    )  # fmt: skip
    told = (
        {"what": "fact", "text": f"{house.told[number % len(house.told)].text()} {more()} {number}.", "kind": "user",
         "at": (house.said[0].at + number * MINUTE).isoformat()}
        for number in range(facts)
    )  # fmt: skip
    memory.take_in(chain(said, told))
    memory.fill_vectors()
    return memory


def timed(memory: SqliteMemory, asked: Sequence[Question]) -> Row:
    """Milliseconds of what a turn reads, the facts near its line, and of a search, which only some turns make.

    cpu_p95: of this thread's own time, for a machine that does something else as well.
    """
    looks: dict[str, Callable[[Question], object]] = {
        "nearest": lambda each: memory.nearest(each.text, RECALLED),
        "search": lambda each: memory.search(each.text, RECALLED),
        "then": lambda each: memory.search(each.text, RECALLED, SOON, SOON + 30 * DAY),
    }
    return {name: _spread([_taken(look, each) for each in (asked[0], *asked)][1:]) for name, look in looks.items()}


def _taken(look: Callable[[Question], object], question: Question) -> tuple[float, float]:
    """Milliseconds by the clock, and of this thread's own time."""
    began_s, began_cpu_s = time.perf_counter(), time.thread_time()
    look(question)
    return 1_000 * (time.perf_counter() - began_s), 1_000 * (time.thread_time() - began_cpu_s)


def _spread(taken: Sequence[tuple[float, float]]) -> Row:
    clock, own = ([each[at] for each in taken] for at in (0, 1))
    most, own_most = results.percentile(clock, 0.95) or 0.0, results.percentile(own, 0.95) or 0.0
    return {"p50": round(statistics.median(clock), 2), "p95": round(most, 2), "cpu_p95": round(own_most, 2)}


def at_size(house: Household, asked: Sequence[Question], facts: int, exchanges: int) -> Row:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "box.db") as store:
        memory = filled(store, house, facts, exchanges)
        return {"facts": facts, "exchanges": exchanges, "file_mb": round(store.path.stat().st_size / 1e6, 1)} | timed(
            memory, asked
        )


def times(house: Household, asked: Sequence[Question]) -> Row:
    """In 100,000 rows, and as facts and conversations grow; `flat`: the longest of a row, in times of its shortest."""
    row: Row = {"rows": at_size(house, asked, FACTS[-1], ROWS - FACTS[-1])}
    row["by_facts"] = [at_size(house, asked, facts, TURNS_OF_ONE) for facts in FACTS]
    row["by_conversations"] = [at_size(house, asked, FACTS[1], TURNS_OF_ONE * each) for each in CONVERSATIONS]
    for each in (row["rows"], *row["by_facts"], *row["by_conversations"]):
        print(each)
    row["turn_flat"] = {name: flat(row[name]) for name in ("by_facts", "by_conversations")}
    print(f"in a turn of {TURN_MS:.0f} ms: {row['turn_flat']}")
    return row


def flat(sizes: Sequence[Row]) -> float:
    """The most that a turn takes in which facts are looked up and a search is made, in times of the least."""
    taken = [TURN_MS + float(each["nearest"]["p50"]) + float(each["search"]["p50"]) for each in sizes]
    return round(max(taken) / min(taken), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--write", action="store_true", help="keep the row in bench/results")
    parser.add_argument("--only", choices=["quality", "time"], help="one part alone")
    parser.add_argument("--wrong", action="store_true", help="show what was not found")
    chosen = parser.parse_args()
    house = household()
    asked = questions(house)
    row: Row = results.head() | {"asked": ASKED}
    if chosen.only != "time":
        for name, vectors in (("with", True), ("without", False)):
            row[name] = quality(house, asked, vectors, chosen.wrong)
            print(f"{name} vectors: {row[name]}")
    if chosen.only != "quality":
        row |= times(house, asked)
    if chosen.write:
        print(results.kept(row, "recall"))


if __name__ == "__main__":
    main()
