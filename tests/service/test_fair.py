"""Work of the hub for the thread that thinks: in turn, one piece at a time, never more than fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from appliance.errors import TurnFailed
from appliance.ports.refusals import Refused
from appliance.service.fair import Fair

PATIENCE_S = 20.0


class Thought:
    """The thread that thinks, busy until it is `free`; `done` is what it did."""

    def __init__(self, most: int = 4) -> None:
        self.pool, self.free, self.done = ThreadPoolExecutor(1), Event(), list[str]()
        self.fair = Fair(lambda work: self.pool.submit(work), most)
        self.pool.submit(self.free.wait, PATIENCE_S)

    def put(self, key: str, name: str) -> Future[str]:
        def work(answer: Future[str]) -> None:
            self.done.append(name)
            answer.set_result(name)

        return self.fair.put(key, work)


@pytest.fixture
def thought() -> Iterator[Thought]:
    made = Thought()
    yield made
    made.free.set()
    made.pool.shutdown()


def test_each_conversation_has_a_turn_before_any_has_a_second_one(thought: Thought) -> None:
    first = thought.put("a", "a1")
    waiting = [thought.put("a", "a2"), thought.put("a", "a3"), thought.put("b", "b1"), thought.put("c", "c1")]
    thought.free.set()
    assert [each.result(PATIENCE_S) for each in [first, *waiting]] == ["a1", "a2", "a3", "b1", "c1"]
    assert thought.done == ["a1", "a2", "b1", "c1", "a3"]


def test_of_200_that_come_at_once_each_is_served_before_a_greedy_one_again() -> None:
    made, names = Thought(most=450), [f"c{number}" for number in range(200)]
    pieces = [made.put("greedy", f"greedy {number}") for number in range(50)]
    pieces += [made.put(name, f"{name} {number}") for number in (1, 2) for name in names]
    made.free.set()
    for piece in pieces:
        piece.result(PATIENCE_S)
    made.pool.shutdown()
    rounds = [[f"{name} {number}" for name in ("greedy", *names)] for number in (1, 2)]
    assert made.done[0] == "greedy 0", "it was the first, and alone"
    assert made.done[1:403] == [*rounds[0], *rounds[1]]
    assert made.done[403:] == [f"greedy {number}" for number in range(3, 50)]


def test_what_the_box_hears_itself_comes_before_the_second_piece(thought: Thought) -> None:
    thought.put("a", "a1")
    last = thought.put("b", "b1")
    thought.pool.submit(thought.done.append, "own")
    thought.free.set()
    last.result(PATIENCE_S)
    assert thought.done == ["a1", "own", "b1"]


def test_beyond_so_many_it_is_busy_and_later_not(thought: Thought) -> None:
    futures = [thought.put("a", f"a{number}") for number in range(5)]
    with pytest.raises(Refused) as caught:
        thought.put("b", "b1")
    assert (caught.value.kind, caught.value.exit_code) == ("busy", 4)
    thought.free.set()
    assert futures[-1].result(PATIENCE_S) == "a4"
    assert thought.put("b", "b1").result(PATIENCE_S) == "b1"


def test_what_breaks_is_told_and_the_next_piece_is_done(thought: Thought) -> None:
    def breaks(answer: Future[Any]) -> None:
        raise TurnFailed("it broke", remedy="again")

    def says_nothing(answer: Future[Any]) -> None: ...

    broken, silent, good = thought.fair.put("a", breaks), thought.fair.put("a", says_nothing), thought.put("a", "good")
    thought.free.set()
    with pytest.raises(TurnFailed):
        broken.result(PATIENCE_S)
    with pytest.raises(Refused):
        silent.result(PATIENCE_S)
    assert good.result(PATIENCE_S) == "good"


def test_the_end_of_the_service_is_told_to_all_who_wait(thought: Thought) -> None:
    waiting = [thought.put("a", "a1"), thought.put("b", "b1")]
    thought.pool.shutdown(wait=False, cancel_futures=True)
    thought.free.set()
    for each in waiting:
        with pytest.raises(Refused, match="the service is ending"):
            each.result(PATIENCE_S)
    assert thought.done == []


def test_whoever_comes_before_anybody_thinks_is_refused_and_the_next_is_served() -> None:
    thinks = list[bool]()
    pool = ThreadPoolExecutor(1)

    def between(work: Callable[[], None]) -> Future[None]:
        if not thinks:
            raise Refused("starting", "the service is still starting", remedy="try again in a moment")
        return pool.submit(work)

    fair = Fair(between)

    def answers(answer: Future[str]) -> None:
        answer.set_result("done")

    with pytest.raises(Refused, match="starting"):
        fair.put("a", answers).result(PATIENCE_S)
    thinks.append(True)
    assert fair.put("a", answers).result(PATIENCE_S) == "done"
    pool.shutdown()
