"""One spoken turn off the loop: utterance -> text -> reply -> record. Its threads only post events; the loop decides.

`words` transcribes while `who` tells whose voice it is, `thought` replies, and `aside` apologises while these hang.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from appliance import events as ev
from appliance.audio import Stale, Utterance
from appliance.errors import ApplianceError, Cancelled, TurnFailed, logged
from appliance.ports import Mouth, Thinker
from appliance.records import AudioFacts, TurnRecord
from appliance.service.made_out import Hear, Heard, MadeOut, Who
from appliance.service.own_words import OwnWords
from appliance.wording import FALLBACK

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass
class Moments:
    """When the stages of one turn happened: name -> monotonic seconds."""

    at: dict[str, float] = field(default_factory=dict)
    wake_score: float | None = None

    def mark(self, name: str, at_s: float | None = None) -> None:
        self.at.setdefault(name, time.monotonic() if at_s is None else at_s)

    def ms(self, start: str, end: str) -> int | None:
        if start not in self.at or end not in self.at:
            return None
        return round((self.at[end] - self.at[start]) * 1000)


Publish = Callable[[TurnRecord, Moments], None]
"""Given every finished turn."""


@dataclass(frozen=True, eq=False)
class _Draft:
    """An utterance that is perhaps not over, and its words."""

    utterance: Utterance
    words: Future[Heard]


def time_waits(record: TurnRecord, moments: Moments) -> None:
    """The times a person waited, counted from the end of speech; only where sound came at the pace of the world."""
    record.ms.endpoint = moments.ms("speech_ended", "decided")
    record.ms.first_audio = moments.ms("speech_ended", "first_audio")
    record.ms.total = moments.ms("speech_ended", "ended")


class SpokenTurns:
    def __init__(
        self,
        hear: Hear,
        thinker: Thinker,
        voice: OwnWords,
        is_stop: Callable[[str], bool],
        post: Callable[[ev.Event], None],
        publish: Publish,
        paced: bool,
        language: str = FALLBACK,
        who: Who | None = None,
    ) -> None:
        """who: None where no voice is told from another."""
        self._language = language
        self._made_out, self._voice, self._is_stop = MadeOut(hear, voice.are, who), voice, is_stop
        self.thinker = thinker
        """Another may take its place between two turns: a language model that came late."""
        self._post, self._publish, self._paced = post, publish, paced
        self._words = ThreadPoolExecutor(1, thread_name_prefix="words")
        self._thought = ThreadPoolExecutor(1, thread_name_prefix="thought")
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="aside")
        self._draft: _Draft | None = None
        self._drafts = 0
        """Times that an utterance paused: the next pause voids what is made of the one before."""
        self._given_up = 0
        self._calls = 0
        """Times that somebody began to speak to the box or said something: what follows a reply ends with the next."""
        self.unasked: Stale = lambda: True
        """Whether nobody at this box waits for what is being thought of."""
        self._calls_between = 0
        """Times that the thread that thinks was wanted for something between two turns."""

    def expect(self, turn: int, event: ev.Event, stale: Stale) -> None:
        """Somebody is about to speak.  event: what told so."""
        self._calls += 1
        self._thought.submit(self._read_ahead, stale)

    def prepare(self, utterance: Utterance, stale: Stale) -> None:
        """Transcribe, and have the words read, while it is being decided whether the speaker has finished.

        Nothing else comes of it yet, and it is void once more was said.
        """
        self._calls += 1
        self._drafts += 1
        mine = self._drafts

        def void() -> bool:
            return stale() or self._drafts != mine

        draft = self._draft = _Draft(utterance, self._words.submit(self._made_out.of, utterance, void))
        draft.words.add_done_callback(lambda _: self._have_read(draft, void))

    def reply(self, turn: int, utterance: Utterance, stale: Stale, moments: Moments) -> None:
        """Answer the utterance: ReplyStarted, then ReplyEnded or ReplyFailed, will be posted."""
        self._calls += 1
        draft, self._draft = self._draft, None
        if draft and draft.utterance is utterance:
            words = draft.words
        else:
            words = self._words.submit(self._made_out.of, utterance, stale)
        self._thought.submit(self._answer, turn, utterance, words, stale, moments)

    def give_up(self, turn: int, moments: Moments) -> None:
        """Nobody waits for this turn any more: its record is published now, for it may hang for good."""
        self._given_up = turn
        record = TurnRecord(turn=turn, conversation="", outcome="error")
        self._aside.submit(self._publish, record, moments)

    def apologise(self, turn: int, error: ApplianceError, stale: Stale) -> None:
        """Say in one sentence that it did not work."""
        self._aside.submit(self._speak, turn, error, stale)

    def tell(self, sentence: str, stale: Stale) -> None:
        """Say something that answers nobody; no event comes of it."""
        self._aside.submit(self._utter, sentence, self._voice.begin(stale, lambda at_s: None))

    def between(self, work: Callable[[], T]) -> Future[T]:
        """Have the thread that thinks do something between two turns. Raises RuntimeError once closed."""
        self._calls_between += 1
        return self._thought.submit(work)

    def write_down(self, utterance: Utterance, stale: Stale) -> Future[str]:
        """The words of a recording, behind what the box hears itself. Raises RuntimeError once closed."""
        return self._words.submit(self._made_out.hear, utterance, stale)

    def until_called(self) -> Stale:
        """Whether somebody has spoken to the box since: what nobody waits for ends then."""
        calls = self._calls
        return lambda: self._calls != calls

    def reflect(self, at_rest: Callable[[], bool]) -> bool:
        """Have the thread that thinks do a piece of what can wait for a time at which nobody is served.

        It is abandoned once somebody speaks or has other work for that thread. Waits for its end. Whether a piece was
        done, so that there may be more; none is once closed.
        """
        begun = self._calls, self._calls_between

        def stale() -> bool:
            return (self._calls, self._calls_between) != begun or not at_rest()

        try:
            return self._thought.submit(self._think_over, stale).result()
        except (CancelledError, RuntimeError):  # closed meanwhile
            return False

    def do(self, work: Callable[[Thinker], None]) -> None:
        """Something for the thread that thinks, behind what it is asked already; no event comes of it."""
        with suppress(RuntimeError):  # closed meanwhile
            self.between(partial(self._work, work))

    def overhear(self, turn: int, utterance: Utterance, stale: Stale) -> None:
        """Post StopHeard if that was "stop"."""
        self._words.submit(self._judge, turn, utterance, stale)

    def heed_stop(self, turn: int) -> None:
        """Post StopHeard, unless the box says the word itself: it is then as likely an echo of that."""
        if not self._voice.hold("stop"):
            self._post(ev.StopHeard(turn))

    def close(self) -> None:
        """Forget what has not begun; what runs is stale already, or becomes so now."""
        self._calls += 1
        for pool in (self._words, self._thought, self._aside):
            pool.shutdown(wait=False, cancel_futures=True)
        self._made_out.close()

    def _have_read(self, draft: _Draft, void: Stale) -> None:
        """Its words are there: read them ahead, unless the reply was asked for and does so itself."""
        failed = draft.words.cancelled() or draft.words.exception() is not None
        if failed or self._draft is not draft or not (text := draft.words.result().text):
            return
        with suppress(RuntimeError):  # closed meanwhile
            self._thought.submit(self._read_ahead, void, text)

    def _think_over(self, stale: Stale) -> bool:
        did = False
        if not stale():
            with logged(log, "nothing was thought over"):
                did = self.thinker.reflect(stale)
        if did:
            self._read_ahead(stale)  # the model has read other things meanwhile
        return did

    def _read_ahead(self, stale: Stale, heard: str = "") -> None:
        with logged(log, "nothing read ahead"):
            try:
                self.thinker.expect(stale, heard)
            except ApplianceError as error:
                log.debug("nothing read ahead: %s", error)

    def _answer(self, turn: int, utterance: Utterance, words: Future[Heard], stale: Stale, moments: Moments) -> None:
        record, failure = TurnRecord(turn=turn, conversation="", outcome="error"), None
        try:
            heard = words.result()
            moments.mark("transcribed")
            record = self._think(turn, heard, stale, moments)
            record.ms.stt = heard.ms
        except Cancelled:
            record.outcome = "stopped"
        except ApplianceError as error:
            log.error("turn %d: %s", turn, error)
            failure = error
        except Exception as error:  # the one broad catch: whatever a turn dies of, the box says so and lives on
            log.exception("turn %d", turn)
            failure = TurnFailed(f"the turn broke ({error})", remedy="see the journal")
        calls = self._calls
        record = self._complete(record, utterance, moments)
        self._post(ev.ReplyFailed(turn, failure) if failure else ev.ReplyEnded(turn, record))
        with logged(log, "after the reply"):  # everybody waits for the record that is published next
            self.thinker.after(lambda: self._calls != calls)
        if turn != self._given_up:
            self._publish(record, moments)
        self._read_ahead(lambda: self._calls != calls)

    def _think(self, turn: int, heard: Heard, stale: Stale, moments: Moments) -> TurnRecord:
        if not heard.text:
            return TurnRecord(turn=turn, conversation="", outcome="silent")
        mouth = self._mouth(turn, stale, moments)
        self.unasked, before = stale, self.unasked
        try:
            return self.thinker.reply(turn, heard.text, "voice", mouth, stale, heard.speaker)
        finally:
            self.unasked = before

    def _mouth(self, turn: int, stale: Stale, moments: Moments) -> Mouth:
        def started(at_s: float) -> None:
            moments.mark("first_audio", at_s)
            self._post(ev.ReplyStarted(turn))

        return self._voice.begin(stale, started)

    def _complete(self, record: TurnRecord, utterance: Utterance, moments: Moments) -> TurnRecord:
        moments.mark("ended")
        record.audio = AudioFacts(seconds=round(utterance.seconds, 2), wake_score=moments.wake_score)
        if self._paced:
            time_waits(record, moments)
        return record

    def _speak(self, turn: int, error: ApplianceError, stale: Stale) -> None:
        said = ""
        with logged(log, "no apology"):  # nobody else ends this turn
            mouth = self._mouth(turn, stale, Moments())
            mouth.say(error.spoken(self._language))
            said = mouth.finish()
        self._post(ev.ReplyEnded(turn, TurnRecord(turn=turn, conversation="", said=said, outcome="error")))

    def _work(self, work: Callable[[Thinker], None]) -> None:
        with logged(log, "work of its own"):
            work(self.thinker)

    def _utter(self, sentence: str, mouth: Mouth) -> None:
        mouth.say(sentence)
        mouth.finish()

    def _judge(self, turn: int, utterance: Utterance, stale: Stale) -> None:
        with logged(log, "nothing overheard"):
            try:
                if self._is_stop(self._made_out.words(utterance, stale)):
                    self._post(ev.StopHeard(turn))
            except ApplianceError as error:
                log.debug("nothing overheard: %s", error)
