"""What skills do in the background: while nobody is served, at the lowest priority, and not after the end."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import pytest

from appliance.service.chores import NICENESS, Chores


def until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + 10
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def test_a_chore_waits_while_somebody_is_served_and_ends_with_the_service() -> None:
    rest, steps = threading.Event(), list[int]()
    ended = threading.Event()

    def chore(go_on: Callable[[], bool]) -> None:
        while go_on():
            steps.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
            time.sleep(0.01)
        ended.set()

    with Chores([chore], rest.is_set, every_s=0.01):
        time.sleep(0.3)
        assert steps == []
        rest.set()
        until(lambda: len(steps) > 3)
        rest.clear()
        time.sleep(0.3)
        before = len(steps)
        time.sleep(0.3)
        assert len(steps) == before
    assert ended.wait(5)
    assert {*steps} == {NICENESS}
    assert os.getpriority(os.PRIO_PROCESS, os.getpid()) < NICENESS, "the others keep theirs"


def test_one_that_fails_is_done_again_and_keeps_no_other_from_its_own(caplog: pytest.LogCaptureFixture) -> None:
    done = list[str]()

    def fails(go_on: Callable[[], bool]) -> None:
        done.append("fails")
        raise OSError("boom")

    with Chores([fails, lambda go_on: done.append("other")], lambda: True, every_s=0.01):
        until(lambda: done.count("fails") > 1 and done.count("other") > 1)
    assert "boom" in caplog.text
