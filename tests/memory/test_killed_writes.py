"""kill -9 while it writes, two hundred times over one database: nothing that was acknowledged is lost."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers

KILLS = 200
LONGEST_S = 0.03
"""From the first acknowledgement to the kill: some ten writes."""
NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def write_until_killed(path: Path, end: Connection, number: int) -> None:
    with Store(path) as store:
        timers, memory = SqliteTimers(store), SqliteMemory(store)
        for count in range(1_000_000):
            end.send(("timer", timers.add(f"{number}-{count}", 300, NOON).id))
            fact = memory.save(f"What {number}-{count} says", "user", NOON)
            end.send(("fact", fact.id))
            end.send(("exchange", memory.add_exchange("c-1", f"line {number}-{count}", "Yes.", NOON)))
            end.send(("former", memory.update(fact.id, f"What {number}-{count} said", NOON).id))
            memory.write_diary(NOON.date() + timedelta(days=20 * number + count % 20), f"Day {count}.", NOON)
            end.send(("day", 20 * number + count % 20))


def acknowledged(path: Path, number: int, after_s: float) -> set[tuple[str, int]]:
    """By one process until it is killed."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=write_until_killed, args=(path, theirs, number))
    process.start()
    theirs.close()
    found = {ours.recv()}
    time.sleep(after_s)
    os.kill(process.pid or 0, signal.SIGKILL)
    try:
        while True:
            found.add(ours.recv())
    except EOFError:
        process.join()
    return found


def test_two_hundred_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path, chance = tmp_path / "box.db", random.Random(41)
    Store(path).close()
    told = set[tuple[str, int]]()
    for number in range(KILLS):
        told |= acknowledged(path, number, chance.uniform(0, LONGEST_S))
    with Store(path) as store:
        kept = {("timer", timer.id) for timer in SqliteTimers(store).all()}
        kept |= {("fact", fact.id) for fact in SqliteMemory(store).facts()}
        with store.read() as db:
            kept |= {("exchange", number) for (number,) in db.execute("SELECT id FROM exchanges")}
            kept |= {("former", number) for (number,) in db.execute("SELECT fact_id FROM former_facts")}
        kept |= {("day", (each.day - NOON.date()).days) for each in SqliteMemory(store).diary(date.min, date.max)}
        assert store.notice == ""
    assert len(told) >= KILLS
    assert told <= kept
    assert len(kept) <= len(told) + 2 * KILLS, "at most the two writes that were under way come on top"
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    print(f"{KILLS} kills, {len(told):,} acknowledged, none lost")
