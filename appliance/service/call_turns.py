"""What the box says and listens for in a call (calls.py): the ringing, the answer to it, and the voices."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Protocol

from appliance import events as ev
from appliance.audio import Stale, Utterance, never
from appliance.errors import ApplianceError, logged
from appliance.ports import Attention, CallOrder, Voice
from appliance.service.calls import Call, Calls, Over, Phase
from appliance.service.satellite import Play
from appliance.service.states import QUIET, Action, State
from appliance.wording import said

log = logging.getLogger(__name__)

ANSWER_S = 8.0
"""For somebody to answer, after each time that it was said who calls."""
SILENT_S = 60.0
"""In which nobody at either end says anything: the call is over. A judgement."""
RINGBACK_S = 4.0
"""Between two sounds for whoever waits for an answer."""

DoInCall = Callable[[Action, ev.Event, int, Stale], None]
"""Does what is to be done for a call, in that turn."""
BOTH = ("silence", "too_long", "no_answer")
"""Ends of which both ends say the same."""
KNOWN = (*BOTH, "hung_up", "declined", "muted")


class Words(Protocol):
    """Of SpokenTurns."""

    def write_down(self, utterance: Utterance, stale: Stale) -> Future[str]: ...

    def tell(self, sentence: str, stale: Stale) -> None: ...


class CallTurns:
    """Of the service's loop."""

    def __init__(
        self,
        calls: Calls,
        voice: Voice,
        play: Play,
        attend: Callable[[Attention, int, float | None], None],
        words: Words,
        judge: Callable[[str], CallOrder | None],
        longest_s: float,
        language: str,
    ) -> None:
        """longest_s: of what may end a call; no more of what is said in one is transcribed."""
        self._calls, self._voice, self._play, self._attend = calls, voice, play, attend
        self._words, self._judge, self._longest_s, self._language = words, judge, longest_s, language
        self._rings_at_s = 0.0

    def do(self, action: Action, event: ev.Event, turn: int, stale: Stale) -> None:
        match action:
            case Action.AWAIT_ANSWER:
                self._attend(Attention.FOLLOW_UP, turn, ANSWER_S)
            case Action.AWAIT_CALLED_ANSWER:
                self._attend(Attention.COMMAND, turn, None)
            case Action.AWAIT_TALK:
                self._calls.listens()
                self._attend(Attention.TALK, turn, SILENT_S)
            case Action.RING_CALL:
                self._beside(self._ring, turn, stale)
            case Action.PLAY:
                self._beside(self._sound, turn, stale)
            case Action.PASS_ON:
                self._pass_on(event)
            case Action.CHECK_CALL:
                self._check(event, turn, stale)
            case Action.ACCEPT:
                self._calls.accept(self._calls.now)
            case Action.HANG_UP:
                self._hang_up(event)

    def each_round(self, state: State) -> None:
        self._calls.each_round()
        over = self._calls.next_over() if state in QUIET else None
        if over:
            self._words.tell(sentence(over, self._language), never)
        if state is State.CALLING and time.monotonic() >= self._rings_at_s:
            self._rings_at_s = time.monotonic() + RINGBACK_S
            self._voice.cue("call")

    def _beside(self, work: Callable[[int, Stale], None], turn: int, stale: Stale) -> None:
        Thread(target=work, args=(turn, stale), name="call", daemon=True).start()

    def _ring(self, turn: int, stale: Stale) -> None:
        if call := self._calls.now:
            with logged(log, "a ringing"):
                self._voice.cue("call")
                self._say("call_came", call.box, stale)
        self._calls.post(ev.CallTold(turn))

    def _sound(self, turn: int, stale: Stale) -> None:
        """What came from the other end; at first, that it listens."""
        with logged(log, "the sound of a call"):
            if (call := self._calls.now) and not call.greeted:
                call.greeted = True
                self._say("call_on", call.box, stale)
            if self._calls.far.ready:
                self._play(self._calls.far.pieces(stale), stale, lambda at_s: None)
        self._calls.post(ev.CallQuiet(turn))

    def _say(self, key: str, box: str, stale: Stale) -> None:
        mouth = self._voice.begin(stale, lambda at_s: None)
        mouth.say(f"{_said(key, box, self._language)}\n")
        mouth.finish()

    def _pass_on(self, event: ev.Event) -> None:
        if isinstance(event, ev.TalkHeard):
            self._calls.talk(event.samples)
        else:
            self._calls.spoke()

    def _check(self, event: ev.Event, turn: int, stale: Stale) -> None:
        call = self._calls.now
        if isinstance(event, ev.StopSounded):
            if event.sure and call and call.phase is not Phase.ON:  # in one it may be the voice of the other end
                self._calls.hang_up(_by_word(call))
            return
        if not isinstance(event, (ev.UtteranceEnded, ev.Overheard)) or event.utterance is None or call is None:
            return
        if call.phase is Phase.ON and event.utterance.seconds > self._longest_s:
            return
        again = isinstance(event, ev.UtteranceEnded) and call.phase is Phase.HERE
        with suppress(RuntimeError):  # closed meanwhile
            words = self._words.write_down(event.utterance, stale)
            words.add_done_callback(partial(self._judged, call, turn if again else 0))

    def _judged(self, call: Call, turn: int, words: Future[str]) -> None:
        """call: in which it was said.  turn: in which it is rung again where that was no answer; 0 is in none."""
        heard, rings = "", call.phase is Phase.HERE
        with logged(log, "nothing heard in a call"), suppress(ApplianceError, CancelledError):
            heard = words.result()
        judged = self._judge(heard) if heard else None
        if self._calls.now is not call:
            return
        if judged == "take" and rings:
            self._calls.accept(call)
        elif judged == "end" or (judged == "refuse" and rings):
            self._calls.hang_up(_by_word(call))
        elif turn:
            self._calls.post(ev.CallCame(turn))

    def _hang_up(self, event: ev.Event) -> None:
        self._calls.hang_up("silence" if isinstance(event, ev.NothingHeard) else _by_word(self._calls.now))


def sentence(over: Over, language: str) -> str:
    """What is said here of the end of a call."""
    why = over.why if over.why in KNOWN else "lost"
    if why == "no_answer" and not over.made:
        why = "missed"
    elif why not in BOTH and over.here:
        why = f"{why}_here"
    return _said(f"call_{why}", over.box, language)


def _by_word(call: Call | None) -> str:
    """Why it ends where somebody says so."""
    return "declined" if call and call.phase is Phase.HERE else "hung_up"


def _said(key: str, box: str, language: str) -> str:
    told = said(key, language).format(box=box)
    return told[:1].upper() + told[1:]
