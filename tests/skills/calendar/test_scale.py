"""A calendar of years: 2,000 events, 100 of which come again, in one file."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from calendar_box import Box, at, event

EVENTS, SERIES = 2_000, 100
MOST_S = 0.3
"""Of an answer once the file has been read; on a PC."""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    box = Box(tmp_path_factory.mktemp("box"))
    days = [date(2025, 1, 1) + timedelta(days=number) for number in range(EVENTS)]
    every = EVENTS // SERIES
    box.write(
        "all.ics",
        *(
            event(
                f"Event {number}",
                at(f"{day:%Y%m%d}T{8 + number % 10:02}0000"),
                "DURATION:PT1H",
                *(["RRULE:FREQ=WEEKLY"] if number % every == 0 else []),
            )
            for number, day in enumerate(days)
        ),
    )
    return box


@pytest.mark.parametrize(
    "ask",
    [
        lambda box: box.on("tomorrow"),
        lambda box: box.on("next week"),
        lambda box: box.on(""),
        lambda box: box.when("event 1999"),
        lambda box: box.when("event 20"),
        lambda box: box.when("dentist"),
        lambda box: box.tools.add_event("dentist", "on Tuesday at three"),
    ],
    ids=["day", "week", "next", "late", "series", "none", "add"],
)
def test_an_answer_takes_no_longer_than_it_may(box: Box, ask: Callable[[Box], str]) -> None:
    box.on("today")
    least_s = min(_seconds(lambda: ask(box)) for _ in range(3))  # other work on this machine is not the calendar's
    assert least_s < MOST_S


def _seconds(work: Callable[[], object]) -> float:
    since_s = time.perf_counter()
    work()
    return time.perf_counter() - since_s
