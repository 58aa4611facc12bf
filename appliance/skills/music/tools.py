"""Playing, pausing, skipping, and what it is, in the words of a conversation."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Concatenate, Literal, ParamSpec, TypeVar

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Spoken, undoable
from appliance.skills.music.find import Finder, Found, plain
from appliance.skills.music.player import NoPlayer, Player
from appliance.skills.written import Words

STEP = 15
"""Percent of MPD's volume that "louder" is louder: 5 dB in the upper half of its curve."""
What = Annotated[str, Field(max_length=120, description="artist, album, song, playlist or station, as said")]
P = ParamSpec("P")
T = TypeVar("T", bound=str)


def told(method: Callable[Concatenate[MusicTools, P], T]) -> Callable[Concatenate[MusicTools, P], T]:
    """A player that does not answer is told of."""

    @wraps(method)
    def tried(self: MusicTools, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(self, *args, **kwargs)
        except NoPlayer:
            raise CannotBeDone(self.words.say("no_answer"), remedy="see that MPD runs: systemctl status mpd") from None

    return tried


class MusicTools:
    def __init__(self, player: Player, finder: Finder, words: Words) -> None:
        self._player, self._finder, self.words = player, finder, words

    @told
    def play_music(self, what: What = "") -> Spoken:
        """Play music: an artist, an album, a song, a playlist or a radio station; anything when none is named."""
        name = self.start(what)
        undoable(lambda: self._player.pause(True))
        return self.words.say("plays", what=name) if name else self.words.say("plays_all")

    @told
    def queue_music(self, what: What) -> Spoken:
        """Play something after what is playing."""
        found = self._found(what)
        self._player.queue(found.songs)
        return self.words.say("queued", what=found.name)

    @told
    def pause_music(self) -> Spoken:
        """Pause or stop the music."""
        if not self._player.pause(True):
            raise CannotBeDone(self.words.say("not_playing"))
        undoable(lambda: self._player.pause(False))
        return self.words.say("paused")

    @told
    def resume_music(self) -> Spoken:
        """Let paused music play on."""
        if not self._player.pause(False):
            raise CannotBeDone(self.words.say("not_paused"))
        undoable(lambda: self._player.pause(True))
        return self.words.say("resumed")

    def plays(self) -> bool:
        """Whether music is heard."""
        return self._stands(paused=False)

    def is_paused(self) -> bool:
        return self._stands(paused=True)

    def _stands(self, paused: bool) -> bool:
        try:
            playing = self._player.playing
        except NoPlayer:
            return False
        return playing is not None and playing.paused is paused

    @told
    def next_track(self) -> Spoken:
        """Skip to the next song."""
        if not self._player.skip():
            raise CannotBeDone(self.words.say("last_one"))
        return self._now()

    @told
    def previous_track(self) -> Spoken:
        """Go back to the song before."""
        if not self._player.skip(back=True):
            raise CannotBeDone(self.words.say("not_playing"))
        return self._now()

    @told
    def what_is_playing(self) -> Spoken:
        """Tell which song is playing."""
        return self._now()

    @told
    def set_music_volume(
        self,
        direction: Literal["up", "down"] | None = None,
        level: Annotated[int, Field(ge=0, le=100, description="percent", json_schema_extra={"said": True})]
        | None = None,
    ) -> Spoken:
        """Change the volume of the music alone."""
        before = self._player.volume()
        if level is None:
            if direction is None:
                raise BadArgument(self.words.say("how_loud"), remedy="give a level from 0 to 100, or up or down")
            level = max(0, min(100, before + (STEP if direction == "up" else -STEP)))
        self._player.set_volume(level)
        undoable(lambda: self._player.set_volume(before))
        return self.words.say("volume", level=level)

    @told
    def change_music_volume(self, by: Annotated[int, Field(ge=-100, le=100, description="percent")]) -> Spoken:
        """Change the volume of the music by so much, down below zero."""
        return self.set_music_volume(level=min(100, max(0, self._player.volume() + by)))

    def start(self, what: str) -> str:
        """Play what somebody means; its name, empty for all that there is. Raises CannotBeDone, NoPlayer."""
        if self._is_anything(what):
            if not self._player.songs_known():
                raise CannotBeDone(self.words.say("nothing_there"))
            self._player.play_all()
            return ""
        found = self._found(what)
        if found.playlist:
            self._player.play_list(found.playlist)
        else:
            self._player.play(found.songs)
        return found.name

    @told
    def named(self, what: str) -> str:
        """The name of what somebody means; empty where there is none. Raises CannotBeDone."""
        if self._is_anything(what):
            return what.strip() if self._player.songs_known() else ""
        found = self._finder.find(what)
        return found.name if found and (found.songs or found.playlist) else ""

    def _is_anything(self, what: str) -> bool:
        return plain(what) in self.words.phrases["anything"]

    def _found(self, what: str) -> Found:
        """Raises CannotBeDone, NoPlayer."""
        found = self._finder.find(what)
        if found is None or not (found.songs or found.playlist):
            raise CannotBeDone(self.words.say("not_found", what=what.strip()))
        return found

    def _now(self) -> Spoken:
        playing = self._player.playing
        if playing is None:
            return self.words.say("nothing_plays")
        key = "is_on_station" if playing.station else "is_by" if playing.artist else "is"
        said = self.words.say(key, title=playing.title, artist=playing.artist, station=playing.station)
        return self.words.say("is_paused", playing=said) if playing.paused else said
