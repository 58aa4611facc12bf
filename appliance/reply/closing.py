"""How a turn ends: its record, and what of it outlives it in its conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from appliance.ports import Message, Tool
from appliance.records import TurnRecord
from appliance.reply.conversation import Conversation
from appliance.reply.plan import Call
from appliance.reply.turn import Turn


class Closing:
    def __init__(
        self,
        conversation: Conversation,
        tools: Mapping[str, Tool],
        acts: Callable[[Call], bool],
        as_talked: Callable[[Turn], Message],
    ) -> None:
        """acts: whether a call does more than read.  as_talked: a turn's line as it is read where people only talk."""
        self._conversation, self._acts, self._as_talked = conversation, acts, as_talked
        self.memory_tools = frozenset(name for name, tool in tools.items() if tool.memory)
        """Names of those that have to do with memory."""
        self.forgetting = frozenset(name for name, tool in tools.items() if tool.memory == "forget")

    def suspend(self, turn: Turn) -> TurnRecord:
        """It goes on once all that is carried out elsewhere has its result; the record is not complete before."""
        turn.rounds += 1
        turn.rest()
        self._conversation.talk.suspended = turn
        return turn.record

    def close(self, turn: Turn) -> TurnRecord:
        said = turn.finish()
        asks = turn.asks
        record = turn.close(said)
        talk = self._conversation.talk
        if record.outcome == "stopped":
            talk.carried.cool()
            if turn.pending and turn.pending.first:
                turn.pending = None  # nobody knows which of the questions were heard
        talk.asked = asks and record.outcome == "asked"
        if said or turn.answers:
            talk.add(turn.as_heard(said), self._as_talked(turn), said)
            turn.leave(talk.carried)
        talk.tainted = talk.tainted or turn.tainted
        if any(each.call.arguments.get("id") and not each.failed for each in turn.done):
            self._conversation.forget_facts()
        if self._forgot(turn):
            self._conversation.forget_words()  # or the model would read it again in what was said before
        self.keep_deed(turn, said)
        return record

    def keep_deed(self, turn: Turn, said: str) -> None:
        """What it did, to be told of and taken back."""
        if deed := turn.deed(said, self._acts):
            self._conversation.carried.acted = True
            if not turn.input.channel.guest:
                self._conversation.ledger.add(deed)

    def _forgot(self, turn: Turn) -> bool:
        outcomes = {step.tool: step.outcome for step in turn.record.steps if step.tool}
        return any(outcomes.get(name) == "ok" for name in self.forgetting)
