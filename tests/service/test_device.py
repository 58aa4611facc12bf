"""The box as a device of the house: what is shown of it, and what may be ordered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from appliance import events as ev
from appliance.errors import CannotBeDone
from appliance.records import Milliseconds, TurnRecord
from appliance.service import device as module
from appliance.service.device import Device
from appliance.service.states import State
from appliance.simulated import CannedBridge

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


class Box:
    def __init__(self) -> None:
        self.volume, self.alarm = 70, None
        self.answers: dict[tuple[str, str], Any] = {("mqtt", "show"): True}
        self.bridge = CannedBridge(self.answers)
        self.device = Device(self.bridge, lambda: self.volume, lambda: self.alarm)

    volume: int
    alarm: datetime | None

    @property
    def shown(self) -> list[dict[str, Any]]:
        return [values for provider, what, values in self.bridge.asked if (provider, what) == ("mqtt", "show")]


@pytest.fixture
def box() -> Iterator[Box]:
    made = Box()
    with made.device:
        yield made


def eventually(fits: Callable[[], object], patience_s: float = 10) -> None:
    ends_s = time.monotonic() + patience_s
    while not fits():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def record(first_audio: int | None) -> TurnRecord:
    return TurnRecord(turn=1, conversation="", ms=Milliseconds(first_audio=first_audio))


def test_what_changes_is_shown_and_what_does_not_is_shown_once(box: Box) -> None:
    box.device.look(State.IDLE)
    eventually(lambda: box.shown)
    box.device.look(State.IDLE)
    box.volume = 40
    box.device.look(State.SPEAKING)
    eventually(lambda: len(box.shown) == 2)
    assert box.shown == [
        {"state": "idle", "muted": False, "volume": 70, "latency": None, "next_alarm": None},
        {"state": "speaking", "muted": False, "volume": 40, "latency": None, "next_alarm": None},
    ]


@pytest.mark.parametrize(
    ("state", "shown", "muted"),
    [(State.FOLLOW_UP, "listening", False), (State.MUTED, "muted", True), (State.RESETTING, "resetting", True)],
)
def test_states_as_they_look_from_outside(box: Box, state: State, shown: str, muted: bool) -> None:
    box.device.look(state)
    eventually(lambda: box.shown)
    assert (box.shown[0]["state"], box.shown[0]["muted"]) == (shown, muted)


def test_the_latency_is_that_of_the_last_answer_that_was_heard(box: Box) -> None:
    box.device.watch(ev.ReplyEnded(1, record(640)), State.FOLLOW_UP)
    box.device.watch(ev.ReplyEnded(2, record(None)), State.IDLE)
    box.device.look(State.IDLE)
    eventually(lambda: box.shown)
    assert box.shown[0]["latency"] == 640


def test_an_alarm_that_is_reckoned_anew_in_each_round_is_shown_once(box: Box) -> None:
    for late_s in (0.0, 0.4, 0.9, 0.2):
        box.alarm = NOW + timedelta(seconds=late_s)
        box.device.look(State.IDLE)
        eventually(lambda: box.shown)
    box.alarm = NOW + timedelta(minutes=1)
    box.device.look(State.IDLE)
    eventually(lambda: len(box.shown) == 2)
    assert [each["next_alarm"] for each in box.shown] == ["2026-11-28T12:00:00+00:00", "2026-11-28T12:01:00+00:00"]


def test_what_the_bridge_did_not_take_is_shown_again(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY_S", 0.05)
    box.answers["mqtt", "show"] = CannotBeDone("no bridge")
    box.device.look(State.IDLE)
    eventually(lambda: len(box.shown) > 1)


def test_the_same_is_shown_again_so_that_it_is_known_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AGAIN_S", 0.05)
    box = Box()
    with box.device:
        box.device.look(State.IDLE)
        eventually(lambda: len(box.shown) > 2)
    assert box.shown[-1] == {}, "it says that it is gone"


def test_only_what_may_be_ordered_is_done_and_what_cannot_be_done_is_survived(box: Box) -> None:
    done: list[Any] = []

    def refuse(to: Any) -> None:
        raise CannotBeDone("only its button opens the microphone")

    box.device.obey({"volume": done.append, "muted": refuse})
    for do, to in (("muted", False), ("erase", True), ("volume", 40)):
        box.bridge.tell("mqtt", "order", {"do": do, "to": to})
    box.bridge.tell("mqtt", "house", {"do": "volume", "to": 41})
    assert done == [40]
