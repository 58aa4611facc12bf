"""Orders for later, on a real disk: each is carried out once or told as missed once, whatever the power does."""

from __future__ import annotations

import multiprocessing
import random
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from appliance.errors import BadArgument, CannotBeDone
from appliance.memory.items import SqliteItems
from appliance.memory.store import Store
from appliance.ports import Clock, ItemsOf, Order, OrderOutcome, Orders, Skill, Tool
from appliance.service.orders import carry_out
from appliance.settings import Settings
from appliance.simulated import HandSetClock, MemoryItems, RefusingItems, skill_context
from appliance.skills import later

BERLIN = ZoneInfo("Europe/Berlin")
EVENING = datetime(2026, 3, 27, 20, 0, tzinfo=BERLIN)
"""A Friday; on Sunday the clocks go forward."""
LATE_S = Settings().later.late_s


class Doing:
    """Carries out whatever it is told to; `gives` is how that ends."""

    def __init__(self) -> None:
        self.did = list[str]()
        self.gives: tuple[OrderOutcome, str] = "done", "It is done."

    def carry_out(self, order: Order) -> tuple[OrderOutcome, str]:
        self.did.append(order.text)
        return self.gives


class Box:
    """Its skill, as it is after a start; `items` is the disk."""

    def __init__(self, items: ItemsOf, clock: Clock, may_wait: bool = True) -> None:
        self.skill: Skill = later.make(skill_context(items=items, clock=clock, may_wait=lambda order: may_wait))
        self.tools: dict[str, Tool] = {tool.name: tool for tool in self.skill.all_tools}
        assert self.skill.orders
        self.orders: Orders = self.skill.orders
        self.thinker = Doing()

    def later(self, order: str, when: str) -> str:
        return self.tools["do_later"].call({"order": order, "when": when})

    def look(self) -> None:
        """One round of the service."""
        for order in self.orders.due():
            carry_out(self.orders, order, "en", self.thinker)  # type: ignore[arg-type]

    def tell(self) -> str:
        told = self.orders.sentence()
        self.orders.told()
        return told


@pytest.fixture
def clock() -> HandSetClock:
    return HandSetClock(EVENING)


@pytest.fixture
def disk() -> ItemsOf:
    kept: dict[str, MemoryItems] = {}
    return lambda skill: kept.setdefault(skill, MemoryItems())


def test_an_order_is_done_at_its_time_and_told_once(disk: ItemsOf, clock: HandSetClock) -> None:
    box = Box(disk, clock)
    assert box.later("stop the music", "in ten minutes") == "I will do this at 8:10 PM: stop the music."
    clock.pass_time(599)
    box.look()
    assert (box.thinker.did, box.tell()) == ([], "")
    clock.pass_time(2)
    box.look()
    box.look()
    assert box.thinker.did == ["stop the music"]
    assert box.tell() == "As you wanted at 8:10 PM: It is done."
    assert box.tell() == ""
    assert Box(disk, clock).tell() == ""


def test_it_is_done_after_a_restart(disk: ItemsOf, clock: HandSetClock) -> None:
    Box(disk, clock).later("stop the music", "at ten")
    clock.pass_time(timedelta(hours=2, seconds=LATE_S - 10).total_seconds())
    box = Box(disk, clock)
    box.look()
    assert box.thinker.did == ["stop the music"]


def test_a_box_that_comes_back_too_late_tells_and_does_not_do_it(disk: ItemsOf, clock: HandSetClock) -> None:
    Box(disk, clock).later("stop the music", "at ten")
    clock.pass_time(timedelta(hours=2, seconds=LATE_S + 10).total_seconds())
    box = Box(disk, clock)
    box.look()
    assert box.thinker.did == []
    assert box.tell() == "While I could do nothing, this was due at 10 PM, and I did not do it: stop the music."
    assert (box.tell(), Box(disk, clock).tell()) == ("", "")


def test_the_time_that_is_too_late_is_a_setting(disk: ItemsOf, clock: HandSetClock) -> None:
    Box(disk, clock).later("stop the music", "at ten")
    clock.pass_time(timedelta(hours=2, seconds=60).total_seconds())
    strict = Settings.model_validate({"later": {"late_s": 30}})
    skill = later.make(skill_context(items=disk, clock=clock, settings=strict, may_wait=lambda order: True))
    assert skill.orders
    assert skill.orders.due() == []
    assert "I did not do it" in skill.orders.sentence()


def test_while_the_time_is_unknown_nothing_is_done(disk: ItemsOf, clock: HandSetClock) -> None:
    Box(disk, clock).later("stop the music", "at ten")
    clock.pass_time(2 * 3_600 + 5)
    clock.trusted = False
    box = Box(disk, clock)
    box.look()
    assert box.thinker.did == []
    clock.trusted = True
    box.look()
    assert box.thinker.did == ["stop the music"]


@pytest.mark.parametrize("outcome", ["failed", "asked"])
def test_what_did_not_work_or_needs_a_yes_is_told(disk: ItemsOf, clock: HandSetClock, outcome: OrderOutcome) -> None:
    box = Box(disk, clock)
    box.later("clear the list", "in ten minutes")
    box.thinker.gives = outcome, "Shall I clear it?" if outcome == "asked" else "There is no list."
    clock.pass_time(601)
    box.look()
    assert box.thinker.gives[1] in box.orders.sentence()
    assert [order.text for order in box.orders.told()] == (["clear the list"] if outcome == "asked" else [])
    assert box.tell() == ""


def test_a_tool_that_breaks_is_told(disk: ItemsOf, clock: HandSetClock, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(disk, clock)
    box.later("stop the music", "in ten minutes")
    monkeypatch.setattr(box.thinker, "carry_out", lambda order: 1 / 0)
    clock.pass_time(601)
    box.look()
    assert "I could not do it: stop the music" in box.tell()
    box.look()
    assert box.tell() == ""


def test_one_that_was_cancelled_while_it_waited_for_the_thread_is_not_done(disk: ItemsOf, clock: HandSetClock) -> None:
    box = Box(disk, clock)
    box.later("stop the music", "in ten minutes")
    clock.pass_time(601)
    [order] = box.orders.due()
    assert box.tools["cancel_order"].call({}) == "I will not do that."
    assert not box.orders.begin(order)
    assert box.tell() == ""


def test_what_runs_is_not_told_as_cut_off(disk: ItemsOf, clock: HandSetClock) -> None:
    box = Box(disk, clock)
    box.later("stop the music", "in ten minutes")
    clock.pass_time(601)
    [order] = box.orders.due()
    assert box.orders.begin(order)
    assert box.orders.sentence() == ""
    box.orders.end(order, "done", "It is off.")
    assert box.tell() == "As you wanted at 8:10 PM: It is off."


def test_what_cannot_be_marked_as_begun_is_not_begun(clock: HandSetClock) -> None:
    """Or a restart would do it again."""
    kept = {name: RefusingItems() for name in (later.NAME, later.ENDED)}
    box = Box(lambda skill: kept[skill], clock)
    box.later("stop the music", "in ten minutes")
    clock.pass_time(601)
    for each in kept.values():
        each.full = True
    box.look()
    assert box.thinker.did == []
    assert "I could not do it: stop the music" in box.orders.sentence()


def test_listed_named_and_cancelled_like_a_timer(disk: ItemsOf, clock: HandSetClock) -> None:
    box = Box(disk, clock)
    assert box.tools["list_orders"].call({}) == "No orders wait for their time."
    box.later("stop the music", "in ten minutes")
    box.later("turn it up", "at ten")
    assert box.later("turn it up", "at ten") == "I will do that already: turn it up, 10 PM today."
    assert box.tools["list_orders"].call({}).startswith("2 orders wait for their time: stop the music, at 8:10 PM")
    with pytest.raises(BadArgument, match="Which one"):
        box.tools["cancel_order"].call({})
    assert box.tools["cancel_order"].call({"which": "turn it up"}) == "I will not do that: turn it up, at 10 PM."
    assert box.tools["cancel_order"].call({"which": "all"}) == "I will not do that: stop the music, at 8:10 PM."


def test_what_is_no_whole_order_is_refused_and_not_kept(disk: ItemsOf, clock: HandSetClock) -> None:
    box = Box(disk, clock, may_wait=False)
    with pytest.raises(CannotBeDone, match="I did not do that, nor will I"):
        box.later("hush the tunes", "in ten minutes")
    with pytest.raises(CannotBeDone, match="not again and again"):
        Box(disk, clock).later("stop the music", "every day at ten")
    with pytest.raises(BadArgument, match="At what time"):
        Box(disk, clock).later("stop the music", "tonight")
    assert box.tools["list_orders"].call({}) == "No orders wait for their time."


def test_after_a_length_as_others_published_it(disk: ItemsOf, clock: HandSetClock) -> None:
    box = Box(disk, clock)
    said = box.tools["do_after"].call({"order": "stop the music", "hours": 1, "minutes": 30})
    assert said == "I will do this at 9:30 PM: stop the music."


DAYS, KILLS = 40, 25
NAMES = [f"order {number:03}" for number in range(1, 1_000)]


def test_weeks_with_cuts_of_the_power_do_each_once_or_tell_it_missed_once(tmp_path: Path) -> None:
    """The power goes at any moment, also between two steps of carrying one out."""
    chance, clock = random.Random(42), HandSetClock(EVENING)
    done, told, given = Counter[str](), Counter[str](), iter(NAMES)
    for day in range(DAYS + 1):
        with Store(tmp_path / "box.db") as store:
            box = Box(lambda skill, store=store: SqliteItems(store, skill), clock)  # type: ignore[misc]
            on_until = clock.now() + timedelta(hours=chance.choice([0.02, 1, 7, 23]) if day < DAYS else 24)
            while clock.now() < on_until and _round(box, done, told, chance.random() if day < DAYS else 1):
                if day < DAYS and chance.random() < 0.3:
                    box.later(next(given), f"in {chance.randint(1, 600)} minutes")
                clock.pass_time(chance.choice([20, 200, 1_500]))
            if day == DAYS:
                assert box.tools["list_orders"].call({}) == "No orders wait for their time."
        clock.pass_time(chance.choice([30, 400, 40_000]))
    orders = NAMES[: NAMES.index(next(given))]
    assert len(orders) > 100
    assert max(done.values()) == 1
    assert set(done) < set(orders), "some were missed"
    assert told == dict.fromkeys(orders, 1), "each was told, once"


def _round(box: Box, done: Counter[str], told: Counter[str], cut: float) -> bool:
    """One of the service; False where the power goes in it, at a step that `cut` tells, 0 to 1."""
    for order in box.orders.due():
        if cut < 0.1:
            return False
        assert box.orders.begin(order)
        if cut < 0.2:
            return False
        done[order.text] += 1
        if cut < 0.3:
            return False
        box.orders.end(order, "done", f"{order.text} is done.")
    told.update(re.findall(r"order \d{3}", box.tell()))
    return True


def _carry_out_until_killed(path: Path, log: Path, now: datetime, end: Connection) -> None:
    """Orders that are due already; each that is done is a line in `log`, which is on disk before the next step."""
    with Store(path) as store, log.open("a") as done:
        box = Box(lambda skill: SqliteItems(store, skill), HandSetClock(now))
        end.send("ready")
        for order in box.orders.due():
            if box.orders.begin(order):
                done.write(f"{order.text}\n")
                done.flush()
                box.orders.end(order, "done", f"{order.text} is done.")


def test_kill_9_in_the_middle_does_nothing_twice(tmp_path: Path) -> None:
    path, log, chance = tmp_path / "box.db", tmp_path / "done.txt", random.Random(7)
    now, orders = datetime(2026, 3, 27, 20, 0, tzinfo=UTC), NAMES[:50]
    with Store(path) as store:
        box = Box(lambda skill: SqliteItems(store, skill), HandSetClock(now))
        for number, order in enumerate(orders):
            box.later(order, f"in {10 + number} seconds")
    log.touch()
    then = now + timedelta(seconds=120)
    for _ in range(KILLS):
        ours, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        process = context.Process(target=_carry_out_until_killed, args=(path, log, then, theirs))
        process.start()
        ours.recv()
        process.join(chance.uniform(0, 0.03))
        process.kill()
        process.join()
    done = Counter(log.read_text().split())
    del done["order"]
    assert done, "some were done before the power went"
    assert max(done.values()) == 1
    with Store(path) as store:
        box = Box(lambda skill: SqliteItems(store, skill), HandSetClock(then))
        told = re.findall(r"order (\d{3})", box.orders.sentence())
        box.look()
    assert not {each.split()[1] for each in box.thinker.did} & set(done)
    assert Counter(told) + Counter(each.split()[1] for each in box.thinker.did) == Counter(
        each.split()[1] for each in orders
    ), "each was done and is told, is told as cut off, or is done now"
