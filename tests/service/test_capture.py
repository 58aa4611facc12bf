"""The ears thread: a microphone that fails again and again, and one that gives nothing but zeros."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from appliance import events as ev
from appliance import retries
from appliance.audio import FRAME, RATE_HZ, Frame, Samples, silence
from appliance.service import hearing
from appliance.service.capture import Capture
from appliance.service.hearing import DEAF_S
from appliance.service.vitals import Vitals
from appliance.simulated import DeadMicrophone, ScriptedEars

PATIENCE_S = 20


class BrokenEars(ScriptedEars):
    """Break with each frame; `varied`: in other words each time."""

    def __init__(self, varied: bool = False) -> None:
        super().__init__()
        self.broke, self._varied = 0, varied

    def feed(self, frame: Frame) -> list[ev.Event]:
        self.broke += 1
        raise RuntimeError(f"bad frame {self.broke if self._varied else ''}")


class QuickMicrophone(DeadMicrophone):
    """Gives `sound` over and over, as fast as it is read."""

    def __init__(self, sound: Samples | None = None, misses: int = 0) -> None:
        super().__init__(misses)
        self.sound = silence(1) if sound is None else sound

    def read(self) -> Frame:
        time.sleep(0.0005)
        return Frame(self.sound[:FRAME], time.monotonic())


class GappyMicrophone(QuickMicrophone):
    """Sound is lost before the third of its frames, which come in no time."""

    def __init__(self) -> None:
        super().__init__()
        self.given, self._at_s = 0, 0.0

    def read(self) -> Frame:
        self.given += 1
        self._at_s += FRAME / RATE_HZ + (0.5 if self.given == 3 else 0)
        return Frame(super().read().samples, self._at_s)


@contextmanager
def listening(capture: Capture) -> Iterator[None]:
    capture.open()
    capture.start()
    try:
        yield
    finally:
        capture.stop()
        capture.join()


def until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.005)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]


@pytest.mark.parametrize("varied", [False, True])
def test_a_thousand_failures_are_ten_lines_in_the_log(caplog: pytest.LogCaptureFixture, varied: bool) -> None:
    caplog.set_level(logging.INFO)
    ears, vitals = BrokenEars(varied), Vitals()
    with listening(Capture(QuickMicrophone(), ears, 0, vitals, lambda event: None)):
        until(lambda: ears.broke >= 1_000 and vitals.losses >= 1_000)
    assert 1 <= len(lines(caplog)) <= 10, lines(caplog)
    assert any("1,000 times" in line for line in lines(caplog))
    assert caplog.records[0].exc_info, "the first of them shows where it broke"


def test_a_microphone_that_is_not_there_is_looked_for_at_the_same_pace_and_one_line_tells_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    microphone, posted = QuickMicrophone(misses=50), list[ev.Event]()
    with listening(Capture(microphone, ScriptedEars(), 0.001, Vitals(), posted.append)):
        until(lambda: any(isinstance(event, ev.PartRecovered) for event in posted))
    told = lines(caplog)
    assert [line for line in told if "is back" in line] == ["the microphone is back"]
    assert len(told) <= 4


def test_sound_that_was_lost_is_counted_as_it_is_heard() -> None:
    microphone, vitals = GappyMicrophone(), Vitals()
    with listening(Capture(microphone, ScriptedEars(), 1, vitals, lambda event: None)):
        until(lambda: microphone.given > 10)
    assert vitals.hearing.gaps == 1


def test_mute_is_not_kept_waiting_by_a_pause_between_two_attempts() -> None:
    vitals = Vitals()
    capture = Capture(QuickMicrophone(), BrokenEars(), 60, vitals, lambda event: None)
    with listening(capture):
        until(lambda: vitals.microphone == "lost")
        capture.close()
        began_s = time.monotonic()
        until(lambda: vitals.microphone == "closed")
        assert time.monotonic() - began_s < 2


def test_what_breaks_as_soon_as_it_is_open_is_tried_ever_more_seldom() -> None:
    tries = retries.Retries(2)
    pauses = [tries.failed("broke", worked_s=0.1).pause_s for _ in range(8)]
    assert pauses == [2, 4, 8, 16, 32, 60, 60, 60]
    assert tries.failed("is not there", worked_s=None).pause_s == 2, "a device that comes back is wanted within 5 s"
    assert tries.failed("broke", worked_s=retries.STEADY_S).pause_s == 2, "it has worked for long: the first again"
    assert tries.count == 1


def test_digital_silence_is_trouble_after_a_minute_and_a_quiet_room_is_not(caplog: pytest.LogCaptureFixture) -> None:
    now_s = [0.0]
    vitals = Vitals(clock=lambda: now_s[0])
    vitals.microphone = "open"
    quiet = np.random.default_rng(1).normal(0, 3, 16_000).astype(np.int16)

    def hear(sound: Samples, seconds: int) -> None:
        for _ in range(seconds):
            now_s[0] += 1
            vitals.hearing.take(sound)

    vitals.hearing.begin()
    hear(quiet, 120)
    assert vitals.trouble() == "no sign of life from: capture, loop, playback", "this clock ran, nothing else did"
    hear(silence(1), 1000)
    assert vitals.hearing.deaf == "", "a speakerphone that gives zeros between two sounds"
    vitals.hearing.begin()
    hear(silence(1), int(DEAF_S) - 1)
    assert vitals.hearing.deaf == ""
    hear(silence(1), 3)
    assert "only zeros" in vitals.hearing.deaf
    assert "mixer" in vitals.hearing.deaf
    hear(silence(1), 100)
    hear(quiet, 1)
    assert vitals.hearing.deaf == ""
    assert [record.levelname for record in caplog.records] == ["ERROR"], "told once"


def test_digital_silence_is_in_readyz_and_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "DEAF_S", 0.2)
    microphone, vitals = QuickMicrophone(), Vitals()
    with listening(Capture(microphone, ScriptedEars(), 1, vitals, lambda event: None)):
        until(lambda: not vitals.ready()[0] and "only zeros" in str(vitals.ready()[1]["trouble"]))
        assert vitals.status()[1]["digital_silence"] is True
        tone = (3_277 * np.sin(np.arange(16_000) / 5)).astype(np.int16)
        microphone.sound = tone
        until(lambda: vitals.ready()[0])
        until(lambda: vitals.status()[1]["digital_silence"] is False)
        until(lambda: abs(float(str(vitals.status()[1]["level_dbfs"])) + 23) < 0.5)
        assert vitals.status()[1]["clipped"] == 0
    assert vitals.status()[1]["level_dbfs"] is None, "it is closed"
