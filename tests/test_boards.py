"""What a board is known to have: a clock that was set since it was switched on, a button that was felt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import pytest

from appliance import build
from appliance import events as ev
from appliance.boards import ClockSource, clock_source
from appliance.body.absent import NoButton
from appliance.body.clock import ShiftedClock
from appliance.build import pins
from appliance.errors import CannotBeDone
from appliance.service.states import State
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import CannedSynthesizer, MemoryValues, RecordingSpeaker
from appliance.tts.speak import Voice

Board = Callable[..., Path]
wired = import_module("appliance.build.start")
PI4, PI5 = "Raspberry Pi 4 Model B Rev 1.4\0", "Raspberry Pi 5 Model B Rev 1.0\0"
NAMES = {
    "rtc": "sys/class/rtc/rtc0/since_epoch",
    "timesyncd": "run/systemd/timesync/synchronized",
    "owner": "run/va-clock/set",
}
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """The root of one that is called `model`, with these files."""

    def made(model: str, **files: str) -> Path:
        for name, text in {"proc/device-tree/model": model, **{NAMES[key]: files[key] for key in files}}.items():
            (tmp_path / name).parent.mkdir(parents=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return made


@pytest.fixture
def speaker() -> RecordingSpeaker:
    return RecordingSpeaker()


@pytest.fixture
def voice(speaker: RecordingSpeaker) -> Iterator[Voice]:
    with Voice(CannedSynthesizer(), speaker, lambda error: None) as made:
        yield made


def source(root: Path, floor: datetime = NOON, synchronised: bool = False) -> ClockSource:
    return clock_source(floor, root, lambda: synchronised)


def test_a_board_without_a_battery_is_set_by_nothing(board: Board) -> None:
    assert source(board(PI4)) is ClockSource.NONE


def test_what_the_kernel_was_told_by_any_time_server_sets_it(board: Board) -> None:
    assert source(board(PI4), synchronised=True) is ClockSource.NETWORK


@pytest.mark.parametrize(("sign", "by"), [("timesyncd", ClockSource.NETWORK), ("owner", ClockSource.OWNER)])
def test_a_sign_says_who_set_it(board: Board, sign: str, by: ClockSource) -> None:
    assert source(board(PI4, **{sign: ""})) is by


@pytest.mark.parametrize(
    ("shown", "is_set"),
    [
        (f"{NOON.timestamp():.0f}\n", True),
        (f"{NOON.timestamp() - 600:.0f}\n", True),  # it lags a little
        (f"{NOON.timestamp() - 86_400:.0f}\n", False),  # a day that the box has seen already
        ("86400\n", False),
        ("", False),
    ],
)
def test_a_clock_chip_counts_as_long_as_its_battery_does(board: Board, shown: str, is_set: bool) -> None:
    assert source(board(PI5, rtc=shown)) is (ClockSource.BATTERY if is_set else ClockSource.NONE)


def test_a_computer_has_a_battery(tmp_path: Path) -> None:
    assert source(tmp_path) is ClockSource.BATTERY


def test_the_doubt_is_told_once_and_not_before_a_time_server_had_its_time(
    voice: Voice, speaker: RecordingSpeaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ShiftedClock, "trusted", False)
    clock = ShiftedClock(NOON, UTC)
    with build.parts(Settings(state=tmp_path), clock) as parts:
        monkeypatch.setattr(wired, "CLOCK_WAIT_S", clock.monotonic() + 100)
        news, pieces = parts.news(voice, Vitals(), lambda event: None), list[int]()
        for minutes in (0, 5, 6):
            clock.move(NOON.replace(minute=minutes))
            news.tell()
            pieces.append(len(speaker.played))
        assert pieces[0] == 0 < pieces[1] == pieces[2]


class Wired:
    """A button that hangs on a pin, or a pin without one: nobody can tell."""

    def listen(self, changed: Callable[[bool], None]) -> None: ...

    def close(self) -> None: ...


def test_only_a_box_whose_button_was_felt_is_muted_by_word() -> None:
    kept, muted = MemoryValues(), list[bool]()
    button, watch = Wired(), pins.felt(kept)
    mute = pins.if_felt(lambda: muted.append(True), kept, button, "en")
    with pytest.raises(CannotBeDone, match="not felt my button"):
        mute()
    watch(ev.ButtonPressed(), State.LISTENING)
    mute()
    assert muted == [True]
    with pytest.raises(CannotBeDone, match="keinen Knopf"):
        pins.if_felt(lambda: None, kept, NoButton(), "de")()
