"""What follows a reply and nobody waits for: the dialogue is kept, then the model may keep a fact of it."""

from __future__ import annotations

import logging
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime

from appliance.audio import Stale
from appliance.errors import ApplianceError, Cancelled
from appliance.reply.dependencies import Dependencies
from appliance.reply.remember import Remember
from appliance.reply.turn import Turn

log = logging.getLogger(__name__)

NEWEST = 8
"""Facts that are looked at for those of the turn: no turn keeps more."""


@dataclass(frozen=True)
class _Ended:
    turn: Turn
    at: datetime
    """When it was answered, however long after that it is written."""
    person: str
    by_nobody: bool
    """By a voice that the box does not know: it may be anybody's, so that nobody could be told of it alone."""


class After:
    def __init__(self, needs: Dependencies, remember: Remember, memory_tools: Set[str], forgetting: Set[str]) -> None:
        """memory_tools, forgetting: names of the tools that have to do with memory, and of those that take from it."""
        self._needs, self._remember = needs, remember
        self._memory_tools, self._forgetting = memory_tools, forgetting
        self._unwritten: _Ended | None = None
        self._untaken: tuple[Turn, int] | None = None
        """A turn of which a fact may be kept, and the exchange that it is."""

    def ended(self, turn: Turn) -> None:
        """A turn that was answered; `write` is due, then `run`."""
        self._untaken = None
        talk = self._needs.conversation
        self._unwritten = _Ended(turn, self._needs.clock.now(), talk.hears or talk.person, talk.hears == "")

    def write(self) -> None:
        """Keep the dialogue of the last turn, unless that was done. Errors are only logged.

        Before the next line is read, whatever became of `run`: what was said a moment ago is known.
        """
        ended, self._unwritten = self._unwritten, None
        if ended is None or ended.by_nobody or not self._is_kept(ended.turn):
            return
        record = ended.turn.record
        try:
            exchange = 0
            if record.said:
                exchange = self._add(ended)
            self._untaken = ended.turn, exchange
        except ApplianceError as error:
            ended.turn.took_branch("unwritten")
            log.error("turn %d: after the reply: %s", record.turn, error)

    def run(self, stale: Stale) -> None:
        """All that is due. Errors are only logged."""
        self.write()
        untaken, self._untaken = self._untaken, None
        if untaken is None:
            return
        turn, exchange = untaken
        try:
            self._remember.take(turn, stale, self._memory_tools)
            written = turn.record.memory.written if turn.record.memory else []
            if written and exchange:
                self._needs.memory.set_source(map(int, written), exchange)
        except Cancelled:
            log.debug("turn %d: somebody spoke, nothing more was remembered", turn.record.turn)
        except ApplianceError as error:
            log.error("turn %d: after the reply: %s", turn.record.turn, error)

    def _is_kept(self, turn: Turn) -> bool:
        """Not of a guest's turn, nor of one that is not to be kept, nor of one in which something was to be forgotten,
        also where that was only asked about: its words name what is to go."""
        forgets = any(step.tool in self._forgetting for step in turn.record.steps)
        return turn.input.channel.memory and not (turn.input.unkept or self._needs.private() or forgets)

    def _add(self, ended: _Ended) -> int:
        record, memory = ended.turn.record, self._needs.memory
        tools = [
            {"tool": step.tool, "kind": step.kind, "arguments": step.arguments, "outcome": step.outcome}
            for step in record.steps
            if step.tool
        ]
        exchange = memory.add_exchange(
            record.conversation, record.heard, record.said, ended.at, person=ended.person, tools=tools
        )
        told = [fact.id for fact in memory.facts(limit=NEWEST) if fact.at >= ended.turn.began and fact.source is None]
        if told:
            memory.set_source(told, exchange)
        return exchange
