"""The turns of one conversation, append-only, so that the model has read them already when the next one comes."""

from __future__ import annotations

import secrets
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from appliance.ports import Message
from appliance.reply.hot import Hot
from appliance.reply.ledger import Ledger
from appliance.reply.plan import Call
from appliance.reply.prompt import unknown
from appliance.reply.router import Picks

TALKED_MOST = 8
"""Turns that small talk is read behind; the older half goes when there are more. A judgement."""


@dataclass(frozen=True)
class Pending:
    """A step that the user was asked about."""

    call: Call
    lacks: str = ""
    """The argument that was asked for; where there is none, it waits for a yes."""
    question: str = ""
    """What was asked."""
    first: tuple[Call, ...] = ()
    """Steps that were asked about in the same breath, before it: one yes is for all of them."""

    @property
    def calls(self) -> list[Call]:
        return [*self.first, self.call]

    def behind(self, other: Pending | None) -> Pending:
        """Asked about after the other one; whoever asks for an argument waits for that alone."""
        if other is None or other.lacks or self.lacks:
            return self
        return replace(self, first=tuple(call for call in other.calls if call != self.call))

    def filled(self, said: str) -> Call:
        """The call with `said` for what it lacks; behind what it has of that: "on Friday", "at nine"."""
        whole = f"{self.call.arguments.get(self.lacks, '')} {said.strip().rstrip('.!')}".strip()
        return Call(self.call.tool, {**self.call.arguments, self.lacks: whole})


@dataclass
class Carried:
    """Tool work that outlives its turn."""

    results: deque[str]
    """What tools answered in this conversation: the recall gate looks here."""
    failed: frozenset[str] = frozenset()
    """Tools that failed in the last turn: they are offered again, whatever the router says."""
    calls: tuple[Call, ...] = ()
    """Those of the last turn."""
    heard: str = ""
    """What the user said last, unless it is not to be kept."""
    world: tuple[Message, ...] = ()
    """What the last turn asked of the world at large, and what the model knew of it."""
    awaited: frozenset[str] = frozenset()
    """Tools that were offered, or that asked, in a last turn that ended in a question: a bare line answers it."""
    acted: bool = False
    """Something was changed in this conversation."""
    answers: list[str] = field(default_factory=list)
    """What the last turn's tools said aloud: the model reads it with the next line."""
    pending: Pending | None = None
    picks: Picks = field(default_factory=OrderedDict)
    """What the router picked in this conversation."""
    hot: Hot = field(default_factory=Hot)
    """What memory gave in this conversation."""

    @property
    def used(self) -> frozenset[str]:
        """Tools of the last turn."""
        return frozenset(call.tool for call in self.calls)

    def cool(self) -> None:
        """It was stopped: what was worked out for it is worked out anew."""
        self.picks.clear()
        self.hot.clear()


class Conversation:
    """Turns no further apart than `gap_s`; after a longer silence the next turn starts a new one."""

    def __init__(self, gap_s: float, results_kept: int) -> None:
        self._gap_s, self._results_kept = gap_s, results_kept
        self._last_s: float | None = None
        self.with_owner = True
        """Or with a guest, who is told nothing of what is known."""
        self.wishes: Sequence[str] = ()
        """The newest standing rules, as memory gave them for this turn."""
        self.last_said = ""
        """What the box said last, in this conversation or an earlier one."""
        self.ledger = Ledger()
        """What was done, whichever conversation it was in."""
        self.begin()

    def begin(self) -> None:
        """Start a new one: nothing of the one before is left."""
        self.id = f"c-{secrets.token_hex(4)}"
        self.person = ""
        """Who speaks, by the name they gave; empty where nobody gave one."""
        self.messages: list[Message] = []
        self.talked: list[Message] = []
        """The newest turns, as they are read where people only talk: what was said."""
        self.tainted = False
        """Text from outside the device stands in `messages`."""
        self.carried = Carried(deque(maxlen=self._results_kept))

    def resume(self, now_s: float, with_owner: bool | None = None) -> None:
        """Somebody speaks, is about to, or was answered: a new one is begun if the last time was too long ago.

        So it is between owner and guest: neither hears what the other was told, nor says yes for them.
        now_s: monotonic seconds.  with_owner: None where it is not known who.
        """
        if other := with_owner is not None and with_owner != self.with_owner:
            self.last_said = ""
        if other or (self._last_s is not None and now_s - self._last_s > self._gap_s):
            self.begin()
        self._last_s, self.with_owner = now_s, self.with_owner if with_owner is None else with_owner

    def add(self, messages: Sequence[Message], line: Message, said: str) -> None:
        """One turn, as the model read and wrote it. line: the user's, as it is read where people only talk."""
        self.messages += messages
        self.last_said = said or self.last_said
        if said:
            self.talked += [line, Message("assistant", f"say {said}")]
        if len(self.talked) > 2 * TALKED_MOST:  # half of it: what was dropped with each turn would be read anew
            del self.talked[:TALKED_MOST]

    def forget_words(self) -> None:
        """What was said so far is out of the model's sight; the conversation goes on."""
        self.messages.clear()
        self.talked.clear()
        self.tainted = False
        self.carried.results.clear()
        self.carried.answers, self.carried.world = [], ()

    def forget_facts(self) -> None:
        """A stored fact changed: what stood beside earlier lines would be believed rather than the new one."""
        self.messages = [
            replace(message, text=unknown(message.text)) if message.turn_begins else message
            for message in self.messages
        ]
        self.talked.clear()

    def forget_older_half(self) -> bool:
        """Make room in the prompt; false when there is nothing left to forget."""
        starts = [index for index, message in enumerate(self.messages) if message.turn_begins]
        turns = [self.messages[start:end] for start, end in pairwise([*starts, len(self.messages)])]
        if not turns:
            return False
        self.messages = [message for turn in turns[max(1, len(turns) // 2) :] for message in turn]
        self.talked.clear()
        return True
