"""Turns of a box that is a satellite: the host answers them, and the box itself where the host does not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from appliance import events as ev
from appliance.audio import Speech, Stale, Utterance
from appliance.errors import HostFailed, outcome_of
from appliance.records import Outcome, TurnRecord
from appliance.service.host import Host
from appliance.service.host_turn import End, HostTurn
from appliance.service.turn import Moments, SpokenTurns
from appliance.wording import said

log = logging.getLogger(__name__)

Play = Callable[[Iterable[Speech], Stale, Callable[[float], None]], bool]
"""See tts.speak.Voice.play."""
OUTCOMES: dict[End, Outcome] = {
    End.NOTHING: "silent",
    End.ELSEWHERE: "silent",
    End.STALE: "stopped",
    End.FAILED: "error",
    End.LOST: "error",
}
"""What is recorded of a turn that did not end in a whole answer."""
GONE = (End.FAILED, End.LOST)
"""Ends with which nobody has been answered."""


class SatelliteTurns(SpokenTurns):
    def __init__(self, host: Host, play: Play, stop_s: float, *turns: Any) -> None:
        """stop_s: what is no longer may be "stop".  turns: what SpokenTurns takes."""
        super().__init__(*turns)
        self._host, self._play, self._stop_s = host, play, stop_s
        self._hosted = ThreadPoolExecutor(1, thread_name_prefix="host")
        self._told = False
        """It was said that the host is gone, and it has answered nothing since."""

    def expect(self, turn: int, event: ev.Event, stale: Stale) -> None:
        """The host hears it. Where it is not there, the box reads ahead."""
        if self._host.begin(turn, event, stale) is None:
            super().expect(turn, event, stale)

    def prepare(self, utterance: Utterance, stale: Stale) -> None:
        if not self._host.hears:
            super().prepare(utterance, stale)

    def reply(self, turn: int, utterance: Utterance, stale: Stale, moments: Moments) -> None:
        hosted = self._host.turn(turn)
        if hosted is None:
            if not (self._told or self._host.there):
                self._tell_who_thinks(stale)
            super().reply(turn, utterance, stale, moments)
            return
        self._calls += 1
        if utterance.seconds <= self._stop_s:
            self.overhear(turn, utterance, stale)
        self._hosted.submit(self._follow, hosted, utterance, moments)

    def close(self) -> None:
        super().close()
        self._hosted.shutdown(wait=False, cancel_futures=True)

    def _follow(self, hosted: HostTurn, utterance: Utterance, moments: Moments) -> None:
        """Play its answer. Where there is none, and nothing can have been done, the box answers itself."""
        played = outcome_of(lambda: self._sound(hosted, moments))
        if isinstance(played, Exception):
            log.error("turn %d: the answer of the host broke", hosted.number, exc_info=played)
            hosted.lose()
        end = hosted.end() or End.OUT
        self._host.close(hosted, answered=end is End.OUT)
        if end is End.OUT:
            self._told = False
        if end in GONE and not hosted.begun:
            log.warning("turn %d: %s", hosted.number, end.value)
            self._tell_who_thinks(hosted.stale)
            self._post(ev.HostLost(hosted.number, utterance))
            return
        record = self._record(hosted, end, utterance, moments)
        self._post(_ended(hosted.number, end, record))
        if hosted.number != self._given_up:
            self._publish(record, moments)

    def _sound(self, hosted: HostTurn, moments: Moments) -> None:
        def started(at_s: float) -> None:
            moments.mark("first_audio", at_s)
            self._post(ev.ReplyStarted(hosted.number))

        if hosted.sounds():
            moments.mark("transcribed")
            self._play(hosted.pieces(), hosted.stale, started)

    def _record(self, hosted: HostTurn, end: End, utterance: Utterance, moments: Moments) -> TurnRecord:
        outcome = OUTCOMES.get(end, "said")
        heard, answer = hosted.words or "", hosted.said
        record = TurnRecord(turn=hosted.number, conversation="", heard=heard, lane="host", said=answer, outcome=outcome)
        return self._complete(record, utterance, moments)

    def _tell_who_thinks(self, stale: Stale) -> None:
        self._told = True
        self.tell(said("host_gone", self._language), stale)


def _ended(turn: int, end: End, record: TurnRecord) -> ev.Event:
    if end in GONE:
        sentence = "host_failed" if end is End.FAILED else "host_unknown"
        return ev.ReplyFailed(turn, HostFailed(end.value, remedy="see the host's own log", sentence=sentence))
    return ev.HostReplyEnded(
        turn, None if end is End.ELSEWHERE else record
    )  # no sound of this box's disturbs the other
