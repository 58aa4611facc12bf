"""What the hub may ask of a running service, and what does it (doors/hub.py, ports/hub.py)."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pydantic import BaseModel

from appliance import events as ev
from appliance.audio import Speech
from appliance.build.hosted import Hosted
from appliance.build.hub_desk import HubDesk
from appliance.build.owned import OwnerDesk
from appliance.errors import CannotBeDone
from appliance.ports import hub_told as told
from appliance.ports.hub import Do
from appliance.ports.refusals import Refused
from appliance.records import TurnRecord
from appliance.service.pairing import ButtonPairing
from appliance.service.states import State
from appliance.service.turn import Moments, Publish, SpokenTurns
from appliance.service.vitals import Vitals
from appliance.service.watcher import Watcher, all_of, nobody
from appliance.wording import said

if TYPE_CHECKING:
    from appliance.reply.engine import Engine

SPOKEN: tuple[Do, ...] = ("transcribe", "speak")
"""What is answered at a socket for speech, and at the hub's: nothing that is remembered, done or told of a turn."""
HOSTING: tuple[Do, ...] = ("satellite", "host")
"""What is answered at a socket for speech only, where the owner has made the box a satellite."""


def opened(
    listeners: Sequence[socket.socket],
    parts: Hubbed,
    vitals: Vitals,
    publish: Publish,
    stack: ExitStack,
    for_speech: Sequence[socket.socket] = (),
) -> tuple[Publish, Watcher]:
    """Let the hub in. What is to be given every turn from now on, and what is to watch the service.

    for_speech: sockets at which only SPOKEN and HOSTING are answered.
    """
    if not listeners and not for_speech:
        return publish, nobody
    from appliance.doors.hub import HubDoor

    doors, last = list[HubDoor](), State.STARTING

    def tell(event: BaseModel) -> None:
        for door in doors:
            door.tell_all(event)

    def ended(record: TurnRecord, moments: Moments) -> None:
        publish(record, moments)
        tell(told.Turned(record=_discreet(record, parts.settings.words.language)))

    def watch(event: ev.Event, state: State) -> None:
        nonlocal last
        if state is last:
            return
        before, last = last, state
        tell(told.Changed(state=state.name.lower()))
        if State.RINGING in (before, state):
            tell(told.Rang(rings=state is State.RINGING))

    parts.has_page = bool(listeners)
    parts.pairing = ButtonPairing(parts.aloud(vitals), parts.settings.words.language)
    desk = HubDesk(parts, vitals, ended)
    spoken = {do: desk.handlers[do] for do in SPOKEN + HOSTING}
    hubs = {do: handler for do, handler in desk.handlers.items() if do not in HOSTING} | OwnerDesk(parts).handlers
    for each in for_speech:  # none of `doors`: who watches there is told nothing
        stack.enter_context(HubDoor(each, spoken))
    doors += [stack.enter_context(HubDoor(each, hubs)) for each in listeners]
    return ended, all_of(parts.pairing.watch, watch)


class Hubbed(Hosted):
    def end(self) -> None:
        """Have the service end soon. For every thread."""
        self._end()

    @property
    def turns(self) -> SpokenTurns:
        """Those of the service. Raises Refused."""
        if self._turned is None:
            raise Refused("starting", "the service is still starting", remedy="try again in a moment")
        return self._turned

    def engine_now(self) -> Engine:
        """Once it is there; another one may have taken its place since. On the thread that thinks."""
        self._late_engine.get()
        return self.engine

    def silence(self) -> None:
        """End what the box says or rings. For every thread."""
        self._silence()

    def close_microphone(self, within_s: float) -> bool:
        """Whether it is closed by then, over restarts too. For every thread. Raises CannotBeDone, MuteNotKept."""
        self._mute()
        return self._muted(within_s)

    def aloud(self, vitals: Vitals) -> Callable[[str], bool]:
        """What says a text and waits until it was heard: whether it was. Raises CannotBeDone where nobody would."""

        def say(text: str) -> bool:
            if not self.volume.level or vitals.dumb:
                raise CannotBeDone(said("nobody_hears", self.settings.words.language), remedy="see to the speaker")
            return self._aloud(text) and not vitals.dumb

        return say

    def speech(self, text: str) -> Iterator[Speech]:
        """The sound of a text, clause by clause. Raises ApplianceError."""
        from appliance.tts.sentences import Clauses
        from appliance.tts.spoken import spoken

        language, voice = self.settings.words.language, self._late_voice.get()
        clauses = Clauses(language)
        for clause in [*clauses.feed(text), *clauses.flush()]:
            if words := spoken(clause, language):
                yield from voice.synthesize(words)


def _discreet(record: TurnRecord, language: str) -> TurnRecord:
    """Without the words of a line of which nothing is to be kept."""
    from appliance.safety.confidential import is_confidential

    if not (record.private or is_confidential(record.heard, language)):
        return record
    steps = [step.model_copy(update={"arguments": {}}) for step in record.steps]
    return record.model_copy(update={"heard": "", "said": "", "steps": steps})
