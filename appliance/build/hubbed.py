"""What the hub may ask of a running service, and what does it (doors/hub.py, ports/hub.py)."""

from __future__ import annotations

import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from itertools import count
from threading import Event, Lock
from typing import TYPE_CHECKING

from pydantic import BaseModel

from appliance import events as ev
from appliance.audio import Samples, Speech, Stale, Utterance, as_text, of_text
from appliance.build.client_tools import client_tools
from appliance.build.hosted import Hosted
from appliance.build.owned import OwnerDesk
from appliance.doors.hub_lines import Handler, Tell
from appliance.errors import ApplianceError, TurnFailed, WrongUse
from appliance.ports import Answer, Command, Mouth, satellite
from appliance.ports import hub as wire
from appliance.ports import hub_told as told
from appliance.ports.hub import Do, Outcome
from appliance.ports.refusals import Refused
from appliance.records import TurnRecord
from appliance.service.fair import Fair
from appliance.service.states import State
from appliance.service.turn import Moments, Publish, SpokenTurns
from appliance.service.vitals import Vitals
from appliance.service.watcher import Watcher, nobody

if TYPE_CHECKING:
    from appliance.reply.engine import Engine

Taken = Callable[["Engine", int, Mouth, Stale], Outcome]
"""A turn of a conversation, whose number and mouth are given; until it ends, or rests."""


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

    desk = HubDesk(parts, vitals, ended)
    parts.has_page = bool(listeners)
    spoken = {do: desk.handlers[do] for do in SPOKEN + HOSTING}
    hubs = {do: handler for do, handler in desk.handlers.items() if do not in HOSTING} | OwnerDesk(parts).handlers
    for each in for_speech:  # none of `doors`: who watches there is told nothing
        stack.enter_context(HubDoor(each, spoken))
    doors += [stack.enter_context(HubDoor(each, hubs)) for each in listeners]
    return ended, watch


class HubDesk:
    """Its handlers run on threads of the door; turns on the one that thinks."""

    def __init__(self, parts: Hubbed, vitals: Vitals, publish: Publish) -> None:
        """publish: given every turn that ended."""
        self._parts, self._vitals, self._publish = parts, vitals, publish
        self._fair = Fair(lambda work: parts.turns.between(work))
        self._numbers, self._lock = count(1), Lock()
        self._set_up = False
        self._stops = defaultdict[str, list[Event]](list)
        """Conversation -> what ends each of its turns that are not done with."""
        self.handlers: dict[Do, Handler] = {
            "start": Handler(self._start),
            "turn": Handler(self._turn),
            "continue": Handler(self._continue),
            "stop": Handler(self._stop),
            "end": Handler(self._end),
            "status": Handler(self._status),
            "command": Handler(self._command, slow=True),
            "transcribe": Handler(self._transcribe, slow=True),
            "speak": Handler(self._speak, slow=True),
            "announce": Handler(self._announce),
            "silence": Handler(self._silence),
            "satellite": Handler(self._satellite),
            "host": Handler(self._host, slow=True),
        }

    def _start(self, asked: wire.Start, tell: Tell, gone: Stale) -> Future[wire.Nothing]:
        language = self._parts.settings.words.language

        def start(answer: Future[wire.Nothing]) -> None:
            clients = self._parts.engine_now().clients
            clients.start(asked, client_tools(asked.tools, clients.irreplaceable, language))
            answer.set_result(wire.Nothing())

        return self._fair.put(asked.conversation, start)

    def _end(self, asked: wire.Conversation, tell: Tell, gone: Stale) -> Future[wire.Nothing]:
        self._stop(asked, tell, gone)

        def end(answer: Future[wire.Nothing]) -> None:
            self._parts.engine_now().clients.end(asked.conversation)
            answer.set_result(wire.Nothing())

        return self._fair.put(asked.conversation, end)

    def _turn(self, asked: wire.TurnAsked, tell: Tell, gone: Stale) -> Future[Outcome]:
        return self._queued(asked.conversation, lambda engine, *how: engine.clients.turn(asked, *how), tell, gone)

    def _continue(self, asked: wire.Continue, tell: Tell, gone: Stale) -> Future[Outcome]:
        return self._queued(asked.conversation, lambda engine, *how: engine.clients.go_on(asked, *how), tell, gone)

    def _queued(self, key: str, take: Taken, tell: Tell, gone: Stale) -> Future[Outcome]:
        """Raises Refused."""
        from appliance.tts.text import TextMouth

        stopped = Event()

        def work(answer: Future[Outcome]) -> None:
            engine = self._parts.engine_now()
            ends_s, said = time.monotonic() + self._parts.settings.thought.deadline_s, list[str]()

            def late() -> bool:
                return not said and time.monotonic() > ends_s

            def stale() -> bool:
                return stopped.is_set() or gone() or late()

            def clause(text: str) -> None:
                said.append(text)
                tell(told.Say(text=text))

            number = next(self._numbers)
            try:
                with self._stoppable(key, stopped):
                    outcome = take(engine, number, TextMouth(clause, stale), stale)
            except (Refused, WrongUse):
                raise
            except ApplianceError:
                self._publish(TurnRecord(turn=number, conversation="", channel="", outcome="error"), Moments())
                raise
            if late() and not outcome.said and outcome.stop_reason == "complete":
                raise TurnFailed("no answer in time", remedy="ask again, or raise thought.deadline_s")
            answer.set_result(outcome)
            self._settle(engine, outcome)

        return self._fair.put(key, work)

    def _settle(self, engine: Engine, outcome: Outcome) -> None:
        """What follows a turn, and nobody waits for: it ends as soon as somebody does."""
        if outcome.record is None:
            return
        called = self._parts.turns.until_called()
        engine.after(lambda: called() or self._fair.waits)
        self._publish(outcome.record, Moments())

    @contextmanager
    def _stoppable(self, key: str, stopped: Event) -> Iterator[None]:
        with self._lock:
            self._stops[key].append(stopped)
        try:
            yield
        finally:
            with self._lock:
                self._stops[key].remove(stopped)
                if not self._stops[key]:
                    del self._stops[key]

    def _stop(self, asked: wire.Conversation, tell: Tell, gone: Stale) -> wire.Nothing:
        """The turn that runs or rests; what waits behind it is said still. Raises Refused."""
        key = asked.conversation
        with self._lock:
            for each in self._stops.get(key, ()):
                each.set()

        def drop(answer: Future[wire.Nothing]) -> None:
            self._parts.engine_now().clients.drop(key)
            answer.set_result(wire.Nothing())

        self._fair.put(key, drop)
        return wire.Nothing()

    def _status(self, asked: wire.Nothing, tell: Tell, gone: Stale) -> wire.State:
        ready, status = self._vitals.status()
        self._set_up = self._set_up or self._parts.started.source.set_up
        return wire.State(ready=ready, state=self._vitals.state.name.lower(), status=status | {"set_up": self._set_up})

    def _command(self, asked: wire.Commanded, tell: Tell, gone: Stale) -> Answer:
        state = str(self._parts.settings.state.absolute())
        given = Command(state=state, skill=asked.skill, words=asked.words, yes=asked.yes)
        return self._parts.carry_out(given, asked.may_act)

    def _announce(self, asked: wire.Announce, tell: Tell, gone: Stale) -> wire.Nothing:
        self._parts.announce_text(asked.text)
        return wire.Nothing()

    def _silence(self, asked: wire.Nothing, tell: Tell, gone: Stale) -> wire.Nothing:
        """As "stop" said aloud; it waits for no turn."""
        self._parts.silence()
        return wire.Nothing()

    def _transcribe(self, asked: wire.Transcribe, tell: Tell, gone: Stale) -> wire.Heard:
        return wire.Heard(text=self._parts.turns.write_down(Utterance(_samples(asked.pcm)), gone).result())

    def _speak(self, asked: wire.Speak, tell: Tell, gone: Stale) -> wire.Nothing:
        for piece in self._parts.speech(asked.text):
            if gone():
                break
            tell(told.Audio(pcm=as_text(piece.samples), rate=piece.rate_hz))
        return wire.Nothing()

    def _satellite(self, asked: satellite.Hosted, tell: Tell, gone: Stale) -> Future[wire.Nothing]:
        """Never done: it is cancelled as the host hangs up. Raises Refused."""
        host, until_gone = self._parts.host_now, Future[wire.Nothing]()
        link = host.attach(asked.name, tell, gone)
        until_gone.add_done_callback(lambda _: host.detach(link))
        return until_gone

    def _host(self, said: satellite.FromHost, tell: Tell, gone: Stale) -> wire.Nothing:
        """Raises Refused."""
        try:
            self._parts.host_now.take(said, gone)
        except ValueError as error:
            raise _no_pcm(error) from None
        return wire.Nothing()


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

    def speech(self, text: str) -> Iterator[Speech]:
        """The sound of a text, clause by clause. Raises ApplianceError."""
        from appliance.tts.sentences import Clauses
        from appliance.tts.spoken import spoken

        language, voice = self.settings.words.language, self._late_voice.get()
        clauses = Clauses(language)
        for clause in [*clauses.feed(text), *clauses.flush()]:
            if words := spoken(clause, language):
                yield from voice.synthesize(words)


def _samples(pcm: str) -> Samples:
    """Raises Refused."""
    try:
        return of_text(pcm)
    except ValueError as error:
        raise _no_pcm(error) from None


def _no_pcm(error: ValueError) -> Refused:
    return Refused("bad_request", f"pcm: {error}", remedy="send base64 of int16, mono, 16 kHz")


def _discreet(record: TurnRecord, language: str) -> TurnRecord:
    """Without the words of a line of which nothing is to be kept."""
    from appliance.safety.confidential import is_confidential

    if not (record.private or is_confidential(record.heard, language)):
        return record
    steps = [step.model_copy(update={"arguments": {}}) for step in record.steps]
    return record.model_copy(update={"heard": "", "said": "", "steps": steps})
