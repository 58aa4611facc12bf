"""Everything that makes a sound: replies, clause by clause, and the ringing of timers.

Two threads: `voice` turns clauses into speech, `speaker` plays them, so that clause n sounds while n+1 is made. A reply
comes before the ringing. Neither waits for the language model.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Condition, Event, Thread
from types import TracebackType

from appliance.audio import Speech, Stale, joined, never
from appliance.errors import ApplianceError, TurnFailed, explained
from appliance.ports import Cue, Mouth, Speaker, Synthesizer
from appliance.settings import RingSound
from appliance.tts.clips import Clips
from appliance.tts.cues import sound as sound_of
from appliance.tts.markup import plain
from appliance.tts.mouth import Reply
from appliance.tts.ring import LEAST_VOLUME, Ring
from appliance.tts.spoken import spoken

log = logging.getLogger(__name__)

AHEAD = 2
"""Clauses made before they are needed: enough to bridge a slow one, little to throw away after "stop"."""
BEAT_S = 2.0
"""Longest wait of the speaker's thread between two signs of life."""
KEEP_OPEN_S = 10.0
"""The speaker is let go after this much quiet: opening takes 10 ms, and others may want it."""
JOIN_S = 2.0


@dataclass(frozen=True)
class _Sound:
    pieces: Iterable[Speech]
    stale: Stale
    started: Callable[[float], None]
    ended: Callable[[bool], None]
    """Called in any case: played, cut off, or failed, which is False."""
    torn: Callable[[], bool] = lambda: False
    """Whether its making failed, once its pieces are at an end."""


class Voice:
    """Serves many replies; start it, or use it as a context manager, before the first."""

    def __init__(
        self,
        synthesizer: Synthesizer,
        speaker: Speaker,
        failed: Callable[[ApplianceError | None], None],
        language: str = "en",
        beat: Callable[[], None] = lambda: None,
        at_work: Callable[[], AbstractContextManager[None]] = nullcontext,
        ring: RingSound = "chime",
    ) -> None:
        """`failed` is told the first of several failures in a row, and None once a sound is played again.

        `beat` is called by the thread that plays: often, and no longer once the device swallows it.
        `at_work` is entered for each piece of sound that is made: that may hang as well."""
        self._speaker, self._failed, self._language, self._beat = speaker, failed, language, beat
        self._clips, self._at_work = Clips(synthesizer), at_work
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._changed = Condition()
        self._closing = Event()
        self._sounds: deque[_Sound] = deque()
        self._ring = Ring(ring)
        self._broken = False
        self._threads = (
            Thread(target=self._make_all, name="voice", daemon=True),
            Thread(target=self._play_all, name="speaker", daemon=True),
        )

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Fall silent and end the threads."""
        self._closing.set()
        self._jobs.put(None)
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(JOIN_S)
        self._speaker.close()

    def __enter__(self) -> Voice:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin(self, stale: Stale, started: Callable[[float], None]) -> Mouth:
        """Where the next reply goes. `started` is called once, with the monotonic time of its first sample."""
        return Reply(lambda: stale() or self._closing.is_set(), started, self._hand_over, self._language)

    def play(self, pieces: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> bool:
        """Play what was made elsewhere, as a reply. Blocks until it is out or cut off. Whether it could be played.

        pieces: see Speaker; each may be waited for. `started`: as for `begin`.
        """
        done, worked = Event(), False

        def ended(well: bool) -> None:
            nonlocal worked
            worked = well
            with self._changed:
                self._ring.yield_to_reply()
            done.set()

        self._queue(_Sound(pieces, lambda: stale() or self._closing.is_set(), started, ended))
        while not (done.wait(BEAT_S) or self._closing.is_set()):
            pass
        return worked

    def cue(self, cue: Cue) -> None:
        """Play a short sound, unless something sounds already or waits to: that says more."""
        with self._changed:
            if not self._sounds and not self._ring.on:
                self._sounds.append(_Sound((sound_of(cue),), self._closing.is_set, lambda at_s: None, lambda _: None))
                self._changed.notify_all()

    def ring(self, sentences: Sequence[str] = ()) -> None:
        """Ring until silenced, whenever no reply is being spoken; say each of `sentences` once in between."""
        with self._changed:
            number = self._ring.start()
            self._changed.notify_all()
        for sentence in sentences:
            self._jobs.put(partial(self._announce, sentence, number))

    @property
    def chimes(self) -> int:
        """See ports.Voice."""
        return self._ring.chimes

    def silence(self) -> None:
        with self._changed:
            self._ring.stop()
            self._changed.notify_all()

    def _hand_over(self, reply: Reply, clause: str, goes_on: bool) -> None:
        self._jobs.put(partial(self._make, reply, clause, goes_on))

    def _make_all(self) -> None:
        while (job := self._jobs.get()) is not None and not self._closing.is_set():
            self._attempt(job)

    def _make(self, reply: Reply, clause: str, goes_on: bool) -> None:
        """Its sound is handed over with the first piece, and made while it is played. goes_on: so does the sentence."""

        def ended(_: bool) -> None:
            reply.ended(plain(clause))
            with self._changed:
                self._ring.yield_to_reply()

        pieces, begun, made = SimpleQueue[Speech | None](), False, False

        def make() -> None:
            nonlocal begun
            words = spoken(clause, self._language)
            words = f"{words}," if goes_on else words  # the voice stays up instead of breaking off
            for piece in self._pieces(words, reply.stale, not reply.sounds) if words and not reply.stale() else ():
                if reply.stale():
                    break
                pieces.put(piece)
                if not begun:
                    begun = reply.sounds = True
                    self._queue(_Sound(iter(pieces.get, None), reply.stale, reply.began, ended, lambda: not made))

        made = self._attempt(make)  # what failed is reported before anybody hears that it is over
        pieces.put(None)
        if not begun:
            ended(made)

    def _queue(self, sound: _Sound) -> None:
        """Waits until there is room for it."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._sounds) < AHEAD or self._closing.is_set())
            self._sounds.append(sound)
            self._changed.notify_all()

    def _pieces(self, words: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        """Of their sound. Only the making of each is work: what is done between two may wait for the speaker."""
        pieces = self._clips.of(words, stale, hurried)

        def made() -> Speech | None:
            with self._at_work():
                return next(pieces, None)

        return iter(made, None)

    def _announce(self, sentence: str, number: int) -> None:
        speech = joined(self._pieces(spoken(sentence, self._language)))
        with self._changed:
            self._ring.announce(speech, number)
            self._changed.notify_all()

    def _play_all(self) -> None:
        while (sound := self._next_sound()) is not None:
            sound.ended(self._attempt(partial(self._play, sound)))

    def _play(self, sound: _Sound) -> None:
        if not sound.stale():
            self._speaker.play(sound.pieces, self._alive(sound.stale), sound.started)
            if not sound.torn():  # what broke has been told, and is not well because half of it was heard
                self._report(None)

    def _alive(self, stale: Stale) -> Stale:
        """Asked between two chunks of sound: whoever asks is alive."""

        def asked() -> bool:
            self._beat()
            return stale()

        return asked

    def _next_sound(self) -> _Sound | None:
        """Blocks until there is one; None at the end."""
        is_open, closes_s = True, time.monotonic() + KEEP_OPEN_S
        with self._changed:
            while not self._closing.is_set():
                self._beat()
                if self._sounds:
                    self._changed.notify_all()
                    return self._sounds.popleft()
                wait_s = self._ring.wait_s()
                if wait_s is not None and wait_s <= 0:
                    return self._ring_sound()
                news = self._changed.wait(BEAT_S if wait_s is None else min(wait_s, BEAT_S))
                if news:
                    closes_s = time.monotonic() + KEEP_OPEN_S
                if is_open and wait_s is None and time.monotonic() >= closes_s:
                    self._speaker.close()
                    is_open = False
        return None

    def _ring_sound(self) -> _Sound:
        speech, before = self._ring.speech(), self._ring.chimes

        def stale() -> bool:
            return not self._ring.on or bool(self._sounds) or self._closing.is_set()

        def started(at_s: float) -> None:
            self._ring.begun()

        def ended(worked: bool) -> None:
            with self._changed:
                self._ring.chimes = self._ring.chimes if worked else before
                self._ring.played(speech, cut_off=stale() or not worked)

        return _Sound((replace(speech, least_volume=LEAST_VOLUME),), stale, started, ended)

    def _attempt(self, work: Callable[[], object]) -> bool:
        """Whether it worked. The threads outlive whatever fails in them: the next sound may succeed."""
        try:
            with explained(lambda error: TurnFailed(f"the voice broke ({error})", remedy="see the journal"), log):
                work()
            return True
        except ApplianceError as error:
            self._report(error)
        return False

    def _report(self, error: ApplianceError | None) -> None:
        if self._broken is not bool(error):
            self._broken = bool(error)
            self._failed(error)
