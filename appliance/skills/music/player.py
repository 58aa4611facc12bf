"""The player: an MPD on this box, at its socket. Each piece of work connects anew, so that restarts do not matter."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpd import MPDClient, MPDError

PATIENCE_S = 3.0
"""For each answer; MPD is on the same machine."""
DUCKED = 0.16
"""Share of the amplitude that is left while somebody speaks: -16 dB. Asked for are 12 at least."""
_CURVE = 25.0
"""MPD's own software mixer: amplitude = (e^(volume / 25) - 1) / (e^4 - 1)."""


class NoPlayer(Exception):
    """There is none, it does not answer, or it cannot do that."""


@dataclass(frozen=True)
class Playing:
    title: str
    artist: str = ""
    station: str = ""
    paused: bool = False


class Player:
    """Safe to use from several threads. Every method raises NoPlayer."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._lock = threading.RLock()
        self._loud: int | None = None
        """The volume that comes back, while it is ducked."""

    def play(self, songs: Sequence[str]) -> None:
        """These instead of what is in the queue. songs: files, folders or URLs as MPD knows them."""
        with self._player() as mpd:
            mpd.clear()
            for song in songs:
                mpd.add(song)
            mpd.play()

    def songs_known(self) -> int:
        """How many there are in the library."""
        with self._player() as mpd:
            return int(mpd.stats().get("songs", 0))

    def play_all(self) -> None:
        """All that there is, in any order."""
        with self._player() as mpd:
            mpd.clear()
            mpd.add("/")
            mpd.shuffle()
            mpd.play()

    def play_list(self, name: str) -> None:
        """A stored playlist."""
        with self._player() as mpd:
            mpd.clear()
            mpd.load(name)
            mpd.play()

    def queue(self, songs: Sequence[str]) -> None:
        """Behind what is in the queue."""
        with self._player() as mpd:
            for song in songs:
                mpd.add(song)
            if mpd.status()["state"] == "stop":
                mpd.play()

    def pause(self, on: bool) -> bool:
        """Whether it changed anything."""
        with self._player() as mpd:
            before = mpd.status()["state"]
            if before != ("play" if on else "pause"):
                return False
            mpd.pause(1 if on else 0)
            return True

    def skip(self, back: bool = False) -> bool:
        """Whether there was anything to skip to."""
        with self._player() as mpd:
            status = mpd.status()
            if status["state"] == "stop" or (not back and "nextsong" not in status):
                return False
            mpd.previous() if back else mpd.next()
            return True

    @property
    def playing(self) -> Playing | None:
        """None while it is stopped."""
        with self._player() as mpd:
            state, song = mpd.status()["state"], mpd.currentsong()
        if state == "stop" or not song:
            return None
        title = song.get("title") or Path(song.get("file", "")).stem
        return Playing(title, song.get("artist", ""), song.get("name", ""), paused=state == "pause")

    @property
    def elapsed_s(self) -> float | None:
        """Seconds of what plays that were heard: they grow as long as it sounds. None while nothing plays."""
        with self._player() as mpd:
            status = mpd.status()
        return float(status.get("elapsed", 0)) if status["state"] == "play" else None

    def volume(self) -> int:
        """Percent, as it is when nobody speaks."""
        with self._lock:
            return self._loud if self._loud is not None else self._volume()

    def set_volume(self, percent: int) -> None:
        with self._lock:
            if self._loud is None:
                self._set(percent)
            else:  # whoever says so speaks, and it is ducked
                self._loud = percent

    def duck(self, on: bool) -> None:
        """Quieter while somebody speaks, and back. The same again changes nothing."""
        with self._lock:
            if on and self._loud is None:
                self._loud = self._volume()
                self._set(quieter(self._loud))
            elif not on and self._loud is not None:
                loud, self._loud = self._loud, None
                self._set(loud)

    def names(self, kind: str) -> list[str]:
        """All that there is of a tag of MPD's: artist, album, genre, title."""
        with self._player() as mpd:
            return [str(each.get(kind, "")) for each in mpd.list(kind) if each.get(kind)]

    def playlists(self) -> list[str]:
        with self._player() as mpd:
            return [str(each["playlist"]) for each in mpd.listplaylists()]

    def songs(self, **tags: str) -> list[dict[str, Any]]:
        """Those with exactly these tags, in the order of the library."""
        with self._player() as mpd:
            return [dict(song) for song in mpd.find(*(part for tag in tags.items() for part in tag))]

    def _volume(self) -> int:
        with self._player() as mpd:
            volume = int(mpd.status().get("volume", -1))
        if volume < 0:  # an output without a mixer
            raise NoPlayer
        return volume

    def _set(self, percent: int) -> None:
        with self._player() as mpd:
            mpd.setvol(percent)

    @contextmanager
    def _player(self) -> Iterator[MPDClient]:
        client = MPDClient()
        client.timeout = PATIENCE_S
        with self._lock:
            try:
                client.connect(str(self._socket))
                yield client
            except (OSError, MPDError) as error:
                raise NoPlayer(str(error)) from error
            finally:
                with suppress(OSError, MPDError):  # it may be gone already
                    client.disconnect()


def quieter(volume: int, share: float = DUCKED) -> int:
    """The volume at which MPD's mixer gives that share of the amplitude."""
    return round(_CURVE * math.log1p(share * math.expm1(volume / _CURVE)))
