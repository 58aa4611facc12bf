"""Orders whose time has come are carried out by a whole running service; announcements sound at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from typed_service import PATIENCE_S, running

from appliance import events as ev
from appliance.body.clock import SystemClock
from appliance.build.typed import typed_parts
from appliance.errors import CannotBeDone
from appliance.ports.refusals import Refused
from appliance.service.announcing import Announcer
from appliance.service.states import IN_CALL, State
from appliance.settings import Settings
from appliance.simulated import CannedSynthesizer, RecordingSpeaker
from appliance.tts.cues import sound
from appliance.tts.speak import Voice


def test_it_is_carried_out_and_told_and_others_are_there_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as box:
        box.type("turn the volume down in three seconds")
        assert box.says("I will do this")
        before = box.parts.volume.level
        assert box.says(f"Volume {before - 10} percent")
        assert box.parts.volume.level == before - 10
        box.type("set the volume to sixty in two hours")
        assert box.says("sixty")
    with running(tmp_path) as box:
        box.type("what orders are there")
        assert box.says("One order waits for its time: set the volume to sixty")
        assert "As you wanted" not in " ".join(box.said)


def test_an_announcement_through_the_door_and_by_voice(tmp_path: Path) -> None:
    with running(tmp_path) as box:
        box.type("announce that the soup is ready")
        assert box.says("The soup is ready.")
        assert box.says("I said it here; I know no other box.")
        box.parts.announce("The bus is here.")
        assert box.says("The bus is here.")


def test_nothing_is_announced_where_nobody_hears(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path, models=tmp_path / "none")
    with (
        typed_parts(settings, SystemClock(UTC), lambda text: None, frame_s=0.032) as parts,
        pytest.raises(CannotBeDone, match="Nobody would hear it"),
    ):
        parts.announce("The bus is here.")


class House:
    def __init__(self) -> None:
        self.speaker, self.events, self.quiet = RecordingSpeaker(realtime=True), list[ev.Event](), False
        self.voice = Voice(CannedSynthesizer(), self.speaker, lambda error: None)
        self.announcer = Announcer(self.voice, self.events.append, lambda: self.quiet, "en")

    def over(self) -> bool:
        ends_s = time.monotonic() + PATIENCE_S
        while not self.events or not isinstance(self.events[-1], ev.NewsEnded):
            if time.monotonic() > ends_s:
                return False
            time.sleep(0.02)
        return True


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    with made.voice:
        yield made


def test_a_chime_then_the_text(house: House) -> None:
    house.announcer("Dinner is ready.")
    assert house.over()
    chime, text = (speech for _, speech in house.speaker.played)
    assert chime.samples.size == sound("announcement").samples.size
    assert text.seconds > 0.5
    assert [type(event) for event in house.events] == [ev.NewsBegan, ev.NewsEnded]


def test_quiet_hours_hold_unless_it_is_said(house: House) -> None:
    house.quiet = True
    with pytest.raises(CannotBeDone, match="quiet hours"):
        house.announcer("Dinner is ready.")
    assert house.events == []
    house.announcer("Dinner is ready.", anyway=True)
    assert house.over()
    assert len(house.speaker.played) == 2


@pytest.mark.parametrize("state", IN_CALL)
def test_in_a_call_it_waits_and_the_other_end_does_not_hear_it(house: House, state: State) -> None:
    house.announcer.watch(ev.CallBegan(), state)
    house.announcer("Dinner is ready.")
    with pytest.raises(Refused, match="in a call"):
        house.announcer.aloud("This device comes in.")
    house.announcer.watch(ev.WakeHeard(), State.LISTENING)
    assert (house.events, list(house.speaker.played)) == ([], [])
    house.announcer.watch(ev.CallEnded(), State.IDLE)
    assert house.over()
    assert len(house.speaker.played) == 2


@pytest.mark.parametrize(
    ("event", "state", "cut"),
    [
        (ev.StopHeard(), State.IDLE, True),
        (ev.ButtonPressed(), State.LISTENING, True),
        (ev.ReplyEnded(), State.IDLE, False),
    ],
)
def test_who_stops_it_cuts_it_off(house: House, event: ev.Event, state: State, cut: bool) -> None:
    house.announcer("Dinner is ready, and so is the pudding that we made together this afternoon in the kitchen.")
    time.sleep(0.8)
    house.announcer.watch(event, state)
    began_s = time.monotonic()
    assert house.over()
    assert (time.monotonic() - began_s < 0.5) is cut
