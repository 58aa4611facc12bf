"""Quiet hours: softer, and nothing unasked."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime, time

import numpy as np
import pytest

from appliance.body.volume import Volume
from appliance.build.kept import Kept
from appliance.service.quiet import QuietHours
from appliance.settings import Settings
from appliance.simulated import HandSetClock, MemoryValues


def at(hour: int, minute: int = 0, trusted: bool = True) -> HandSetClock:
    return HandSetClock(datetime(2026, 11, 27, hour, minute, tzinfo=UTC), trusted)


@pytest.mark.parametrize(
    ("begin", "end", "hour", "quiet"),
    [
        (22, 7, 23, True),
        (22, 7, 6, True),
        (22, 7, 7, False),
        (22, 7, 12, False),
        (13, 15, 13, True),
        (13, 15, 15, False),
    ],
)
def test_they_may_go_over_midnight(begin: int, end: int, hour: int, quiet: bool) -> None:
    assert QuietHours(time(begin), time(end), at(hour)).now() is quiet


def test_without_an_end_or_a_right_clock_there_are_none() -> None:
    assert not QuietHours(time(22), None, at(23)).now()
    assert not QuietHours(time(22), time(7), at(23, trusted=False)).now()
    assert not QuietHours(time(7), time(7), at(7)).now()


def test_the_voice_is_softer_and_rings_are_not() -> None:
    loud = np.full(10, 10_000, np.int16)
    by_day, by_night = Volume(MemoryValues()), Volume(MemoryValues(), lambda: True)
    assert 0 < by_night.apply(loud)[0] < by_day.apply(loud)[0] / 2
    assert by_night.apply(loud, least=40)[0] == by_day.apply(loud, least=40)[0]


@pytest.mark.parametrize(("hour", "left", "brightness"), [(12, 0.3, 0.5), (23, 0.3, 0.15), (23, 0.0, 0.0)])
def test_the_light_is_dimmed_in_them_or_dark(hour: int, left: float, brightness: float) -> None:
    settings = Settings.model_validate({
        "body": {"light_brightness": 0.5, "light_quiet": left},
        "voice": {"quiet_from": time(22), "quiet_until": time(7)},
    })  # fmt: skip
    assert Kept(settings, at(hour), ExitStack()).brightness == pytest.approx(brightness)
