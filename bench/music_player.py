"""A real MPD, with files that are made for it, playing into a file; for tests and for lines about music."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from mpd import MPDClient

from appliance.skills.music.player import NoPlayer, Player

Song = tuple[str, str, str, str, int]
"""Title, artist, album, genre, and its tone in Hz."""
SONGS: Sequence[Song] = [
    ("Blue Door", "The Lanterns", "First Light", "folk", 440),
    ("Two Rivers", "The Lanterns", "First Light", "folk", 550),
    ("Paper Moon", "Ada Quist", "Night Bus", "jazz", 660),
    ("Über den Wolken", "Ada Quist", "Night Bus", "jazz", 880),
]
SECONDS = 60
CONFIG = """
music_directory "{folder}/music"
playlist_directory "{folder}/lists"
db_file "{folder}/db"
state_file "{folder}/state"
bind_to_address "{folder}/socket"
zeroconf_enabled "no"
audio_output {{
    type "fifo"
    name "room"
    path "{folder}/room"
    format "44100:16:1"
    mixer_type "software"
}}
"""


def opened(folder: Path) -> Iterator[Mpd]:
    """The body of a fixture."""
    running = Mpd(folder)
    yield running
    running.end()


class Mpd:
    """The program, and what it plays. Until `end` is called it runs."""

    def __init__(self, folder: Path, songs: Sequence[Song] = SONGS) -> None:
        self.folder, self.socket, self._songs = folder, folder / "socket", songs
        for name in ("music", "lists"):
            (folder / name).mkdir()
        for title, artist, album, genre, tone in songs:
            tags = {"TITLE": title, "ARTIST": artist, "ALBUM": album, "GENRE": genre}
            comments = [part for tag in tags.items() for part in ("--add-comment", "=".join(tag))]
            path = folder / "music" / f"{title}.flac"
            tone_of = ["synth", str(SECONDS), "sine", str(tone), "gain", "-6"]
            subprocess.run(["sox", "-n", "-r", "44100", "-b", "16", "-c", "1", *comments, path, *tone_of], check=True)
        (folder / "lists" / "Sunday.m3u").write_text(f"{songs[2][0]}.flac\n{songs[0][0]}.flac\n")
        (folder / "mpd.conf").write_text(CONFIG.format(folder=folder))
        self.start()

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(["mpd", "--no-daemon", "--stderr", self.folder / "mpd.conf"], stderr=log)
        player, deadline_s = Player(self.socket), time.monotonic() + 20
        while time.monotonic() < deadline_s:
            try:
                if player.songs_known() == len(self._songs):
                    return
            except NoPlayer:
                pass
            time.sleep(0.1)
        self.end()
        raise TimeoutError("MPD does not answer")

    def silence(self) -> None:
        """Nothing plays, nothing is queued, and it is 80 % loud."""
        client = MPDClient()
        client.connect(str(self.socket))
        client.clear()
        client.setvol(80)
        client.disconnect()

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def loudness(self, seconds: float = 0.5) -> float:
        """RMS of the newest half second that it played, of 32 768."""
        size = int(44_100 * seconds) * 2
        with (self.folder / "room").open("rb") as pipe:
            pipe.read(44_100 * 2)  # what waits in the pipe was played before
            heard = pipe.read(size)
        return float(np.sqrt(np.mean(np.frombuffer(heard, np.int16).astype(float) ** 2)))
