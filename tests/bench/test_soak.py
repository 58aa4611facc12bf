"""What `make soak` judges a run by, and the slope that it fits."""

from __future__ import annotations

import pytest

from bench import leaks, results
from bench.leaks import Sample
from bench.soak import passes

GROWTH: results.Row = {"mb_per_h": 0.4, "memory_mb": [220, 221], "threads": [15, 15], "descriptors": [8, 8]}
GOOD: results.Row = {
    "minutes": 120.0,
    "growth": GROWTH,
    "lost": [],
    "twice": [],
    "overdue": [],
    "trouble": "",
    "exit_code": 0,
    "turn_ms": [{"p95": 1000}, {"p95": 1000}, {"p95": 1000}, {"p95": 1099}],
}
BAD: list[tuple[str, results.Row]] = [
    ("nothing lost", {"lost": ["red fig"]}),
    ("nothing lost", {"twice": ["red fig"]}),
    ("nothing lost", {"overdue": ["red fig"]}),
    ("memory", {"growth": GROWTH | {"mb_per_h": 1.1}}),
    ("threads", {"growth": GROWTH | {"threads": [15, 16]}}),
    ("descriptors", {"growth": GROWTH | {"descriptors": [8, 9]}}),
    ("turn time", {"turn_ms": [{"p95": 1000}, {"p95": 1101}]}),
    ("well at the end", {"trouble": "the memory card is full"}),
    ("well at the end", {"exit_code": -6}),
]


def test_a_good_run_passes() -> None:
    assert set(passes(GOOD).values()) == {True}


@pytest.mark.parametrize(("what", "found"), BAD)
def test_a_bad_run_fails_in_that_alone(what: str, found: results.Row) -> None:
    assert [name for name, good in passes(GOOD | found).items() if not good] == [what]


def test_a_short_run_says_nothing_of_memory_and_turn_time() -> None:
    judged = passes(GOOD | {"minutes": 6.0, "turn_ms": [{"p95": None}, {"p95": None}]})
    assert [name for name, good in judged.items() if good is None] == ["memory", "turn time"]


def test_slope_is_that_of_the_line_through_the_samples() -> None:
    samples = [Sample(600.0 * each, 200.0 + each, 15 + each % 2, 8) for each in range(13)]
    assert leaks.slope_mb_h(samples) == pytest.approx(6.0)
    assert leaks.growth(samples)["threads"] == [16, 15]


def test_a_thread_more_every_ten_minutes_is_growth() -> None:
    begun, ended = leaks.growth([Sample(600.0 * each, 200.0, 15 + each, 8) for each in range(13)])["threads"]
    assert ended > begun
