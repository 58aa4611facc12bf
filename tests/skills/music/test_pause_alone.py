"""Bare "pause" and "resume": what runs decides what they mean."""

from __future__ import annotations

import pytest
from rig import Board
from timers_of import timers_of

from appliance.settings import Music, Settings, Words
from appliance.skills.music.player import Player
from bench.music_player import Mpd


class Kitchen:
    def __init__(self, mpd: Mpd, language: str = "en") -> None:
        settings = Settings(music=Music(player=mpd.socket), words=Words(language=language))
        self.board = Board("say I made this up.", language=language, settings=settings)
        self.player = Player(mpd.socket)

    def says(self, line: str) -> str:
        return self.board.say(line).said

    def play(self) -> None:
        self.player.play(["Blue Door.flac"])

    def set_timer(self) -> None:
        self.board.say("set a pasta timer for nine minutes")

    @property
    def music(self) -> bool:
        playing = self.player.playing
        return playing is not None and not playing.paused

    @property
    def timer(self) -> bool:
        """Whether it runs."""
        (timer,) = timers_of(self.board.skills).all()
        return timer.paused_s is None


@pytest.fixture
def kitchen(mpd: Mpd) -> Kitchen:
    Player(mpd.socket).play([])  # an empty queue is stopped
    return Kitchen(mpd)


def test_with_music_alone_it_is_the_music(kitchen: Kitchen) -> None:
    kitchen.play()
    assert kitchen.says("pause") == "The music is paused."
    assert not kitchen.music
    assert kitchen.says("resume") == "The music plays on."
    assert kitchen.music


def test_with_a_timer_alone_it_is_the_timer(kitchen: Kitchen) -> None:
    kitchen.set_timer()
    assert kitchen.says("pause") == "The pasta timer is paused with 9 minutes left."
    assert kitchen.says("unpause") == "The pasta timer runs and has 9 minutes left."
    assert kitchen.timer


@pytest.mark.parametrize(
    ("answer", "music", "timer"),
    [("the music", False, True), ("the timer", True, False), ("both", False, False)],
)
def test_with_both_it_asks(kitchen: Kitchen, answer: str, music: bool, timer: bool) -> None:
    kitchen.play()
    kitchen.set_timer()
    assert kitchen.says("pause") == "The timer or the music?"
    assert (kitchen.music, kitchen.timer) == (True, True)
    kitchen.says(answer)
    assert (kitchen.music, kitchen.timer) == (music, timer)


def test_what_does_not_run_is_not_asked_about(kitchen: Kitchen) -> None:
    kitchen.play()
    kitchen.set_timer()
    kitchen.says("pause the pasta timer")
    assert kitchen.says("pause") == "The music is paused."


def test_with_neither_it_says_so(kitchen: Kitchen) -> None:
    assert kitchen.says("pause") == "Nothing is running that I could pause."
    assert kitchen.says("resume") == "Nothing is paused."


def test_it_is_taken_back(kitchen: Kitchen) -> None:
    kitchen.play()
    kitchen.says("pause")
    assert not kitchen.music
    kitchen.says("undo")
    assert kitchen.music


def test_a_line_that_names_the_music_means_it(kitchen: Kitchen) -> None:
    kitchen.play()
    kitchen.set_timer()
    kitchen.says("pause the music")
    assert (kitchen.music, kitchen.timer) == (False, True)


def test_in_german(mpd: Mpd) -> None:
    kitchen = Kitchen(mpd, "de")
    kitchen.play()
    assert kitchen.says("Pause") == "Die Musik ist angehalten."
    assert kitchen.says("weiter") == "Die Musik läuft weiter."
    kitchen.says("stelle einen Nudeltimer auf neun Minuten")
    assert kitchen.says("pausieren") == "Den Timer oder die Musik?"
    kitchen.says("die Musik")
    assert (kitchen.music, kitchen.timer) == (False, True)
    assert kitchen.says("weiter") == "Die Musik läuft weiter."
