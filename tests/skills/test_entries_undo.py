"""What was done to an alarm or a reminder is taken back, by the words for it, and on disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import NOW, Board

from appliance.memory.items import SqliteItems
from appliance.memory.store import Store
from appliance.simulated import HandSetClock
from appliance.skills.schedule import Schedule


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "box.db") as store:
        yield store


@pytest.fixture
def box(store: Store) -> Board:
    return Board("say I made this up.", items=lambda skill: SqliteItems(store, skill))


def kept(store: Store, skill: str) -> list[tuple[str, str, str]]:
    """What a box would find after a restart."""
    schedule = Schedule(SqliteItems(store, skill), HandSetClock(NOW), 120, lambda said, then: None)
    return [(each.text, each.due.at.isoformat(), each.due.rule) for each in schedule.all()]


@pytest.mark.parametrize(
    ("line", "skill", "told"),
    [
        ("set an alarm for seven in the morning", "alarms", "Alarm set for 7 AM"),
        ("remind me tomorrow at nine in the morning to oil the gate", "reminders", "I will remind you tomorrow"),
    ],
)
def test_what_was_set_is_gone_again(box: Board, store: Store, line: str, skill: str, told: str) -> None:
    box.say(line)
    assert len(kept(store, skill)) == 1
    assert box.say("take that back").said.startswith(f"I took this back: {told}")
    assert kept(store, skill) == []


@pytest.mark.parametrize(
    ("line", "skill"),
    [
        ("cancel the dentist alarm", "alarms"),
        ("cancel all my alarms", "alarms"),
        ("skip the weekday alarm", "alarms"),
        ("cancel all my reminders", "reminders"),
    ],
)
def test_what_was_cancelled_or_left_out_comes_back(box: Board, store: Store, line: str, skill: str) -> None:
    box.say("set an alarm for every weekday at seven in the morning")
    box.say("set an alarm for monday at nine in the morning for the dentist")
    box.say("remind me tomorrow at nine in the morning to oil the gate")
    before = kept(store, skill)
    box.say(line)
    assert kept(store, skill) != before
    assert box.say("undo").said.startswith("I took this back")
    assert kept(store, skill) == before


def test_one_that_repeats_comes_back_at_its_next_time(box: Board, store: Store) -> None:
    box.say("set an alarm for every day at seven in the morning")
    box.say("cancel the alarm")
    box.clock.pass_time(3 * 24 * 3_600)
    box.say("undo")
    ((_, due, _),) = kept(store, "alarms")
    assert due == f"{box.clock.now().date().isoformat()}T07:00:00" or due > box.clock.now().isoformat()[:19]
    assert box.skills.rings.alarms.due() == []


@pytest.mark.parametrize("line", ["set an alarm for ten minutes from now", "set a pasta timer for ten minutes"])
def test_a_snooze_that_is_taken_back_rings_no_more(box: Board, line: str) -> None:
    box.say(line)
    box.clock.pass_time(600)
    alarms = box.skills.rings.alarms
    assert len(alarms.due()) == 1
    box.say("snooze for five minutes")
    assert len(alarms.all()) == 1
    assert box.say("undo").said.startswith("I took this back: Snoozed")
    assert alarms.all() == []
    box.clock.pass_time(600)
    assert alarms.due() == []
