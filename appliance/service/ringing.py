"""What is due, and the sound it makes until somebody stops it. Touches no model: it rings while one hangs."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from appliance.errors import ApplianceError
from appliance.ports import Alarms, Ended, Telling, Voice, WakeSounds
from appliance.service.waking import Waking

log = logging.getLogger(__name__)


def strike_off(alarms: Alarms[Any], rang: Sequence[Ended]) -> None:
    """These are done with. What the disk refuses is logged."""
    try:
        alarms.done(*rang)
    except ApplianceError as error:
        log.error("what rang may ring once more after a restart: %s", error)


class Ringing:
    def __init__(
        self,
        alarms: Alarms[Any],
        tell: Telling[Any],
        voice: Voice,
        longest_s: float,
        plays: Callable[[Any], str] = lambda ended: "",
        sounds: WakeSounds | None = None,
    ) -> None:
        """plays: see ports.Rings."""
        self._alarms, self._tell, self._longest_s, self._plays = alarms, tell, longest_s, plays
        self._sound = Waking(voice, sounds)
        self._fresh: list[Ended] = []
        self._unheard: list[Ended] = []
        """Silenced before a chime of theirs began."""
        self._ringing: list[tuple[Ended, int]] = []
        """With the chimes that were heard before it joined."""
        self._ends_s = float("inf")

    @property
    def on(self) -> bool:
        return bool(self._ringing)

    @property
    def waits(self) -> bool:
        """Something that nobody heard has to ring again, once the box is at rest."""
        return bool(self._unheard)

    def has_new(self) -> bool:
        self._fresh += self._alarms.due()
        return bool(self._fresh)

    def look(self) -> None:
        """To be called often: what was cancelled or set anew meanwhile rings no more; what plays no more chimes."""
        self._sound.look()
        there, was_on = {each.id for each in self._alarms.ringing()}, self.on
        self._fresh = [each for each in self._fresh if each.id in there]
        self._unheard = [each for each in self._unheard if each.id in there]
        self._ringing = [(each, before) for each, before in self._ringing if each.id in there]
        if was_on and not self.on:
            self._end()

    def is_over(self) -> bool:
        """Nobody stopped it and it has rung long enough."""
        return time.monotonic() >= self._ends_s

    def wait_s(self) -> float:
        """Seconds until something is due here; infinite when nothing is set."""
        return min(self.next_s(), self._ends_s - time.monotonic())

    def next_s(self) -> float:
        """Seconds until the next one ends; infinite when none is set."""
        next_s = self._alarms.next_due_in()
        return float("inf") if next_s is None else next_s

    def ring(self) -> None:
        new, self._unheard, self._fresh = [*self._unheard, *self._fresh], [], []
        plays = "" if self.on else next(filter(None, map(self._plays, new)), "")
        self._ringing += [(each, self._sound.heard) for each in new]
        self._sound.ring([self._tell.sentence(each) for each in new], plays)
        self._ends_s = time.monotonic() + self._longest_s

    def silence(self) -> None:
        """Those that were heard are done with; the others wait until they can be."""
        heard, unheard = self._end()
        self._unheard += unheard
        strike_off(self._alarms, heard)

    def dismiss(self) -> None:
        """Whoever stopped it knew of it, if only by the light: all of them are done with."""
        heard, unheard = self._end()
        strike_off(self._alarms, [*heard, *unheard])

    def give_up(self) -> None:
        """Nobody stopped it, as in an empty room: all of them are told of later."""
        heard, unheard = self._end()
        self._alarms.miss(*unheard, rang=False)
        try:
            self._alarms.miss(*heard, rang=True)
        except ApplianceError as error:
            log.error("what rang in vain may ring once more after a restart: %s", error)

    def _end(self) -> tuple[list[Ended], list[Ended]]:
        """Those that were heard, and those that were not. One that the disk keeps is silent until a restart."""
        self._sound.silence()
        rang, self._ringing, self._ends_s = self._ringing, [], float("inf")
        heard = [each for each, before in rang if self._sound.heard > before]
        return heard, [each for each, before in rang if self._sound.heard <= before]

    def close(self) -> None:
        """Silent, whatever rings: what nobody stopped rings again after the next start."""
        self._sound.silence()
