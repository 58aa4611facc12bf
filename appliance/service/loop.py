"""The service loop: takes an event, asks the table, starts the actions.

Every other thread only puts events into the queue: `ears` (capture.py), those of turn.py, those of the voice.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue

from appliance import events as ev
from appliance.audio import Stale
from appliance.errors import ApplianceError, PartMissing, TurnFailed
from appliance.ports import Attention, Ears, Microphone, ValueStore
from appliance.service.call_turns import DoInCall
from appliance.service.capture import Capture
from appliance.service.loading import Loading
from appliance.service.muting import Muting
from appliance.service.ringing import Ringing
from appliance.service.states import IN_CALL, OF_CALL, SERVING, TOLD, Action, State, next_step
from appliance.service.turn import Moments, SpokenTurns
from appliance.service.vitals import Part, Vitals
from appliance.service.watcher import Watcher, nobody
from appliance.settings import Settings
from appliance.wording import said

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""Longest wait between two looks at the timers and at `until`."""

TELLING_S = 10.0
"""What a service that is about to end has for its last words."""

HEARING = (State.LISTENING, State.FOLLOW_UP, State.CALLED, State.TALKING)
"""States in which a timer that ends waits, for they end by themselves: a chime would be in what somebody says, and what
the box says would go to the other box. In CALLED a press that was meant for the timer would take the call."""

ANSWERED = (ev.ReplyStarted, ev.ReplyEnded, ev.ReplyFailed)
"""What the thread that thinks says of a turn, also of one that nobody waits for any more."""


class Service:
    """`turns` is made by the caller with this service's `post`; `kept` holds whether the box is muted."""

    def __init__(
        self,
        microphone: Microphone,
        ears: Ears,
        make_turns: Callable[[Callable[[ev.Event], None]], SpokenTurns],
        ringing: Ringing,
        settings: Settings,
        kept: ValueStore,
        watch: Watcher = nobody,
        erase: Callable[[], None] = lambda: None,
        vitals: Vitals | None = None,
        each_round: Callable[[], None] = lambda: None,
        loading: Loading | None = None,
        in_call: DoInCall = lambda action, event, turn, stale: None,
    ) -> None:
        """`each_round` is called by the loop, whatever happened. `loading`: None where all parts are there already."""
        self._ears, self._ringing = ears, ringing
        self._settings, self._watch, self._forget_all = settings, watch, erase
        self._vitals, self._each_round, self._loading = vitals or Vitals(), each_round, loading
        self._language = settings.words.language
        self._first: tuple[ev.Event, ...] = ()
        self._capture = Capture(microphone, ears, settings.sound.retry_s, self._vitals, self.post)
        self._muting = Muting(self._capture, kept, self._tell_failed)
        self._queue: SimpleQueue[ev.Event] = SimpleQueue()
        self._turns = make_turns(self.post)
        self.state = State.STARTING
        self._turn = 0
        self._moments = Moments()
        self._deadline_s = float("inf")
        self._closing = self._broken = False
        self._ends_s = float("inf")
        """When the service ends by itself."""
        self._do: dict[Action, Callable[[ev.Event], None]] = {
            Action.NEW_TURN: lambda _: self._new_turn(),
            Action.AWAIT_WAKE: lambda _: self._ears.attend(Attention.WAKE, 0),
            Action.AWAIT_COMMAND: self._await_command,
            Action.AWAIT_FOLLOW_UP: self._await_follow_up,
            Action.OVERHEAR: lambda _: self._ears.attend(Attention.OVERHEAR, self._turn),
            Action.PREPARE: self._prepare,
            Action.REPLY: self._reply,
            Action.APOLOGISE: self._apologise,
            Action.CHECK_STOP: self._check_stop,
            Action.RING: lambda _: self._ringing.ring(),
            Action.SILENCE: lambda _: self._ringing.silence(),
            Action.DISMISS: lambda _: self._ringing.dismiss(),
            Action.GIVE_UP: lambda _: self._ringing.give_up(),
            Action.CLOSE_MICROPHONE: lambda _: self._muting.close(),
            Action.OPEN_MICROPHONE: lambda _: self._muting.open(),
            Action.TOGGLE_MUTE: lambda _: self._muting.toggle(),
            Action.STAY_MUTED: lambda _: self._muting.keep(True),
            Action.BEGIN: lambda _: self._begin(),
            Action.TELL: lambda event: self._turns.tell(said(TOLD[type(event)], self._language), self._stale()),
            Action.ERASE: lambda _: self._erase(),
        }
        for action in OF_CALL:
            self._do[action] = partial(lambda do, event: in_call(do, event, self._turn, self._stale()), action)

    @property
    def microphone_ended(self) -> bool:
        """A recorded microphone has no more to give."""
        return self._capture.ended

    @property
    def closing(self) -> bool:
        return self._closing

    def post(self, event: ev.Event) -> None:
        """Something happened. Safe from every thread."""
        if isinstance(event, ANSWERED):
            self._vitals.answered(event.turn)
        self._queue.put(event)

    def run(self, until: Callable[[], bool] = lambda: False, *first: ev.Event) -> None:
        """Serve until `until` is true (asked after every event, and every half second) or `stop` is called.

        `first` happens before the first frame is heard. A box that was muted starts so. Raises what loading ended in.
        """
        self._vitals.beat(Part.LOOP)
        self._first = first
        try:
            if self._loading:
                self._loading.start(self.post, self.stop)
            else:
                self.handle(ev.Loaded())
            while not (self._closing or until()):
                self._round()
        finally:
            self._close()
        if self._loading:
            self._loading.check()

    def stop(self) -> None:
        """End soon. For every thread, and for a signal's handler: it takes no lock."""
        self._closing = True
        self.post(ev.Event())  # which means nothing, and wakes the loop

    def mute(self) -> None:
        """The microphone first, whatever the loop is at. For every thread."""
        self._capture.close()
        self.post(ev.MuteAsked())

    def muted(self, within_s: float) -> bool:
        """After `mute`: whether the microphone is closed by then, and stays so. Raises MuteNotKept."""
        return self._muting.await_closed(within_s)

    def handle(self, event: ev.Event) -> None:
        """One event: look it up, change state, act."""
        if self._closing or (event.turn and event.turn != self._turn):
            return
        step = next_step(self.state, event)
        if step is None:
            log.debug("%s means nothing while %s", type(event).__name__, self.state.name.lower())
            return
        self.state, actions = step
        self._vitals.state = self.state
        self._note(event)
        for action in actions:
            self._do[action](event)
        self._watch(event, self.state)

    def _begin(self) -> None:
        for event in (ev.StartedMuted() if self._muting.kept else ev.Started(), *self._first):
            self.handle(event)
        if self.state is not State.MUTED:
            self._capture.open()
        self._capture.start()

    def _close(self) -> None:
        """Nothing that still runs may have an effect from here on."""
        self._closing = True
        self._capture.stop()
        self._turn += 1
        self._turns.close()
        self._ringing.close()
        self._capture.join()

    def _round(self) -> None:
        """What breaks in one leaves a box that shows a fault and rings its timers, and is well after a good one."""
        try:
            self._take_next()
        except Exception as error:  # the box has to ring its timers and to say that it is faulted
            log.exception("the service loop")
            self._broken = True
            self.handle(
                ev.LoopBroke(part="service", error=PartMissing(f"it broke ({error})", remedy="see the journal"))
            )
            return
        if self._broken and self._vitals.microphone != "lost":
            self.handle(ev.PartRecovered(part="service"))
        self._broken = False

    def _take_next(self) -> None:
        wait_s = min(LOOK_S, self._ringing.wait_s(), self._deadline_s - time.monotonic())
        with suppress(Empty):
            self.handle(self._queue.get(timeout=max(wait_s, 0.01)))
        for event in self._due():
            self.handle(event)
        if time.monotonic() >= self._ends_s:
            self.stop()
        self._vitals.beat(Part.LOOP)
        self._vitals.rings_at_s = time.monotonic() + self._ringing.next_s()
        self._each_round()

    def _due(self) -> list[ev.Event]:
        """What the passing of time alone makes happen."""
        events = list[ev.Event]()
        self._ringing.look()
        at_rest = self.state in (State.IDLE, State.FOLLOW_UP)
        again = (self._ringing.on and at_rest) or (self._ringing.waits and self.state not in (*SERVING, *IN_CALL))
        new = self._ringing.has_new() and self.state not in HEARING
        if new or again:
            events.append(ev.TimerRang())
        elif self._ringing.is_over() or (self.state is State.RINGING and not self._ringing.on):
            events.append(ev.RingEnded())
        if self.state is State.THINKING and time.monotonic() >= self._deadline_s:
            late = TurnFailed(f"no answer within {self._settings.thought.deadline_s:.0f} s", remedy="see the journal")
            self._turns.give_up(self._turn, self._moments)
            events.append(ev.ReplyFailed(self._turn, late))
        return events

    def _note(self, event: ev.Event) -> None:
        match event:
            case ev.WakeHeard():
                self._moments = Moments(wake_score=round(event.score, 3))
                self._moments.mark("wake", event.at_s)
            case ev.ButtonPressed():
                self._moments = Moments()
            case ev.UtteranceEnded():
                self._moments.mark("speech_ended", event.speech_ended_s)
                self._moments.mark("decided", event.decided_s)
            case ev.MuteToggled() | ev.MuteAsked() | ev.StartedMuted() if self.state is not State.STARTING:
                muted = self.state is State.MUTED
                log.info("muted: the button, or run --unmute, ends it" if muted else "no longer muted")
            case ev.PartRecovered(part="service"):
                log.info("the service is back")

    def _new_turn(self) -> None:
        self._turn += 1
        self._deadline_s = float("inf")

    def _stale(self) -> Stale:
        """Whether the turn that runs now is over."""
        mine = self._turn
        return lambda: self._turn != mine

    def _await_command(self, event: ev.Event) -> None:
        self._ears.attend(Attention.COMMAND, self._turn)
        self._turns.expect(self._turn, event, self._stale())

    def _await_follow_up(self, event: ev.Event) -> None:
        asked = isinstance(event, ev.ReplyEnded) and event.record is not None and event.record.outcome == "asked"
        ears = self._settings.ears
        self._new_turn()
        self._moments = Moments()
        window_s = ears.follow_up_question_s if asked else ears.follow_up_s
        self._ears.attend(Attention.FOLLOW_UP, self._turn, window_s)

    def _prepare(self, event: ev.Event) -> None:
        if isinstance(event, ev.SpeechPaused) and event.utterance is not None:
            self._turns.prepare(event.utterance, self._stale())

    def _reply(self, event: ev.Event) -> None:
        if isinstance(event, ev.UtteranceEnded) and event.utterance is not None:
            self._deadline_s = time.monotonic() + self._settings.thought.deadline_s
            self._vitals.asked(self._turn)
            self._turns.reply(self._turn, event.utterance, self._stale(), self._moments)

    def _apologise(self, event: ev.Event) -> None:
        if isinstance(event, ev.ReplyFailed) and event.error is not None:
            self._turns.apologise(self._turn, event.error, self._stale())

    def _check_stop(self, event: ev.Event) -> None:
        if isinstance(event, ev.Overheard) and event.utterance is not None:
            self._turns.overhear(self._turn, event.utterance, self._stale())
        elif isinstance(event, ev.StopSounded) and event.sure:
            self._turns.heed_stop(self._turn)

    def _tell_failed(self, error: ApplianceError) -> None:
        self._turns.tell(error.spoken(self._language), self._stale())

    def _erase(self) -> None:
        try:
            self._forget_all()
            log.warning("everything was erased, as the button asked")
        except ApplianceError as error:
            log.error("%s", error)
            self._tell_failed(error)
            self._ends_s = time.monotonic() + TELLING_S
            return
        self.stop()
