"""One turn that the host hears and answers (host.py): what has come of it, and how it ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from threading import Condition

import numpy as np

from appliance.audio import Samples, Speech, Stale, Utterance, of_text, silence
from appliance.ports.satellite import SILENT_S, FromHost

AHEAD_S = 4.0
"""Sound of an answer that is taken before it is played."""
LOOK_S = 0.05
"""Between two looks at whether a turn went stale, or its host shows no life: neither has a bell."""


class End(Enum):
    """How a turn of the host ended."""

    OUT = "the answer is out"
    NOTHING = "there were no words"
    ELSEWHERE = "another box answers"
    STALE = "nobody waits for it any more"
    FAILED = "the host could not do it"
    LOST = "the host shows no life"


ENDS = {"end": End.OUT, "nothing": End.NOTHING, "elsewhere": End.ELSEWHERE, "failed": End.FAILED}
"""What the host says -> how its turn ends with that."""
BEGUN = ("words", "answer", "sound")


class HostTurn:
    """One turn that the host hears. Written by the door's threads and the ears', read by the one that answers."""

    def __init__(self, number: int, stale: Stale, clock: Callable[[], float]) -> None:
        self.number, self.stale, self._clock = number, stale, clock
        self.words: str | None = None
        """What the host has understood; None before that."""
        self.said = ""
        self.begun = False
        """It may have done something: its words, its answer or a sound have come."""
        self._heard = list[Samples]()
        self._sound = deque[Speech]()
        self._end: End | None = None
        self._alive_s = clock()
        self._changed = Condition()

    @property
    def utterance(self) -> Utterance:
        """What the host has heard."""
        return Utterance(np.concatenate([silence(0), *self._heard]))

    def hear(self, samples: Samples) -> None:
        self._heard.append(samples)

    def take(self, told: FromHost, gone: Stale) -> None:
        """Waits while there is more sound than is needed. Raises ValueError for a sound that is none."""
        with self._changed:
            self._alive_s = self._clock()
            self.begun = self.begun or told.what in BEGUN
            if told.what == "words":
                self.words = told.text
            elif told.what == "answer":
                self.said = told.text
            elif told.what == "sound":
                self._sound.append(Speech(of_text(told.pcm), told.rate))
            else:
                self._end = self._end or ENDS.get(told.what)
            self._changed.notify_all()
        while self._ahead_s() > AHEAD_S and not (gone() or self._over()):
            with self._changed:
                self._changed.wait(LOOK_S)

    def lose(self) -> None:
        """The host is gone: it hears and answers no more of this."""
        with self._changed:
            self._end = self._end or End.LOST
            self._changed.notify_all()

    def end(self) -> End | None:
        """How it ended; None while it goes on. Sound that has come already is still to be played."""
        if self.stale():
            return End.STALE
        if self._end is None and self._clock() - self._alive_s > SILENT_S:
            self.lose()
        return self._end

    def sounds(self) -> bool:
        """Wait for the first sound of the answer, or for an end without one. Whether there is any."""
        with self._changed:
            while not self._sound and not self._over():
                self._changed.wait(LOOK_S)
            return bool(self._sound) and not self.stale()

    def pieces(self) -> Iterator[Speech]:
        """Its sound, each piece as it comes, to the turn's end."""
        while self.sounds():
            with self._changed:
                piece = self._sound.popleft()
                self._changed.notify_all()
            yield piece

    def _over(self) -> bool:
        return self.end() is not None

    def _ahead_s(self) -> float:
        return sum(piece.seconds for piece in list(self._sound))
