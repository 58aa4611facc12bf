"""What the hub asks of the core (ports/hub.py), answered: conversations, commands, and speech."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import count
from threading import Event, Lock
from typing import TYPE_CHECKING

from appliance.audio import Samples, Stale, Utterance, as_text, of_text
from appliance.build.client_tools import client_tools
from appliance.doors.hub_lines import Handler, Tell
from appliance.errors import ApplianceError, CannotBeDone, TurnFailed, WrongUse
from appliance.ports import Answer, Command, Mouth, satellite
from appliance.ports import hub as wire
from appliance.ports import hub_told as told
from appliance.ports.hub import Do, Outcome
from appliance.ports.refusals import Refused
from appliance.records import TurnRecord
from appliance.service.fair import Fair
from appliance.service.turn import Moments, Publish
from appliance.service.vitals import Vitals

if TYPE_CHECKING:
    from appliance.build.hubbed import Hubbed
    from appliance.reply.engine import Engine

CLOSES_S = 5.0
"""For the microphone to close: a sound card that is being opened takes some 3 s."""
UNPLUG = "take the power from the box; see: journalctl -u va"

Taken = Callable[["Engine", int, Mouth, Stale], Outcome]
"""A turn of a conversation, whose number and mouth are given; until it ends, or rests."""


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
            "mute": Handler(self._mute, slow=True),
            "admit": Handler(self._admit, slow=True),
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
        more = {"set_up": self._set_up, "language": self._parts.settings.words.language}
        return wire.State(ready=ready, state=self._vitals.state.name.lower(), status=status | more)

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

    def _mute(self, asked: wire.Nothing, tell: Tell, gone: Stale) -> wire.Nothing:
        """As "mute yourself" said aloud; it waits for no turn, and what it answers is so. Raises ApplianceError."""
        try:
            closed = self._parts.close_microphone(CLOSES_S)
        except CannotBeDone as error:
            raise Refused("not_allowed", error.what, remedy="press the button of the box once, and ask again") from None
        if not closed:
            raise Refused("failed", f"the microphone did not close within {CLOSES_S:.0f} s", remedy=UNPLUG)
        return wire.Nothing()

    def _admit(self, asked: wire.Admit, tell: Tell, gone: Stale) -> wire.Nothing:
        """Raises ApplianceError."""
        if self._parts.pairing is None:
            raise Refused("not_allowed", "nobody is let in here", remedy="ask through the hub")
        self._parts.pairing.admit(asked.name)
        return wire.Nothing()

    def _transcribe(self, asked: wire.Transcribe, tell: Tell, gone: Stale) -> wire.Heard:
        utterance = Utterance(_samples(asked.pcm), for_another=True)
        return wire.Heard(text=self._parts.turns.write_down(utterance, gone).result())

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


def _samples(pcm: str) -> Samples:
    """Raises Refused."""
    try:
        return of_text(pcm)
    except ValueError as error:
        raise _no_pcm(error) from None


def _no_pcm(error: ValueError) -> Refused:
    return Refused("bad_request", f"pcm: {error}", remedy="send base64 of int16, mono, 16 kHz")
