"""`python -m appliance.llm.child`: llama.cpp in its own process, at the other end of its standard input.

It ends with whoever started it: the connection's end is its own. A crash in here costs the appliance one answer.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from appliance.audio import Stale
from appliance.errors import ApplianceError
from appliance.llm.llama import LlamaCpp
from appliance.llm.protocol import (
    REQUESTS,
    Beat,
    Cancel,
    Ended,
    Errand,
    Expect,
    Failure,
    Generate,
    Load,
    Loaded,
    Logged,
    Piece,
    Pin,
    Show,
    Wire,
)
from appliance.llm.snapshots import Snapshots
from appliance.ports import Usage

BEAT_S = 1.0
"""Between two signs of life while no piece is ready."""
LOADING_S = 600
"""Longest for loading, and for reading the instructions again where their snapshot is lost: twice what supervision.py
asks for. The kernel then ends the process."""
OOM_SCORE = 500
"""Of -1000 to 1000: where memory runs out, this process goes and not the one that rings the timers."""

NICENESS = 10
"""Of -20 to 19. What is heard or spoken goes before what is still being written: a clause's first sound comes in 92
instead of 119 ms beside a model that writes on (medians of 16 spoken turns, 2 EPYC cores, 2026-11-23)."""


class WireHandler(logging.Handler):
    """What is logged here stands in the log of the appliance."""

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire

    def emit(self, record: logging.LogRecord) -> None:
        self._wire.send(Logged(level=record.levelno, name=record.name, text=self.format(record)))


class Server:
    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._arrived: SimpleQueue[Load | Errand] = SimpleQueue()
        self._cancelled: set[int] = set()

    def run(self) -> None:
        """Returns where the model cannot be loaded, and never else."""
        Thread(target=self._listen, name="wire", daemon=True).start()
        load = self._arrived.get()
        assert isinstance(load, Load)
        logging.basicConfig(level=load.log_level, handlers=[WireHandler(self._wire)])
        try:
            llama = _loaded(load)
        except ApplianceError as error:
            self._wire.send(Ended(failure=Failure.of(error)))
            return
        self._wire.send(Loaded(facts=llama.facts, rates=llama.rates))
        while True:
            self._wire.send(self._done(llama, self._arrived.get()))

    def _listen(self) -> None:
        with suppress(ValueError):  # the words of another release: its end is all that helps
            for data in self._wire.received():
                match request := REQUESTS.validate_json(data):
                    case Cancel():
                        self._cancelled.add(request.number)
                    case _:
                        self._arrived.put(request)
        os._exit(0)  # whatever llama.cpp is at: nobody waits for it

    def _done(self, llama: LlamaCpp, errand: Load | Errand) -> Ended:
        assert not isinstance(errand, Load)
        usage, shown, failure = Usage(), None, None
        stale = self._stale(errand.number)
        try:
            match errand:
                case Pin():
                    llama.pin(errand.heads)
                case Expect():
                    llama.expect(errand.one, errand.other, stale)
                case Show():
                    shown = llama.shown(errand.prompt)
                case Generate():
                    for piece in llama.generate(errand.prompt, errand.grammar, errand.limit, usage, stale):
                        self._wire.send(Piece(number=errand.number, text=piece))
        except ApplianceError as error:
            failure = Failure.of(error)
        self._cancelled.discard(errand.number)
        return Ended(number=errand.number, failure=failure, usage=usage, rates=llama.rates, shown=shown)

    def _stale(self, number: int) -> Stale:
        """Asked all the time by a model that works, so it is also what tells that it does."""
        beaten_s = time.monotonic()

        def stale() -> bool:
            nonlocal beaten_s
            if (now_s := time.monotonic()) - beaten_s >= BEAT_S:
                beaten_s = now_s
                self._wire.send(Beat(number=number))
            return number in self._cancelled

        return stale


def _loaded(load: Load) -> LlamaCpp:
    """Raises ModelDamaged, WrongUse."""
    signal.alarm(LOADING_S)
    llama = LlamaCpp(load.model, load.settings, Snapshots(load.snapshots), load.adapters)
    if load.heads:
        llama.pin(load.heads)
    signal.alarm(0)
    return llama


def main() -> None:
    faulthandler.enable()
    for number in (signal.SIGINT, signal.SIGTERM):  # a terminal and a service manager send them to all: the end of
        signal.signal(number, signal.SIG_IGN)  # the connection is what counts, once the last word has been spoken
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE))
    with suppress(OSError):  # a jail may forbid it, and the box then only speaks a little later
        os.nice(NICENESS)
    Server(Wire(socket.socket(fileno=0))).run()


if __name__ == "__main__":
    main()
