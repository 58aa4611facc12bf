"""What somebody means by the music they name: a station, a playlist, an artist, an album, a genre or a song."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from appliance.ports import SOUNDS_MIN, SoundOf
from appliance.skills.music.player import Player

ALIKE = 0.8
"""difflib ratio from which a name is taken to be misheard, not another; a judgement, as that of timers' labels."""
STATION, PLAYLIST = "station", "playlist"
KINDS = (STATION, PLAYLIST, "artist", "album", "genre", "title")
"""What a name may be of; the last four are tags of MPD's. Where several are as good, the first is meant."""
_ARTICLES = ("the", "some", "my", "die", "der", "das", "dem", "den", "etwas", "meine", "meiner")
_BY = re.compile(r"(.+) (?:by|from|von) (.+)")


@dataclass(frozen=True)
class Found:
    """What to play. `playlist` or `songs` is set."""

    name: str
    songs: tuple[str, ...] = ()
    playlist: str = ""


class Finder:
    def __init__(
        self, player: Player, stations: Mapping[str, str], sound_of: SoundOf, kinds: Mapping[str, str] = {}
    ) -> None:
        """stations: name -> URL.  sound_of: how a name sounds; equal where two names sound alike.

        kinds: a word before or behind a name that says what it is -> one of KINDS.
        """
        self._player, self._stations, self._sound_of, self._kinds = player, stations, sound_of, kinds

    def find(self, what: str) -> Found | None:
        """The best of all kinds, or of the one that is said. Raises NoPlayer."""
        by = _BY.fullmatch(what.strip())
        if by and (found := self._of(by[1], by[2])):
            return found
        kind, name = self._kind_of(plain(what))
        found = self._named(name, (kind,)) if kind else None
        return found or self._named(plain(what), KINDS) or self._first_station(plain(what))

    def _first_station(self, words: str) -> Found | None:
        """Of the owner's list, for whoever asks for the radio and names none."""
        if self._kinds.get(words) != STATION or not self._stations:
            return None
        return self._found(STATION, next(iter(self._stations)))

    def _kind_of(self, words: str) -> tuple[str, str]:
        """ "the album night bus" is an album; an empty kind for what says none."""
        first, _, rest = words.partition(" ")
        before, _, last = words.rpartition(" ")
        for word, name in ((first, rest), (last, before)):
            if name and word in self._kinds:
                return self._kinds[word], name
        return "", words

    def _named(self, what: str, kinds: Sequence[str]) -> Found | None:
        best = self._best(what, [(kind, name) for kind in kinds for name in self._all(kind)])
        return self._found(*best) if best else None

    def _all(self, kind: str) -> list[str]:
        if kind == STATION:
            return list(self._stations)
        return self._player.playlists() if kind == PLAYLIST else self._player.names(kind)

    def _of(self, what: str, artist: str) -> Found | None:
        """An album or a song of somebody's."""
        whom = self._best(plain(artist), [("artist", name) for name in self._player.names("artist")])
        if whom is None:
            return None
        songs = self._player.songs(artist=whom[1])
        named = [(tag, str(song[tag])) for tag in ("album", "title") for song in songs if song.get(tag)]
        if best := self._best(self._kind_of(plain(what))[1], named):
            tag, name = best
            return Found(name, tuple(song["file"] for song in songs if song.get(tag) == name))
        return None

    def _found(self, kind: str, name: str) -> Found:
        if kind == STATION:
            return Found(name, (self._stations[name],))
        if kind == PLAYLIST:
            return Found(name, playlist=name)
        return Found(name, tuple(str(song["file"]) for song in self._player.songs(**{kind: name})))

    def _best(self, words: str, names: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
        """The kind and name that `words` mean: written the same, then within the name, then alike, then by ear.

        Of several that are as good, the first.
        """
        known = [(plain(name), (kind, name)) for kind, name in names]
        alike = difflib.get_close_matches(words, [name for name, _ in known], n=1, cutoff=ALIKE)
        sound = self._sound_of(words)
        ways: tuple[Callable[[str], bool], ...] = (
            lambda name: name == words,
            lambda name: bool(words) and f" {words} " in f" {name} ",
            lambda name: name in alike,
            lambda name: len(sound) >= SOUNDS_MIN and sound == self._sound_of(name),
        )
        return next((each for way in ways for name, each in known if way(name)), None)


def plain(name: str) -> str:
    """Without case, accents, marks and a leading article: The Beatles and beatles are one."""
    letters = "".join(part for part in unicodedata.normalize("NFKD", name) if not unicodedata.combining(part))
    words = re.findall(r"\w+", letters.casefold().replace("&", " and "))
    return " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)
