"""Keeps one process with the language model: starts it, hears it, notices its end, and starts the next."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Condition, Thread

from appliance.audio import Stale
from appliance.errors import Cancelled, ModelLost
from appliance.llm.protocol import REPLIES, Beat, Cancel, Ended, Failure, Load, Loaded, Logged, Piece, Wire
from appliance.ports import Message

log = logging.getLogger(__name__)

PAUSES_S = (0, 1, 5, 15, 60, 300)
"""Before each start in a row without an answer in between; the last one from then on."""
LOOK_S = 0.02
"""Between two looks at the stop signal: a stop has 100 ms."""
SEND_S = 10
"""Longest for handing over a prompt: a process that hangs takes none."""
END_S = 2.0
"""Longest for a process to end after the connection has."""
COMMAND = (sys.executable, "-I" if sys.flags.isolated else "-P", "-m", "appliance.llm.child")
"""As isolated as this process, and never with modules from the working directory."""
REMEDY = "it is started again by itself; if this happens often, choose a smaller thought.model"
FIRST_REMEDY = "run: appliance doctor; if it finds nothing, choose another thought.model"
"""For one that has never been there."""
MEMORY_MAX_KB = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 7 // 10 // 1024
"""Of its own, without the file it maps: seven tenths of the board's, for the unit's MemoryHigh= begins at 75 % and some
kernels do not hold it to that (docs/provisioning.md)."""


class Child:
    """One process, from its start to its end. It inherits the connection and stderr, and nothing else."""

    def __init__(self) -> None:
        """Raises OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(COMMAND, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
        self.wire, self._why = Wire(ours), ""
        self.wire.limit_sending(SEND_S)

    def kill(self, why: str) -> None:
        self._why = why
        self._process.kill()
        self.wire.hang_up()

    @property
    def memory_kb(self) -> int:
        """What it has that is on no disk; 0 where nothing tells."""
        with suppress(OSError):  # it has ended
            for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    return int(line.split()[1])
        return 0

    def reap(self) -> str:
        """Once the connection has ended. Returns in words how the process has."""
        self.wire.hang_up()
        try:
            status = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self.wire.close()
        return self._why or (f"was ended by {_name(-status)}" if status < 0 else f"ended ({status})")


@dataclass
class Line:
    """To one errand in one process: what has come back; a Failure when the process is gone."""

    number: int
    child: Child
    arrived: SimpleQueue[Beat | Piece | Ended | Failure] = field(default_factory=SimpleQueue)


class Keeper:
    """Start it, and close it. Its one thread owns the process."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._changed = Condition()
        """Guards all that follows."""
        self._child: Child | None = None
        self._loaded: Loaded | None = None
        """What the process that is there now has told of its model."""
        self._ever: Loaded | None = None
        """What any has."""
        self._failure: Failure | None = None
        """Why there is none, and none is being loaded now."""
        self._lines: dict[int, Line] = {}
        self._number = self._starts_in_vain = 0
        self._closing = False
        self._thread = Thread(target=self._keep, name="model", daemon=True)

    def start(self) -> None:
        """Returns at once; from now on the model is being loaded."""
        self._thread.start()

    @property
    def trouble(self) -> str:
        """Why there is no model now, in words; empty when there is one."""
        with self._changed:
            if self._loaded:
                return ""
            return str(self._failure.error) if self._failure else "the language model is being loaded"

    def told(self) -> Loaded:
        """What the model says of itself; waits while it is being loaded. Raises what the start failed of."""
        with self._changed:
            self._changed.wait_for(lambda: self._ever or self._failure or self._closing)
            if self._ever is None:
                raise self._failure.error if self._failure else Cancelled
            return self._ever

    def pinned(self, heads: tuple[tuple[Message, ...], ...]) -> None:
        """What every later process is to read first."""
        self._load = self._load.model_copy(update={"heads": heads})

    def open(self, stale: Stale) -> Line:
        """Waits while the model is being loaded. Raises Cancelled, ModelLost while it cannot be."""
        with self._changed:
            while not (self._loaded and self._child):
                if self._closing or stale():
                    raise Cancelled
                if self._failure:
                    raise self._failure.error
                self._changed.wait(LOOK_S)
            self._number += 1
            line = self._lines[self._number] = Line(self._number, self._child)
            return line

    def cancel(self, line: Line) -> bool:
        """Whether anything will still come of it: its end."""
        with self._changed:
            if line.number not in self._lines:
                return False
        with suppress(OSError):  # it is gone just now
            line.child.wire.send(Cancel(number=line.number))
        return True

    def give_up(self, line: Line, why: str) -> ModelLost:
        """End the process that has the line, and start another. `why` goes on from "the language model"."""
        with self._changed:
            if self._child is line.child:
                self._loaded = None
        line.child.kill(why)
        return _lost(why)

    def hang_up(self, line: Line) -> None:
        """What still arrives for it is for nobody."""
        with self._changed:
            self._lines.pop(line.number, None)

    def close(self) -> None:
        with self._changed:
            self._closing, child = True, self._child
            self._changed.notify_all()
        if child:
            child.wire.hang_up()
        if self._thread.is_alive():
            self._thread.join(2 * END_S)

    def _keep(self) -> None:
        while True:
            how = self._live()
            with self._changed:
                pause_s = self._bury(how)
                self._changed.wait_for(lambda: self._closing, pause_s)
                if self._closing:
                    return
                self._failure = None

    def _live(self) -> str:
        """One process, from its start to its end. Returns how it ended."""
        try:
            child = Child()
        except OSError as error:
            return f"cannot be started ({error.strerror})"
        with self._changed:
            self._child = child
            if self._closing:
                child.wire.hang_up()
        with suppress(OSError):  # it ended at once: so do the frames
            child.wire.send(self._load)
        try:
            for data in child.wire.received():
                frame = REPLIES.validate_json(data)
                self._take(frame)
                if isinstance(frame, Ended) and child.memory_kb > MEMORY_MAX_KB:
                    child.kill(f"took more memory than its limit of {MEMORY_MAX_KB // 1024:,} MB")
        except ValueError:  # as after an update, until the appliance is started again
            child.kill("says what is not understood")
        return child.reap()

    def _take(self, frame: Loaded | Logged | Beat | Piece | Ended) -> None:
        if isinstance(frame, Logged):
            logging.getLogger(frame.name).log(frame.level, "%s", frame.text)
            return
        with self._changed:
            if isinstance(frame, Loaded):
                if self._ever:
                    log.info("the language model is back")
                self._loaded = self._ever = frame
                self._changed.notify_all()
            elif frame.number == 0 and isinstance(frame, Ended):
                self._failure = frame.failure
            elif line := self._lines.get(frame.number):
                line.arrived.put(frame)
                if isinstance(frame, Ended) and frame.usage.generated_tokens:
                    self._starts_in_vain = 0

    def _bury(self, how: str) -> float | None:
        """The process is gone; whoever waits for it hears so. Returns the pause before the next; None is for ever, for
        one that could never be loaded, because it is damaged or its settings do not fit, stays so."""
        refused, self._child, self._loaded = self._failure, None, None
        lost = _lost(how, REMEDY if self._ever else FIRST_REMEDY)
        failure = Failure.of(Cancelled()) if self._closing else refused or Failure.of(lost)
        for line in self._lines.values():
            line.arrived.put(failure)
        self._lines.clear()
        is_final = refused is not None and self._ever is None
        pause_s = None if is_final else PAUSES_S[min(self._starts_in_vain, len(PAUSES_S) - 1)]
        self._starts_in_vain += 1
        self._failure = None if pause_s == 0 else failure
        if not (is_final or self._closing):
            log.error("%s", failure.error)
        self._changed.notify_all()
        return pause_s


def _name(number: int) -> str:
    return next((each.name for each in signal.Signals if each == number), f"signal {number}")


def _lost(how: str, remedy: str = REMEDY) -> ModelLost:
    return ModelLost(f"the language model {how}", remedy=remedy)
