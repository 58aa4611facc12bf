"""One turn: what it begins with, and what it has come to so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from appliance.audio import Stale
from appliance.ports import Elsewhere, Excerpt, Message, Mouth, Reversal, Usage
from appliance.records import Branch, MemoryUse, ModelUse, Outcome, Step, TurnRecord
from appliance.reply.budget import Budget
from appliance.reply.channels import Channel
from appliance.reply.ledger import Deed
from appliance.reply.line import Line
from appliance.reply.plan import Call
from appliance.reply.talk import Carried, Pending
from appliance.reply.toolset import Toolset


@dataclass(frozen=True)
class TurnInput:
    line: Line
    channel: Channel
    speaker: str = ""
    """A guest's name; empty for the owner."""
    before: str = ""
    """What the box said last in this conversation."""
    heard_before: str = ""
    """What the user said last in it; empty where that was not to be kept."""
    confidential: bool = False
    """The whole line, of which `line` may be one request, asks that nothing of it be kept."""
    private: bool = False
    """Nothing of what is said may be kept, whatever the line."""

    @property
    def unkept(self) -> bool:
        return self.confidential or self.private


@dataclass(frozen=True)
class Known:
    """What the turn is told from memory, whatever a step of it changes."""

    profile: tuple[Message, ...] = ()
    facts: tuple[str, ...] = ()
    """Those that stand beside the line."""
    withheld: str = ""
    """Whose the fact nearest to the line is, where it may not be told to whoever speaks."""


@dataclass
class Done:
    """A call that ran."""

    call: Call
    gave: str = ""
    """Its answer as the model reads it, or as it was spoken; empty where there was none."""
    spoken: bool = False
    """The answer was said as it is."""
    failed: bool = False
    private: bool = False
    """Its answer came out of the memory."""
    takes_back: bool = False
    """It took back what an earlier turn did."""
    reversals: Sequence[Reversal] = ()
    """What takes back what it did, in the order in which it was done."""


@dataclass(frozen=True)
class Away:
    """A call that is being carried out elsewhere."""

    call: Elsewhere
    done: Done
    step: Step
    since_s: float
    """Monotonic."""


@dataclass
class Turn:
    input: TurnInput
    record: TurnRecord
    mouth: Mouth
    stale: Stale
    budget: Budget
    tools: Toolset
    known: Known = Known()
    messages: list[Message] = field(default_factory=list)
    """The turn as the model reads and writes it, beginning with the user's line."""
    unread: list[str] = field(default_factory=list)
    """Results that the model has not read yet; while there are any the turn is not over."""
    done: list[Done] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """Whole sentences that were said by others than the model; an empty one is a tool that answers with silence."""
    words: str = ""
    """What the model said so far."""
    tainted: bool = False
    """Text from outside the device has been read."""
    excerpt: Excerpt | None = None
    """What is read beside a question of the world, once the model was not sure of its answer."""
    away: dict[str, Away] = field(default_factory=dict)
    """By id, the calls whose results are brought by somebody else; while there are any the model is not asked."""
    later: list[Line] = field(default_factory=list)
    """Requests of the line that come after the one that the turn is at."""
    before: tuple[int, int] = (0, 0)
    """What was `uttered` before the steps that it rests after."""
    rounds: int = 0
    """How often it has come to rest, with calls that were new then."""
    told: list[str] = field(default_factory=list)
    """What was said aloud each time before it rested."""
    said_now: str = ""
    """What was said aloud since it last rested, once that is out."""
    pending: Pending | None = None
    """The step that waits for a yes or for an argument."""
    usage: Usage = field(default_factory=Usage)
    began: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    """When, with its zone."""

    @property
    def line(self) -> Line:
        return self.input.line

    @property
    def calls(self) -> list[Call]:
        return [each.call for each in self.done]

    @property
    def results(self) -> list[str]:
        """What tools gave the model to read."""
        return [each.gave for each in self.done if each.gave and not each.spoken]

    @property
    def memories(self) -> list[str]:
        """Those of them that came out of the memory."""
        return [each.gave for each in self.done if each.private]

    @property
    def spoken(self) -> list[str]:
        """Sentences of tools, which the model has to be told of with the next line."""
        return [answer for answer in self.answers if answer]

    @property
    def uttered(self) -> tuple[int, int]:
        """How many answers, and characters that can be heard, there were so far."""
        return len(self.answers), sum(map(str.isalnum, self.words))

    def utter(self, text: str) -> None:
        """Any text, of anybody's."""
        self.mouth.say(text)
        if self.input.channel.aloud:
            self.budget.speaks(len(text))

    def say(self, text: str) -> None:
        """A whole sentence that is not the model's."""
        self.answers.append(text)
        self.utter(f"{text}\n")

    def say_once(self, text: str) -> None:
        """Likewise, unless it was said in this turn already."""
        self.say("" if text in self.answers else text)

    def took(self, step: Step, since_s: float) -> None:
        """Add a step that began at `since_s`, monotonic."""
        step.ms = elapsed_ms(since_s)
        self.record.steps.append(step)
        if step.kind == "tool":
            self.record.ms.tools = (self.record.ms.tools or 0) + step.ms

    def took_branch(self, name: Branch) -> None:
        """Note a way that it takes, which nothing else in the record tells."""
        self.record.branches.append(name)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Adds what the block takes to the record's time of that stage."""
        since_s = time.monotonic()
        try:
            yield
        finally:
            setattr(self.record.ms, stage, (getattr(self.record.ms, stage) or 0) + elapsed_ms(since_s))

    def remembered(self) -> MemoryUse:
        self.record.memory = self.record.memory or MemoryUse()
        return self.record.memory

    @property
    def asks(self) -> bool:
        """Whether it cannot go on without an answer; a question out of politeness is none."""
        return self.pending is not None or self.record.outcome == "asked"

    def rest(self) -> None:
        """Until the results are there that others bring."""
        self.said_now = self.mouth.finish()
        self.told.append(self.said_now)
        self.record.ms.first_token = self._first_token_ms()
        self.budget.rest()

    def go_on(self, mouth: Mouth, stale: Stale) -> None:
        """They are there; for whoever brought them."""
        self.mouth, self.stale = mouth, stale
        self.budget.go_on()

    def finish(self) -> str:
        """All that was said aloud, once everything is out."""
        self.said_now = self.mouth.finish()
        return " ".join(filter(None, [*self.told, self.said_now]))

    def deed(self, said: str, acts: Callable[[Call], bool]) -> Deed | None:
        """What it did, if anything.  said: aloud, in all.  acts: whether a call does more than read."""
        did = [each for each in self.done if acts(each.call) and not (each.failed or each.takes_back)]
        if not did:
            return None
        told = " ".join(each.gave for each in did if each.spoken) or said
        reversals = [reversal for each in did for reversal in each.reversals]
        return Deed(tuple(each.call for each in did), told, reversals, whole=all(each.reversals for each in did))

    def leave(self, carried: Carried) -> None:
        """What outlives it."""
        secret, asked = self.input.unkept or self.tainted, self.record.outcome == "asked"
        carried.failed = frozenset(each.call.tool for each in self.done if each.failed)
        carried.answers, carried.pending = self.spoken, self.pending
        carried.calls = tuple(self.calls)
        carried.heard = "" if secret else self.record.heard
        carried.awaited = (self.tools.offered | carried.used) if asked else frozenset()
        carried.results.extend([*self.results, *self.spoken])

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
            calls=record.model.calls,
            prompt_tokens=usage.prompt_tokens,
            fresh_tokens=usage.fresh_tokens,
            generated_tokens=usage.generated_tokens,
        )
        record.ms.first_token = self._first_token_ms()
        record.ms.total = elapsed_ms(self.budget.started_s)
        return record

    def _first_token_ms(self) -> int | None:
        """As it was found when the turn first rested."""
        if self.record.ms.first_token is not None or self.usage.first_token_s is None:
            return self.record.ms.first_token
        return max(0, round((self.usage.first_token_s - self.budget.started_s) * 1000))

    def _outcome(self, said: str) -> Outcome:
        if self.stale() or self.record.outcome == "stopped" or (self.answers and not said):
            return "stopped"
        if self.record.outcome == "error" or not said:
            return "error"
        return "asked" if self.pending or self.record.outcome == "asked" or said.rstrip().endswith("?") else "said"


def elapsed_ms(since_s: float) -> int:
    return round((time.monotonic() - since_s) * 1000)
