"""A box that is a satellite: its host is let in, hears what follows a call, and its answer is played."""

from __future__ import annotations

from typing import Any

from appliance import events as ev
from appliance.build.unasked import Post, Unasked
from appliance.ports import Ears, Timer
from appliance.ports.refusals import Refused
from appliance.service.host import Host
from appliance.service.satellite import Play, SatelliteTurns
from appliance.service.states import State
from appliance.service.tap import Tap
from appliance.service.turn import SpokenTurns
from appliance.service.vitals import Vitals

MOST_NAME = 60
"""Characters of a timer's name."""


class Hosted(Unasked):
    _tap: Tap | None = None
    """Of the ears of a satellite."""
    _host: Host | None = None

    @property
    def host_now(self) -> Host:
        """Raises Refused."""
        if not self.settings.wyoming.satellite_of:
            raise Refused("not_allowed", "this box is no satellite", remedy="set wyoming.satellite_of")
        if self._host is None:
            raise Refused("starting", "the service is still starting", remedy="try again in a moment")
        return self._host

    def _tapped(self, ears: Ears) -> Ears:
        """Those ears. What they hear may go to a host, where the owner has named one."""
        if not self.settings.wyoming.satellite_of:
            return ears
        self._tap = Tap(ears)
        return self._tap

    def _spoken_turns(self, post: Post, play: Play, vitals: Vitals, *turns: Any) -> SpokenTurns:
        """turns: what SpokenTurns takes."""
        if self._tap is None:
            return SpokenTurns(*turns)

        def listening() -> bool:
            return vitals.state is State.LISTENING and not self.private.on

        self._host = Host(self._tap, post, listening, self._ring)
        return SatelliteTurns(self._host, play, self.settings.ears.overheard_max_s, *turns)

    def _follow_host(self, event: ev.Event, state: State) -> None:
        """A service.watcher.Watcher."""
        if self._host:
            self._host.watch(event, state)

    def _ring(self, name: str, seconds: float) -> None:
        """A timer that the host was asked for has ended: it rings as the box's own do. Raises StoreUnusable."""
        from appliance.safety.fence import harmless
        from appliance.skills.timers.countdowns import Timers

        timers = [skill.rings.alarms for skill in self.skills.on if skill.rings]
        for own in timers:
            if isinstance(own, Timers):
                own.again(Timer(0, harmless(name, MOST_NAME), seconds, self.clock.now()), 0)
