"""Music: songs, albums, playlists and radio stations, by an MPD on this box."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Pausable, Skill, SkillContext
from appliance.skills.music.find import Finder
from appliance.skills.music.player import Player
from appliance.skills.music.tools import MusicTools
from appliance.skills.music.waking import WakeMusic
from appliance.skills.schema import tool
from appliance.skills.written import Words


def make(context: SkillContext) -> Skill:
    chosen, words = context.settings.music, Words(Path(__file__).parent, context.settings.words.language)
    player = Player(chosen.player or Path("/nowhere"))
    finder = Finder(player, chosen.stations, context.sound_of, words.phrases["kinds"])
    music = MusicTools(player, finder, words)
    there, waking = chosen.player is not None, WakeMusic(player, music)
    return Skill(
        "music",
        tools=[
            tool(music.play_music, "act"),
            tool(music.pause_music, "act"),
            tool(music.resume_music, "act"),
            tool(music.next_track, "act"),
            tool(music.what_is_playing, "read"),
            tool(music.set_music_volume, "act"),
        ],
        commands=[
            tool(music.previous_track, "act"),
            tool(music.queue_music, "act"),
            tool(music.change_music_volume, "act"),
        ],
        needs="an MPD on this box",
        missing=lambda: "" if there else words.say("no_player"),
        known=lambda: tuple(chosen.stations) if there else (),
        pausable=Pausable(
            words.say("pausable"),
            music.plays,
            music.is_paused,
            lambda what: music.pause_music(),
            lambda what: music.resume_music(),
        ),
        duck=waking.duck if there else None,
        wakes=waking if there else None,
        rank=60,
    )
