"""What one turn gathers on its way from the line heard to the answer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from appliance.audio import Stale
from appliance.ports import Message, Mouth, Tool, Usage
from appliance.records import MemoryUse, ModelUse, Outcome, Step, TurnRecord
from appliance.reply import prompt
from appliance.reply.budget import Budget
from appliance.reply.channels import Channel
from appliance.reply.conversation import Carried, Pending
from appliance.reply.plan import Call
from appliance.reply.understanding.conditions import Conditional
from appliance.reply.understanding.corrections import KEEPERS
from appliance.reply.understanding.line import LOOKUP
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.signs import Signs
from appliance.reply.understanding.tool_signs import RECKONERS
from appliance.safety.guard import Guard

ELLIPTIC_WORDS = 5
"""Of a line that only goes on with the one before; a judgement."""
ACT = "act"
"""To call any tool that changes something."""


@dataclass(frozen=True)
class Verdict:
    """Whether it is so what an order hangs on."""

    condition: Conditional
    met: bool
    calls: int
    """Those that were run until then."""


@dataclass
class Work:
    record: TurnRecord
    channel: Channel
    mouth: Mouth
    stale: Stale
    budget: Budget
    speaker: str = ""
    heard: str = ""
    """The line, or the part of it that the model is about to read."""
    before: str = ""
    """What the box said last in this conversation."""
    known: list[Message] = field(default_factory=list)
    """What stands before the conversation in this turn, whatever a step of it changes."""
    beside: str = ""
    """The facts that stand beside the line."""
    lately: Sequence[str] = ()
    """What tools gave last, in an earlier turn."""
    background: list[str] = field(default_factory=list)
    """What was said and known before this line, without anything from outside the device."""
    shortlist: list[Tool] = field(default_factory=list)
    """What the router adds to the tools in the head."""
    messages: list[Message] = field(default_factory=list)
    """The turn as the model reads and writes it, beginning with the user's line."""
    unread: list[str] = field(default_factory=list)
    """Results that the model has not read yet; while there are any the turn is not over."""
    waiting: list[Call] = field(default_factory=list)
    """Steps that need one of those results."""
    digests_end_s: float = 0
    """When the time is up that the digests of this turn share, on the monotonic clock; 0 before the first."""
    waited: bool = False
    """The model was asked to write such steps again, with what is known put in."""
    answers: list[str] = field(default_factory=list)
    """What was said aloud by others than the model; an empty one is a tool that answers with silence."""
    results: list[str] = field(default_factory=list)
    """What tools gave the model to read."""
    calls: list[Call] = field(default_factory=list)
    """Those that were run."""
    gave: list[str] = field(default_factory=list)
    """What each of them gave, as it was written; empty where it was nothing."""
    in_vain: list[Call] = field(default_factory=list)
    """Those of them that failed."""
    allowed: dict[str, None] = field(default_factory=dict)
    """Names of the tools that may run in this turn, in order."""
    role: str = ""
    searches: int = 0
    signs: Signs = field(default_factory=Signs)
    """What the words of the line speak for."""
    verdict: Verdict | None = None
    """Given in this turn."""
    talk: Message | None = None
    """The line as it is read where people only talk, while nothing else is done."""
    must: str = ""
    """What the next pass can only do: call the tool of this name, or ACT as a condition that is met asks for."""
    ready: Call | None = None
    """That call, where the words leave nothing of it to the model."""
    acquainted: bool = False
    """Somebody in the line stands in a stored fact."""
    changing: bool = False
    """The line tells that something is otherwise now than a stored fact says."""
    stands: str = ""
    """How what the line tells stands to now, where it asks for that alone: all that there is to say."""
    which_day: str = ""
    """The day of which it asks what day of the week it is."""
    answered: bool = False
    """A stored fact says all that is asked."""
    reckoned: bool = False
    """What was found was worked with: one part of the line was for the other."""
    settled: frozenset[str] = frozenset()
    """Tools that another part of the line called for, and that have run."""
    earlier: tuple[Call, ...] = ()
    """Calls of the turn before this one."""
    resumed: frozenset[str] = frozenset()
    """Tools of the turn that it takes up behind some talk."""
    heard_before: str = ""
    """The line before this one."""
    asked_before: tuple[Message, ...] = ()
    """What was asked of the world in the turn before, and what the model knew of it; empty where it was nothing."""
    told_of_the_world: tuple[Message, ...] = ()
    """The same of this turn."""
    completing: str = ""
    """The tool of the turn before that asked for what it lacked: a bare line answers it."""
    asking: str = ""
    """The tool of this turn that asked for what it lacks."""
    offered: frozenset[str] = frozenset()
    """Tools that the model could call in the newest pass."""
    awaited: frozenset[str] = frozenset()
    """See Carried."""
    tainted: bool = False
    """Text from outside the device has been read."""
    words: str = ""
    """What the model said so far."""
    guard: Guard | None = None
    """Watches the words that are being said."""
    agreed: Call | None = None
    """What the line begins with a yes to, before it goes on: the same call need not be asked about again."""
    asked: bool = False
    again: bool = False
    """What the model wrote last has been done already in this turn."""
    broken: bool = False
    """The answer is an apology."""
    pending: Pending | None = None
    usage: Usage = field(default_factory=Usage)
    passes: int = 0

    def carry(self, carried: Carried) -> None:
        """Leave what outlives the turn."""
        carried.failed, carried.answers, carried.pending = (
            frozenset(call.tool for call in self.in_vain),
            self.spoken,
            self.pending,
        )
        carried.follow(self.calls)
        secret = self.confidential or self.tainted or self.signs.words.unkept.search(self.record.heard)
        carried.asked_of_the_world = () if secret else self.told_of_the_world
        carried.asking, carried.heard = self.asking, "" if secret else self.record.heard
        carried.awaited = self.offered if self.asked else frozenset()
        carried.facts = () if any(call.tool in KEEPERS for call in self.calls) else prompt.facts_in(self.beside)
        carried.results.extend([*self.results, *self.spoken])

    def countable(self, tool: str) -> bool:
        """Whether a number or a length that the model writes for the tool can come from somewhere: the line, a result,
        or what the box said last where the line is certainly for reckoning, or goes on from some."""
        goes_on = tool in RECKONERS and not RECKONERS.isdisjoint(self.just_used | self.resumed)
        reckons = self.signs.tools.certain in RECKONERS or goes_on
        return bool(self.signs.quantity or self.results or (reckons and NUMBER.search(self.before)))

    @property
    def tellable(self) -> list[str]:
        """What a text may be made of that the user is asked about before it goes anywhere: this turn's results, and
        what the box said last where the line points to it."""
        words = self.signs.words
        points = words.passing_on.search(self.heard) or words.referring.search(self.heard)
        return [*self.results, *([self.before] if points else ())]

    @property
    def just_used(self) -> frozenset[str]:
        """Tools of the turn before this one."""
        return frozenset(call.tool for call in self.earlier)

    @property
    def asks_of_the_world(self) -> bool:
        """Whether it asks what is so in the world, or more of what was just asked of it, and of nobody known here."""
        more = bool(self.asked_before) and self.points and LOOKUP in self.signs.tools.meant
        return (self.signs.world.asked or more) and not self.acquainted

    @property
    def points(self) -> bool:
        """Whether it points to somebody or something that was named before."""
        words = self.signs.words
        return bool(words.pronouns.search(self.heard) or words.demonstratives.search(self.heard))

    @property
    def confidential(self) -> bool:
        """Whether the line asks that nothing of it be kept."""
        return self.signs.words.confidential.search(self.record.heard) is not None

    def awaits(self, tool: str) -> bool:
        """Whether an order waits for what this tool tells."""
        return self.signs.condition is not None and tool in self.signs.tools.finding

    @property
    def elliptic(self) -> bool:
        """Whether the line is a few words that go on with what the last turn's tools were asked."""
        return bool(self.just_used) and len(self.heard.split()) <= ELLIPTIC_WORDS and self.goes_on

    @property
    def goes_on(self) -> bool:
        """Whether it begins as what goes on with the line before."""
        return bool(self.signs.words.elliptic.match(self.heard))

    @property
    def spoke(self) -> bool:
        """Whether anything that can be heard was given to the mouth: a lone emoji or dash cannot."""
        return any(map(str.isalnum, self.words)) or any(self.answers)

    @property
    def uttered(self) -> tuple[int, int]:
        """How many answers, and characters that can be heard, there were so far."""
        return len(self.answers), sum(map(str.isalnum, self.words))

    @property
    def spoken(self) -> list[str]:
        """What the model has to be told of it with the next line."""
        return [answer for answer in self.answers if answer]

    @property
    def done(self) -> str:
        """All that was called, also without the model, and what tools said themselves."""
        calls = (Call(step.tool, step.arguments).text for step in self.record.steps if step.tool)
        return "\n".join([*calls, *self.spoken])

    def say(self, text: str) -> None:
        """A whole sentence that is not the model's."""
        self.answers.append(text)
        self.mouth.say(f"{text}\n")

    def say_once(self, text: str) -> None:
        """Likewise; what was said so in this turn already needs no word: two facts, one "I will remember that."."""
        self.say("" if text in self.answers else text)

    def tell(self, text: str) -> None:
        """A whole sentence as if the model had said it."""
        self.words += text
        self.mouth.say(f"{text}\n")
        self.record.steps.append(Step(kind="say"))
        self.messages.append(Message("assistant", f"say {text}"))

    def took(self, step: Step, since_s: float) -> None:
        step.ms = _ms(since_s)
        self.record.steps.append(step)
        if step.kind == "tool":
            self.record.ms.tools = (self.record.ms.tools or 0) + step.ms

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Adds what the block takes to the record's time of that stage."""
        since_s = time.monotonic()
        try:
            yield
        finally:
            setattr(self.record.ms, stage, (getattr(self.record.ms, stage) or 0) + _ms(since_s))

    def remembered(self) -> MemoryUse:
        self.record.memory = self.record.memory or MemoryUse()
        return self.record.memory

    def as_heard(self, said: str) -> list[Message]:
        """The turn's messages; of words that were cut off, only what was `said` aloud."""
        if not self.stale() or not self.words:
            return self.messages
        cut = self.messages[-1].role == "assistant"  # else it was still being written
        return [*(self.messages[:-1] if cut else self.messages), Message("assistant", f"say {said}")]

    def close(self, said: str) -> TurnRecord:
        """The record, with what the turn cost."""
        record, usage = self.record, self.usage
        record.said, record.outcome = said, self._outcome(said)
        record.model = ModelUse(
            calls=self.passes,
            prompt_tokens=usage.prompt_tokens,
            fresh_tokens=usage.fresh_tokens,
            generated_tokens=usage.generated_tokens,
        )
        if usage.first_token_s is not None:
            record.ms.first_token = max(0, round((usage.first_token_s - self.budget.started_s) * 1000))
        record.ms.total = _ms(self.budget.started_s)
        return record

    def _outcome(self, said: str) -> Outcome:
        if self.stale() or self.record.outcome == "stopped" or (self.answers and not said):
            return "stopped"
        if self.broken or not said:
            return "error"
        return "asked" if self.asked or said.rstrip().endswith("?") else "said"


def _ms(since_s: float) -> int:
    return round((time.monotonic() - since_s) * 1000)
