"""Music by a real MPD."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from appliance import events as ev
from appliance.errors import CannotBeDone
from appliance.service.ducking import Ducking
from appliance.service.states import State
from appliance.settings import Music, Settings
from appliance.simulated import skill_context
from appliance.skills.music import make
from appliance.skills.music.find import Finder
from appliance.skills.music.player import NoPlayer, Player, quieter
from appliance.skills.music.tools import MusicTools
from appliance.skills.written import Words
from bench.music_player import SONGS, Mpd

STATIONS = {"Radio Harbour": "http://127.0.0.1:9/stream"}


@pytest.fixture
def tools(player: Player) -> MusicTools:
    import appliance.skills.music as skill

    words = Words(Path(skill.__file__).parent, "en")
    return MusicTools(player, Finder(player, STATIONS, str.casefold, words.phrases["kinds"]), words)


@pytest.mark.parametrize(
    ("what", "said", "first"),
    [
        ("the lanterns", "The Lanterns", "Blue Door"),
        ("night bus", "Night Bus", "Paper Moon"),
        ("jazz", "jazz", "Paper Moon"),
        ("two rivers", "Two Rivers", "Two Rivers"),
        ("two rivers by the lanterns", "Two Rivers", "Two Rivers"),
        ("uber den wolken", "Über den Wolken", "Über den Wolken"),
        ("sunday", "Sunday", "Paper Moon"),
        ("the lantern", "The Lanterns", "Blue Door"),
        ("the album night bus", "Night Bus", "Paper Moon"),
        ("the song blue door by the lanterns", "Blue Door", "Blue Door"),
        ("sunday playlist", "Sunday", "Paper Moon"),
    ],
)
def test_what_is_named_is_found_and_plays(tools: MusicTools, player: Player, what: str, said: str, first: str) -> None:
    assert tools.play_music(what) == f"Playing {said}."
    playing = player.playing
    assert playing
    assert (playing.title, playing.paused) == (first, False)


def test_what_is_not_there_is_said_and_plays_nothing_else(tools: MusicTools, player: Player) -> None:
    tools.play_music("jazz")
    with pytest.raises(CannotBeDone, match="I found no music called the zebra quartet"):
        tools.play_music("the zebra quartet")
    assert player.playing
    assert player.playing.title == "Paper Moon"


def test_a_station_is_the_address_of_the_owner(player: Player) -> None:
    found = Finder(player, STATIONS, str.casefold).find("radio harbour")
    assert found
    assert (found.name, found.songs) == ("Radio Harbour", (STATIONS["Radio Harbour"],))


def test_anything_is_all_of_it(tools: MusicTools, player: Player) -> None:
    assert tools.play_music("some music") == "Playing your music in any order."
    assert player.playing
    assert player.playing.title in {title for title, *_ in SONGS}


def test_pause_skip_and_what_it_is(tools: MusicTools) -> None:
    tools.play_music("night bus")
    assert tools.what_is_playing() == "This is Paper Moon by Ada Quist."
    assert tools.next_track() == "This is Über den Wolken by Ada Quist."
    with pytest.raises(CannotBeDone, match="That is the last one"):
        tools.next_track()
    assert tools.pause_music() == "The music is paused."
    assert tools.what_is_playing() == "This is Über den Wolken by Ada Quist. It is paused."
    with pytest.raises(CannotBeDone, match="No music is playing"):
        tools.pause_music()
    assert tools.resume_music() == "The music plays on."
    assert tools.queue_music("blue door") == "Blue Door is next in line."
    assert tools.next_track() == "This is Blue Door by The Lanterns."


def test_it_is_12_db_quieter_while_somebody_speaks_and_then_as_before(mpd: Mpd, player: Player) -> None:
    player.play(["Blue Door.flac"])
    loud = mpd.loudness()
    with Ducking([player.duck]) as ducking:
        ducking.watch(ev.WakeHeard(), State.LISTENING)
        time.sleep(0.5)
        low = mpd.loudness()
        ducking.watch(ev.ButtonPressed(), State.THINKING)
        ducking.watch(ev.ButtonPressed(), State.IDLE)
        time.sleep(0.5)
        assert low < loud / 4
        assert mpd.loudness() == pytest.approx(loud, rel=0.1)


def test_a_box_that_ends_while_somebody_speaks_leaves_it_as_loud_as_before(mpd: Mpd, player: Player) -> None:
    with Ducking([player.duck]) as ducking:
        ducking.watch(ev.WakeHeard(), State.LISTENING)
    assert Player(mpd.socket).volume() == 80


def test_louder_said_while_it_is_ducked_is_louder_afterwards(tools: MusicTools, player: Player) -> None:
    player.duck(True)
    assert tools.set_music_volume(direction="down") == "Music at 65 percent."
    assert player.volume() == 65
    player.duck(False)
    assert player.volume() == 65
    player.duck(False)


@pytest.mark.parametrize("volume", [0, 1, 30, 80, 100])
def test_quieter_is_never_louder(volume: int) -> None:
    assert 0 <= quieter(volume) <= volume


def test_a_player_that_is_gone_is_said_and_is_found_again(mpd: Mpd, tools: MusicTools, player: Player) -> None:
    mpd.end()
    with pytest.raises(CannotBeDone, match="My music player does not answer"):
        tools.play_music("jazz")
    with pytest.raises(NoPlayer):
        player.volume()
    mpd.start()
    assert tools.play_music("jazz") == "Playing jazz."


def test_without_a_player_the_skill_says_so_and_is_not_named() -> None:
    skill = make(skill_context())
    assert (skill.missing(), skill.duck) == ("I have no music player.", None)
    assert make(skill_context(settings=Settings(music=Music(player=Path("/run/mpd/socket"))))).missing() == ""
