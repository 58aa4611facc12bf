"""The doctor's ears on real streams, in the virtual room: digital silence, a quiet room, clipping, and a chirp."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from room import Room, opened
from test_soundcard import result, start

from appliance.audio import Samples

pytestmark = pytest.mark.room


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    yield from opened()


def noise(rms: float) -> Samples:
    wide = np.random.default_rng(1).normal(0, rms, 5 * 16_000)
    return np.clip(wide, -32_768, 32_767).astype(np.int16)


def examined(room: Room, *words: str) -> dict[str, Any]:
    told: dict[str, Any] = result(start(room, "examine", *words))
    return told


def test_nothing_but_zeros_is_digital_silence(room: Room) -> None:
    check = examined(room)["microphone"]
    assert not check["fine"]
    assert "digital silence" in check["found"]
    assert "mixer" in check["remedy"]


def test_a_quiet_room_is_fine_with_its_level(room: Room) -> None:
    with room.noise(noise(100)):
        told = examined(room)
    assert told["microphone"]["fine"], told
    assert not told["microphone"]["remedy"]
    dbfs = re.search(r": (-\d+) dBFS, 0.0% clipped", told["microphone"]["found"])
    assert dbfs, told
    assert int(dbfs[1]) == pytest.approx(-50, abs=3)
    assert told["speaker"]["fine"]


def test_clipping_is_wrong(room: Room) -> None:
    with room.noise(noise(60_000)):
        check = examined(room)["microphone"]
    assert not check["fine"]
    assert "level down" in check["remedy"]


def test_a_chirp_that_comes_back_is_heard_with_its_delay_and_one_that_does_not_is_not(room: Room) -> None:
    """The 120 ms are the server's; the buffers of speaker and microphone come on top."""
    with room.noise(noise(100)):
        deaf = examined(room, "acoustic")["acoustic"]
        room.loopback(True, latency_ms=120)
        heard = examined(room, "acoustic")["acoustic"]
        room.loopback(False)
    assert not deaf["fine"]
    assert "not heard" in deaf["found"]
    assert heard["fine"], heard
    found = re.search(r"after (\d+) ms, (-\d+) dBFS", heard["found"])
    assert found, heard
    print("chirp:", heard["found"])
    assert 80 < int(found[1]) < 600
