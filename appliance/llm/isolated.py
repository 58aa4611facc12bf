"""A language model in a process of its own: a crash or a hang in there costs an answer, and not the box."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from queue import Empty

from appliance.audio import Stale, never
from appliance.errors import Cancelled, ModelLost
from appliance.llm.protocol import Beat, Ended, Errand, Expect, Failure, Generate, Load, Piece, Pin, Show
from appliance.llm.supervisor import LOOK_S, Keeper, Line
from appliance.ports import Grammar, Message, ModelFacts, Rates, Usage
from appliance.reply.grammar import PlanGrammar
from appliance.reply.sentence import SentenceGrammar
from appliance.settings import Thought

SILENT_S = 30.0
"""Without a sign of life a process that works hangs; it gives one every second. The longest honest silence is a token
whose weights have to be read from the disk once more."""
OBEY_S = 5.0
"""Longest between the stop signal and the end of the work; some 30 ms where nothing hangs."""


class IsolatedModel:
    """Implements LanguageModel. `start` it; one thread at a time uses it, and any closes it."""

    def __init__(self, path: Path, settings: Thought, snapshots: Path, adapters: tuple[Path, ...] = ()) -> None:
        """snapshots: the folder of what the model has read.  adapters: of what it was taught (reply/taught.py)."""
        level = logging.getLogger().getEffectiveLevel()
        load = Load(model=path, settings=settings, snapshots=snapshots, adapters=adapters, log_level=level)
        self._keeper = Keeper(load)
        self._rates: Rates | None = None

    def start(self) -> None:
        """Returns at once; whatever needs the model waits for it."""
        self._keeper.start()

    @property
    def trouble(self) -> str:
        """See LanguageModel."""
        return self._keeper.trouble

    @property
    def facts(self) -> ModelFacts:
        """Raises ModelDamaged, WrongUse, ModelLost when the model cannot be loaded."""
        return self._keeper.told().facts

    @property
    def rates(self) -> Rates:
        return self._rates or self._keeper.told().rates

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        """Raises WrongUse for a head that leaves no room for a turn."""
        errand = Pin(heads=tuple(map(tuple, heads)))
        self._rates = _only(self._run(errand, never)).rates
        self._keeper.pinned(errand.heads)

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        """See LanguageModel. Raises PromptTooLong, ModelLost."""
        _only(self._run(Expect(one=tuple(one), other=tuple(other)), stale))

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Writes on while its reader is busy. Raises PromptTooLong, ModelLost."""
        assert grammar is None or isinstance(grammar, PlanGrammar | SentenceGrammar), "no other can be sent"
        yield from self._run(Generate(prompt=tuple(prompt), grammar=grammar, limit=limit), stale, usage)

    def shown(self, prompt: Sequence[Message]) -> tuple[str, int]:
        """`prompt` exactly as the model reads it, and its tokens."""
        shown = _only(self._run(Show(prompt=tuple(prompt)), never)).shown
        assert shown
        return shown

    def close(self) -> None:
        """At once, whatever the model is at: that is cancelled."""
        self._keeper.close()

    def _run(self, errand: Errand, stale: Stale, usage: Usage | None = None) -> Generator[str, None, Ended]:
        """The pieces of what comes back, and its end. An errand that is given up has ended when this returns."""
        line, ended = self._keeper.open(stale), None
        try:
            self._send(line, errand)
            silent_s = inf if isinstance(errand, Pin) else SILENT_S  # at the start, which has a limit of its own
            while not isinstance(frame := self._next(line, stale, silent_s), Ended):
                if isinstance(frame, Piece):
                    yield frame.text
            ended = frame
        except (Cancelled, GeneratorExit):
            ended = self._stopped(line)
            raise
        finally:
            self._keeper.hang_up(line)
            if ended and usage:
                usage.add(ended.usage)
        if ended.failure:
            raise ended.failure.error
        return ended

    def _send(self, line: Line, errand: Errand) -> None:
        try:
            line.child.wire.send(errand.model_copy(update={"number": line.number}))
        except OSError:
            raise self._keeper.give_up(line, "takes no prompt") from None

    def _next(self, line: Line, stale: Stale, silent_s: float) -> Beat | Piece | Ended:
        until_s = time.monotonic() + silent_s
        while time.monotonic() < until_s:
            if stale():
                raise Cancelled
            with suppress(Empty):
                return _unless_lost(line.arrived.get(timeout=LOOK_S))
        raise self._keeper.give_up(line, f"gave no sign of life for {silent_s:g} s")

    def _stopped(self, line: Line) -> Ended | None:
        """How it ended, once it was told to."""
        if not self._keeper.cancel(line):
            return None
        until_s = time.monotonic() + OBEY_S
        with suppress(ModelLost, Cancelled):
            while (left_s := until_s - time.monotonic()) > 0:
                with suppress(Empty):
                    if isinstance(frame := _unless_lost(line.arrived.get(timeout=left_s)), Ended):
                        return frame
            self._keeper.give_up(line, f"did not stop within {OBEY_S:g} s")
        return None


def _unless_lost(frame: Beat | Piece | Ended | Failure) -> Beat | Piece | Ended:
    if isinstance(frame, Failure):
        raise frame.error
    return frame


def _only(run: Generator[str, None, Ended]) -> Ended:
    """The end of an errand without pieces."""
    try:
        next(run)
    except StopIteration as stop:
        ended: Ended = stop.value
        return ended
    raise AssertionError("it wrote something")
