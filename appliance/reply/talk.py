"""One conversation: its turns, append-only, so that the model has read them already when the next one comes."""

from __future__ import annotations

import secrets
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from appliance.ports import Message, Tool
from appliance.reply.channels import Channel
from appliance.reply.hot import Hot
from appliance.reply.ledger import Ledger
from appliance.reply.plan import Call
from appliance.reply.prompt import unknown
from appliance.reply.router import Picks

if TYPE_CHECKING:
    from appliance.reply.turn import Turn

TALKED_MOST = 8
"""Turns that small talk is read behind; the older half goes when there are more. A judgement."""


ANSWERED_KEPT = 256
"""More calls than a conversation makes in one turn, by far."""


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
    of_order: bool = False
    """An order that fell due asks: of nobody's voice."""

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
    asked_of: str = ""
    """Whose voice `pending` was asked of, where another one, or one that is not known, spoke next."""
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


@dataclass(frozen=True)
class Client:
    """Another device in whose name a conversation is held."""

    channel: Channel
    person: str
    tools: Mapping[str, Tool]
    room: str = ""


class Talk:
    """What one conversation has come to. Of the box's own, what `begin` leaves alone goes on in the next one."""

    def __init__(self, results_kept: int, client: Client | None = None) -> None:
        """client: whose it is, where it is not the box's own."""
        self._results_kept, self.client = results_kept, client
        self.tools: Mapping[str, Tool] = client.tools if client else {}
        """What the conversation brings with it, by name."""
        self.last_s: float | None = None
        """When somebody last spoke in it, monotonic."""
        self.with_owner = True
        """Or with a guest, who is told nothing of what is known."""
        self.wishes: Sequence[str] = ()
        """The newest standing rules, as memory gave them for this turn."""
        self.last_said = ""
        """What the box said last, in this conversation or an earlier one."""
        self.ledger = Ledger()
        """What was done, whichever conversation it was in: by the voice that spoke last."""
        self.voice: str | None = None
        """Whose voice spoke last; see ports.Talking."""
        self.begin()

    def begin(self) -> None:
        """Start a new one: nothing of the one before is left."""
        self.id = _new_id()
        self.person = self.client.person if self.client else ""
        """Who speaks, by the name they gave, or that of their token; empty where nobody gave one."""
        self.messages: list[Message] = []
        self.talked: list[Message] = []
        """The newest turns, as they are read where people only talk: what was said."""
        self.tainted = False
        """Text from outside the device stands in `messages`."""
        self.carried = Carried(deque(maxlen=self._results_kept))
        self.asked = False
        """The last turn ended in a question that it needs an answer to."""
        self.suspended: Turn | None = None
        """The turn that waits for what somebody else carries out."""
        self.answered = deque[str](maxlen=ANSWERED_KEPT)
        """Ids of the calls that were carried out elsewhere and have their result."""

    def add(self, messages: Sequence[Message], line: Message, said: str) -> None:
        """One turn, as the model read and wrote it. line: the user's, as it is read where people only talk."""
        self.messages += messages
        self.last_said = said or self.last_said
        if said:
            self.talked += [line, Message("assistant", f"say {said}")]
        if len(self.talked) > 2 * TALKED_MOST:  # half of it: what was dropped with each turn would be read anew
            del self.talked[:TALKED_MOST]

    def hand_over(self, voice: str | None) -> None:
        """Another voice speaks: nothing that was said to the one before is left, but for a step that waits."""
        pending, before = self.carried.pending, self.voice
        self.forget_words()
        self.id, self.ledger = _new_id(), Ledger()
        self.carried = Carried(deque(maxlen=self._results_kept), pending=pending)
        self.carried.asked_of = before or "" if pending and not pending.of_order else ""
        self.voice, self.last_said, self.wishes, self.asked = voice, "", (), self.asked and pending is not None
        if self.client is None:
            self.person = voice or ""

    def forget_words(self) -> None:
        """What was said so far is out of the model's sight; the conversation goes on."""
        self.messages.clear()
        self.talked.clear()
        self.tainted = False
        self.carried.results.clear()
        self.carried.answers, self.carried.world = [], ()
        self.suspended = None

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


def _new_id() -> str:
    return f"c-{secrets.token_hex(4)}"
