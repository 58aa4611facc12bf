"""A tool that hangs costs its time once, and one thread."""

from __future__ import annotations

import threading
import time

import pytest

from appliance.ports import Spoken
from appliance.reply.in_time import in_time
from appliance.skills.schema import tool


def test_tool_that_hangs_is_not_called_again_until_it_is_back() -> None:
    go, calls = threading.Event(), list[float]()

    def hang() -> Spoken:
        """Wait."""
        calls.append(time.monotonic())
        go.wait(10)
        return Spoken("Done.")

    hanging = tool(hang, "read")
    for _ in range(3):
        with pytest.raises(TimeoutError):
            in_time(hanging, {}, 0.05)
    assert len(calls) == 1
    go.set()
    deadline_s = time.monotonic() + 5
    while threading.active_count() > 1 and any(thread.name == "tool hang" for thread in threading.enumerate()):
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    assert in_time(hanging, {}, 5) == "Done."
