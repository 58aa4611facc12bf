"""Music in place of the chime: it starts softly and rises, and is looked at for whether it really sounds."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress

from appliance.errors import ApplianceError
from appliance.skills.music.player import NoPlayer, Player, quieter
from appliance.skills.music.tools import MusicTools

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""Between two looks at the player, and two steps of the volume."""
SOFT, RISE_S = 0.35, 7.0
"""The share of the amplitude with which it starts, and how long it rises: those of the chime (tts/ring.py)."""
LEAST_VOLUME = 40
"""Percent, -23 dB by MPD's curve: however low the music was set, it is loud enough to wake somebody."""


class WakeMusic:
    """Implements ports.WakeSounds, on a thread of its own. It also ducks the player, but never while that wakes."""

    def __init__(self, player: Player, music: MusicTools) -> None:
        self._player, self._music = player, music
        self._one = threading.Lock()
        """Held by the thread that wakes: one that is still to pause the music comes before the next."""
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._waking = self._ducked = False
        self._sounding = False

    def named(self, what: str) -> str:
        return self._music.named(what)

    @property
    def sounding(self) -> bool:
        return self._sounding and not self._over.is_set()

    def start(self, what: str) -> None:
        self._over = threading.Event()
        threading.Thread(target=self._wake, args=(what, self._over), name="wake music", daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def duck(self, on: bool) -> None:
        """What was asked for while it wakes holds once that is over."""
        with self._lock:
            self._ducked = on
            if not self._waking:
                self._player.duck(on)

    def _wake(self, what: str, over: threading.Event) -> None:
        with self._one:
            if over.is_set():
                return
            loud: int | None = None
            try:
                with self._lock:
                    self._waking = True
                    self._player.duck(False)
                loud = self._player.volume()
                self._play(what, max(loud, LEAST_VOLUME), over)
            except (NoPlayer, ApplianceError) as error:
                log.warning("no music could wake anybody: %s", error or "the player does not answer")
            finally:
                self._sounding = False
                with suppress(NoPlayer):
                    self._end(loud)

    def _play(self, what: str, loud: int, over: threading.Event) -> None:
        """Until it is `over`. Raises CannotBeDone, NoPlayer."""
        self._player.set_volume(quieter(loud, SOFT))
        self._music.start(what)
        began_s, heard_s = time.monotonic(), 0.0
        while not over.wait(LOOK_S):
            before_s, heard_s = heard_s, self._player.elapsed_s or 0.0
            self._sounding = heard_s not in (0.0, before_s)
            share = min(1.0, SOFT + (1 - SOFT) * (time.monotonic() - began_s) / RISE_S)
            self._player.set_volume(quieter(loud, share))

    def _end(self, loud: int | None) -> None:
        """loud: the volume before. Raises NoPlayer."""
        try:
            if loud is not None:
                self._player.pause(True)
                self._player.set_volume(loud)
        finally:
            with self._lock:
                self._waking = False
                self._player.duck(self._ducked)
