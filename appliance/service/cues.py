"""Which short sound goes with what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from appliance import events as ev
from appliance.ports import Cue
from appliance.service.states import State

CUES: Mapping[tuple[type[ev.Event], State], Cue] = {
    (ev.Started, State.IDLE): "ready",
    (ev.WakeHeard, State.LISTENING): "heard",
    (ev.ButtonPressed, State.LISTENING): "heard",
    (ev.NothingHeard, State.IDLE): "nothing",
    (ev.StopHeard, State.IDLE): "done",
    (ev.CallQuiet, State.TALKING): "done",
    (ev.MuteToggled, State.MUTED): "muted",
    (ev.MuteAsked, State.MUTED): "muted",
    (ev.MuteToggled, State.IDLE): "open",
}
"""What happened, and the state it led to -> the sound."""


class Cues:
    """The service's watcher."""

    def __init__(self, play: Callable[[Cue], None]) -> None:
        self._play = play
        self._followed = False

    def watch(self, event: ev.Event, state: State) -> None:
        cue = CUES.get((type(event), state))
        if isinstance(event, ev.ReplyEnded):  # in silence: nobody said words, or what was asked for is done
            record = event.record
            cue = None if not record or record.said else "nothing" if record.outcome == "silent" else "done"
        if isinstance(event, ev.NothingHeard) and self._followed:  # nobody owes the box a second question
            cue = None
        self._followed = state is State.FOLLOW_UP
        if cue:
            self._play(cue)
