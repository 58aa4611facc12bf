"""Alarms that play music: a real MPD and a real voice; and the chime where no music is heard."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
from nobody import Nobody

from appliance import events as ev
from appliance.body.clock import SystemClock
from appliance.errors import CannotBeDone
from appliance.ports import Skill, Tool
from appliance.service.ducking import Ducking
from appliance.service.loop import Service
from appliance.service.own_words import OwnWords
from appliance.service.ringing import Ringing
from appliance.service.states import State
from appliance.service.turn import SpokenTurns
from appliance.settings import Music, Settings, Words
from appliance.simulated import (
    CannedSynthesizer,
    DeadMicrophone,
    MemoryValues,
    RecordingSpeaker,
    ScriptedEars,
    skill_context,
)
from appliance.skills.due import Due
from appliance.skills.loader import load
from appliance.skills.music.player import Player
from appliance.skills.schedule import Schedule
from appliance.tts.speak import Voice
from bench.music_player import Mpd

SILENT = "http://127.0.0.1:9/stream"
"""A station that nobody sends: the port takes no connection."""
FEW_S = 12.0
"""Patience, on a machine that does other things as well; the box itself waits for 5 s."""


class Bedroom:
    """A service with the alarms and the music of the board."""

    def __init__(self, socket: Path, language: str = "en") -> None:
        stations = {"Radio Harbour": SILENT}
        settings = Settings(music=Music(player=socket, stations=stations), words=Words(language=language))
        self.clock = SystemClock(UTC)
        self.skills = load(skill_context(settings=settings, clock=self.clock))
        self.tools: dict[str, Tool] = {tool.name: tool for tool in (*self.skills.for_model(), *self.skills.commands())}
        self.synthesizer, self.ears = CannedSynthesizer(), ScriptedEars()
        self.voice = Voice(self.synthesizer, RecordingSpeaker(realtime=True), lambda error: None)
        self._ducking, rings = Ducking(self.skills.ducks), self.skills.rings
        self.service = Service(
            DeadMicrophone(),
            self.ears,
            lambda post: SpokenTurns(
                lambda utterance, stale: "", Nobody(), OwnWords(self.voice), bool, post, lambda r, m: None, paced=True
            ),
            Ringing(rings.alarms, rings.telling, self.voice, 120, rings.plays, self.skills.wakes),
            settings,
            MemoryValues(),
            self._ducking.watch,
        )
        self._thread, self._stack = Thread(target=self.service.run), ExitStack()

    def __enter__(self) -> Bedroom:
        self._stack.enter_context(self.voice)
        self._stack.enter_context(self._ducking)
        self._thread.start()
        self.until(lambda: self.service.state is State.IDLE, "idle")
        return self

    def __exit__(self, *_: object) -> None:
        self.service.stop()
        self._thread.join()
        self._stack.close()

    @property
    def alarms(self) -> Schedule:
        skill: Skill = next(skill for skill in self.skills.on if skill.name == "alarms")
        assert skill.rings
        assert isinstance(skill.rings.alarms, Schedule)
        return skill.rings.alarms

    def wake(self, plays: str, text: str = "") -> None:
        """An alarm that rings now."""
        self.alarms.add(text, Due(datetime.now(UTC) + timedelta(seconds=0.1)), plays=plays)
        self.until(lambda: self.service.state is State.RINGING, "ringing")

    def until(self, true: Callable[[], object], what: str, within_s: float = FEW_S) -> None:
        ends_s = time.monotonic() + within_s
        while not true():
            assert time.monotonic() < ends_s, f"never: {what}"
            time.sleep(0.02)


@pytest.fixture
def player(player: Player) -> Player:
    player.pause(True)
    return player


@pytest.fixture
def bedroom(mpd: Mpd, player: Player) -> Iterator[Bedroom]:
    with Bedroom(mpd.socket) as bedroom:
        yield bedroom


def sounds(player: Player) -> bool:
    playing = player.playing
    return playing is not None and not playing.paused


def test_it_is_told_back_and_kept_with_the_alarm(bedroom: Bedroom) -> None:
    told = bedroom.tools["set_music_alarm"].call({"when": "tomorrow at 7 am", "music": "night bus"})
    assert told == "Alarm set for 7 AM tomorrow, with Night Bus."
    assert bedroom.tools["list_alarms"].call({}) == "You have the alarm for 7 AM tomorrow with night bus."
    assert [entry.plays for entry in bedroom.alarms.all()] == ["night bus"]


def test_the_radio_is_the_first_station(bedroom: Bedroom) -> None:
    told = bedroom.tools["set_music_alarm"].call({"when": "tomorrow at 7 am", "music": "the radio"})
    assert told == "Alarm set for 7 AM tomorrow, with Radio Harbour."


def test_in_german_it_is_told_in_german(mpd: Mpd) -> None:
    with Bedroom(mpd.socket, "de") as bedroom:
        told = bedroom.tools["set_music_alarm"].call({"when": "morgen um 7 Uhr", "music": "dem Radio"})
        assert told == "Wecker gestellt: morgen um 7 Uhr, mit Radio Harbour."
        assert bedroom.tools["list_alarms"].call({}) == "Gestellt ist der Wecker morgen um 7 Uhr mit dem Radio."


def test_what_is_not_there_sets_no_alarm(bedroom: Bedroom) -> None:
    with pytest.raises(CannotBeDone, match="I found no music called the zebra quartet, and set no alarm"):
        bedroom.tools["set_music_alarm"].call({"when": "tomorrow at 7 am", "music": "the zebra quartet"})
    assert bedroom.alarms.all() == []


def test_without_a_player_it_says_so() -> None:
    skills = load(skill_context())
    tools = {tool.name: tool for tool in skills.commands()}
    with pytest.raises(CannotBeDone, match="nothing that could play music"):
        tools["set_music_alarm"].call({"when": "tomorrow at 7 am", "music": "jazz"})


def test_music_starts_softly_and_rises_in_place_of_the_chime(bedroom: Bedroom, player: Player) -> None:
    bedroom.wake("jazz", "the dentist")
    bedroom.until(lambda: sounds(player), "music")
    soft = player.volume()
    assert soft < 70
    bedroom.until(lambda: "dentist" in " ".join(bedroom.synthesizer.clauses), "the words")
    bedroom.until(lambda: player.volume() == 80, "as loud as it was")
    assert bedroom.voice.chimes == 0


WAKE_WORD = ev.WakeHeard(word="hey_jarvis", score=1.0, at_s=0.0)


@pytest.mark.parametrize("events", [(ev.ButtonPressed(),), (WAKE_WORD, ev.ButtonPressed())], ids=["button", "voice"])
def test_whoever_stops_it_stops_the_music(bedroom: Bedroom, player: Player, events: tuple[ev.Event, ...]) -> None:
    """The second event of two ends the listening, in which what plays is quieter."""
    bedroom.wake("jazz")
    bedroom.until(lambda: sounds(player), "music")
    time.sleep(1.5)  # seen to sound: it was heard
    for event in events:
        bedroom.service.post(event)
    bedroom.until(lambda: not sounds(player), "silence")
    bedroom.until(lambda: bedroom.alarms.all() == [], "done with")
    bedroom.until(lambda: player.volume() == 80, "the volume that was")


def test_a_snooze_stops_it_and_it_plays_again(bedroom: Bedroom, player: Player) -> None:
    bedroom.wake("jazz")
    bedroom.until(lambda: sounds(player), "music")
    bedroom.tools["snooze"].call({"seconds": 2})
    bedroom.until(lambda: not sounds(player), "silence")
    bedroom.until(lambda: sounds(player), "music again")


def test_a_box_that_ends_takes_the_music_along(mpd: Mpd, player: Player) -> None:
    with Bedroom(mpd.socket) as bedroom:
        bedroom.wake("jazz")
        bedroom.until(lambda: sounds(player), "music")
    bedroom.until(lambda: not sounds(player), "silence")
    bedroom.until(lambda: player.volume() == 80, "the volume that was")


def test_a_station_that_sends_nothing_is_the_chime(bedroom: Bedroom, player: Player) -> None:
    began_s = time.monotonic()
    bedroom.wake("Radio Harbour")
    bedroom.until(lambda: bedroom.voice.chimes > 0, "the chime")
    assert time.monotonic() - began_s < 8
    bedroom.service.post(ev.ButtonPressed())
    bedroom.until(lambda: bedroom.alarms.all() == [], "done with")


def test_music_that_ends_is_followed_by_the_chime(bedroom: Bedroom, player: Player) -> None:
    bedroom.wake("jazz")
    bedroom.until(lambda: sounds(player), "music")
    time.sleep(1.5)
    player.pause(True)  # somebody else, as its queue would at its end
    bedroom.until(lambda: bedroom.voice.chimes > 0, "the chime")


def test_a_player_that_hangs_is_the_chime(mpd: Mpd, player: Player) -> None:
    with Bedroom(mpd.socket) as bedroom:
        os.kill(mpd.pid, signal.SIGSTOP)
        try:
            bedroom.wake("jazz")
            bedroom.until(lambda: bedroom.voice.chimes > 0, "the chime")
        finally:
            os.kill(mpd.pid, signal.SIGCONT)


def test_a_player_that_is_dead_is_the_chime(mpd: Mpd, player: Player) -> None:
    with Bedroom(mpd.socket) as bedroom:
        mpd.end()
        bedroom.wake("jazz", "the dentist")
        bedroom.until(lambda: bedroom.voice.chimes > 0, "the chime")
        bedroom.until(lambda: "dentist" in " ".join(bedroom.synthesizer.clauses), "the words")
        mpd.start()
