"""What was talked about, by time alone, on a real file: of the diary where there is one, else of what was said."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.ports import Spoken, ToolUse
from appliance.simulated import HandSetClock
from appliance.skills.memory.talks import TalkTools
from appliance.skills.memory.tools import MemoryTools

NOON = datetime(2026, 11, 28, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Saturday."""


class Box:
    def __init__(self, store: SqliteMemory) -> None:
        self.store, self.clock = store, HandSetClock(NOON)
        memory = MemoryTools(store, self.clock, found_max=8)
        self.telling, self.more = memory.telling, memory.known.tell_more
        self._talk = TalkTools(memory.shared, memory.telling, memory.recall, ["recall"])

    def heard(self, line: str, days_ago: int = 0, hour: int = 9, conversation: str = "c", tool: str = "") -> None:
        at = (NOON - timedelta(days=days_ago)).replace(hour=hour)
        use: ToolUse = {"tool": tool}
        self.store.add_exchange(conversation, line, "Yes.", at, tools=[use] if tool else [])

    def asked(self, topic: str = "") -> str:
        return self._talk.tell_talk(topic)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with Store(tmp_path / "appliance.db") as store:
        yield Box(SqliteMemory(store))


def test_of_one_day_every_line_is_told_once_in_its_order(box: Box) -> None:
    box.heard("how far is the moon?", hour=8)
    box.heard("set a pasta timer for eight minutes")
    box.heard("how far is the moon?", hour=10)
    box.heard("stop", hour=11)
    box.heard("what do you know about me", hour=11, tool="recall")
    box.heard("we painted the shed", days_ago=1)
    told = box.asked("today")
    assert isinstance(told, Spoken)
    assert told == "Today we talked about this: How far is the moon? Set a pasta timer for eight minutes."
    assert box.asked() == told, "without a time it is today's"
    assert box.asked("yesterday") == "Yesterday we talked about this: We painted the shed."


def test_the_diary_stands_for_the_lines_of_its_day(box: Box) -> None:
    box.heard("we painted the shed", days_ago=4)
    box.store.write_diary(date(2026, 11, 24), "The user painted the shed. The user asked about moles.", NOON)
    told = box.asked("on Tuesday")
    assert told == "On Tuesday we talked about this: The user painted the shed. The user asked about moles."


def test_of_several_days_each_has_a_sentence(box: Box) -> None:
    box.store.write_diary(date(2026, 11, 16), "The user fixed the boiler. The user asked about moles.", NOON)
    box.heard("we painted the shed", days_ago=10)
    box.heard("is the milk still good", days_ago=10, hour=20, conversation="d")
    box.heard("what is a heron", days_ago=10, hour=21, conversation="d")
    told = box.asked("last week")
    assert told == (
        "On 16 November: The user fixed the boiler. On 18 November: We painted the shed. Is the milk still good."
    )


def test_a_part_of_a_day_has_its_own_lines(box: Box) -> None:
    box.heard("we painted the shed", days_ago=1, hour=9)
    box.heard("what is a heron", days_ago=1, hour=20)
    assert box.asked("yesterday evening") == "Yesterday we talked about this: What is a heron."


def test_a_long_line_is_cut(box: Box) -> None:
    box.heard(" ".join(["word"] * 40))
    assert len(box.asked("today").split()) < 25


def test_a_day_of_many_topics_is_told_in_parts(box: Box) -> None:
    for number in range(7):
        box.heard(f"what is {number} times two")
    assert box.asked("today").endswith('There are 2 more: say "go on".')


def test_nothing_of_a_time_is_said_so(box: Box) -> None:
    box.heard("we painted the shed")
    assert box.asked("in March") == "I have kept nothing from that time."


def test_what_is_no_time_is_looked_up_as_a_topic_between_its_days(box: Box) -> None:
    box.heard("the hedge is too high", days_ago=1)
    box.heard("the hedge needs a cut", days_ago=20)
    found = box.asked("the hedge last week")
    assert not isinstance(found, Spoken), "the model reads it"
    assert found == "Nothing is stored about the hedge from that time."
    assert "too high" in box.asked("the hedge")
    assert "too high" not in box.asked("the hedge on the 8th")
