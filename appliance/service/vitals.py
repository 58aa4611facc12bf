"""What the running service knows of its own health: the threads that do the work leave signs of life, others look."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from math import inf
from pathlib import Path
from typing import Literal

from appliance.errors import ApplianceError
from appliance.service.hearing import Hearing
from appliance.service.states import State

log = logging.getLogger(__name__)

RELEASE = Path(sys.prefix).resolve().name
"""Its folder in /opt/va/releases, as `current` led to at the start: later it may lead to another."""
LONGEST_S = 10.0
"""A part that showed no life for so long hangs. The longest honest silence is a sound card that opens: some 3 s."""
WORK_S = 30.0
"""So long on one utterance, or one piece of speech, and a part hangs: nobody waits for an answer any more by then.
Thought hangs as long after its deadline, at which the turn was given up and asked to stop."""


class Part(Enum):
    """What the box is deaf, dumb or absent without. The language model is not: its process is ended when it hangs."""

    CAPTURE = "capture"
    LOOP = "loop"
    PLAYBACK = "playback"
    WORDS = "words"
    VOICE = "voice"
    THOUGHT = "thought"


BEATING = (Part.CAPTURE, Part.LOOP, Part.PLAYBACK)
"""These always give a sign of life; the others wait in silence, and are looked at while they work."""


Microphone = Literal["unknown", "open", "closed", "lost"]


class Vitals:
    """Every attribute is written by one thread and read by any, but for the turns that wait: those have two."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, thought_s: float = inf) -> None:
        """`thought_s`: a turn whose answer has not begun by then hangs, or waits for one that does."""
        self._clock, self._thought_s = clock, thought_s
        self._asked_s = dict[int, float]()
        """Turn -> when it was asked for; until its answer begins or it has ended."""
        self._last_s = dict.fromkeys(BEATING, clock())
        self._began_s = dict.fromkeys(Part, float("inf"))
        self.state = State.STARTING
        self.microphone: Microphone = "unknown"
        self.missing = ""
        """What is wrong with the lost microphone, with its remedy."""
        self.losses = 0
        """Times in a row that the microphone failed."""
        self.hearing = Hearing(clock)
        self.devices: Callable[[], dict[str, str]] = dict
        """Part -> name of the sound device it uses; empty until it was opened."""
        self.dumb = ""
        """Why the last sound could not be played, with its remedy; empty when it could, or none was tried."""
        self.rings_at_s = float("inf")
        """When the next timer ends, on this clock; infinite when none is set."""
        self.gave_way = 0
        """Wake words that were left to another box."""
        self.timers = 0
        """How many run, are paused or ring."""
        self.store = dict[str, bool]()
        """Each state that the memory's file can be in -> whether it is; empty before it was opened."""
        self.private: Callable[[], bool] = lambda: False
        """Whether nothing is kept of what is said, as the owner asked."""
        self.thinking: Callable[[], str] = lambda: ""
        """Why nothing can be thought about now, in words; empty when all is well."""
        self.speaking: Callable[[], str] = lambda: ""
        """Why another voice than the chosen one speaks, in words; empty when that one does."""
        self.keeping: Callable[[], str] = lambda: ""
        """Why nothing can be kept over a restart now, in words; empty when all is well."""

    def sounded(self, error: ApplianceError | None) -> None:
        """The voice could not play a sound, or can again."""
        self.dumb = str(error) if error else ""
        if error:
            log.error("%s", error)
        else:
            log.info("the speaker is back")

    def beat(self, part: Part) -> None:
        """`part` did something just now, or waits for work as it should."""
        self._last_s[part] = self._clock()

    def asked(self, turn: int) -> None:
        """A reply is wanted of the thread that thinks."""
        self._asked_s[turn] = self._clock()

    def answered(self, turn: int) -> None:
        """It has begun to be spoken, or has ended, however it did."""
        self._asked_s.pop(turn, None)

    @contextmanager
    def at_work(self, part: Part) -> Iterator[None]:
        """`part` works on one thing as long as the block lasts."""
        self._began_s[part] = self._clock()
        try:
            yield
        finally:
            self._began_s[part] = float("inf")

    def late(self) -> list[str]:
        """Names of the parts that hang. While the models load, none runs yet and none can."""
        if not self.settled:
            return []
        now_s = self._clock()
        silent = [part.value for part, at_s in self._last_s.items() if now_s - at_s > LONGEST_S]
        busy = [part.value for part, at_s in self._began_s.items() if now_s - at_s > WORK_S]
        waited = any(now_s - at_s > self._thought_s for at_s in list(self._asked_s.values()))
        return silent + busy + [Part.THOUGHT.value] * waited

    @property
    def settled(self) -> bool:
        """The start is over: the models are in use, and the microphone is open, meant to be closed, or known lost."""
        return self.microphone != "unknown"

    def trouble(self) -> str:
        """Why nobody can be answered as they should be, in words; empty when all is well. Muted is well."""
        if not self.settled:
            return "starting"
        if late := self.late():
            return f"no sign of life from: {', '.join(late)}"
        return (self.missing if self.microphone == "lost" else "") or self.ailment()

    def ailment(self) -> str:
        """What is wrong with a part that the box goes on without, in words; of a lost microphone the light tells."""
        return self.hearing.deaf or self.dumb or self.thinking() or self.keeping()

    def alive(self) -> tuple[bool, dict[str, object]]:
        """For /healthz: does every part work that must?"""
        late = self.late()
        return not late, {"alive": not late, "late": late}

    def ready(self) -> tuple[bool, dict[str, object]]:
        """For /readyz: would a question be answered?"""
        trouble = self.trouble()
        told = {"ready": not trouble, "trouble": trouble, "state": self.state.name.lower()}
        left_s = self.rings_at_s - self._clock()
        told["next_ring_s"] = None if left_s == float("inf") else max(0, round(left_s))
        about = {"voice": self.speaking(), "microphone": self.microphone, "release": RELEASE}
        return not trouble, told | about

    @property
    def answers(self) -> dict[str, Callable[[], tuple[bool, dict[str, object]]]]:
        """Path -> what is answered there, and whether it is good news."""
        return {"/healthz": self.alive, "/readyz": self.ready, "/status": self.status}

    def status(self) -> tuple[bool, dict[str, object]]:
        """For /status: what the doctor asks of a service that holds the sound card, and whether it is private."""
        well, told = self.ready()
        level = self.hearing.level
        sound: dict[str, object] = {
            "private": self.private(),
            "missing": self.missing if self.microphone == "lost" else "",
            "dumb": self.dumb,
            "devices": self.devices(),
            "losses": self.losses,
            "level_dbfs": round(level.dbfs, 1) if level else None,
            "clipped": round(level.clipped, 4) if level else None,
            "digital_silence": level.silent if level else None,
        }
        return well, told | sound
