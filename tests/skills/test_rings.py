"""Several skills ring with one voice, and each keeps its own."""

from __future__ import annotations

from datetime import UTC, datetime

from appliance.ports import Rings, Timer
from appliance.simulated import HandSetClock, MemoryTimers
from appliance.skills.rings import together
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools


class Box:
    """Two skills that ring, of the same kind; both call their first timer number 1."""

    def __init__(self) -> None:
        self.clock = HandSetClock(datetime(2026, 11, 27, 7, tzinfo=UTC))
        self.one, self.other = (Timers(MemoryTimers(), self.clock, 120) for _ in range(2))
        self.rings = together([self._rings(self.one), self._rings(self.other)])

    def _rings(self, timers: Timers) -> Rings[Timer]:
        tools = TimerTools(timers, self.clock)
        return Rings(timers, tools, tools.running)


def test_what_is_due_of_both_is_due_and_done_where_it_belongs() -> None:
    box = Box()
    box.one.add("tea", 60)
    box.other.add("egg", 30)
    box.other.add("rice", 900)
    assert box.rings.alarms.next_due_in() == 30
    assert box.rings.running() == ["tea timer", "egg timer", "rice timer"]
    box.clock.pass_time(61)
    due = box.rings.alarms.due()
    assert [box.rings.telling.sentence(each) for each in due] == ["Your tea timer is done.", "Your egg timer is done."]
    assert len({each.id for each in due}) == 2
    box.rings.alarms.done(due[1])
    assert [each.id for each in box.rings.alarms.ringing()] == [due[0].id]
    assert ([timer.label for timer in box.one.all()], [timer.label for timer in box.other.all()]) == (["tea"], ["rice"])


def test_what_was_missed_of_both_is_told_together() -> None:
    box = Box()
    tea, egg = box.one.add("tea", 60), box.other.add("egg", 60)
    box.one.miss(tea, rang=True)
    box.other.miss(egg, rang=False)
    missed = box.rings.alarms.missed()
    assert {each.rang for each in missed} == {True, False}
    said = box.rings.telling.missed(missed)
    assert "tea timer rang" in said
    assert "egg timer ended" in said
    box.rings.alarms.done(*missed)
    assert box.rings.alarms.missed() == []
