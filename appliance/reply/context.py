"""What the model reads before it writes: one of three heads, what is known of the user, the conversation, the turn.

The plan's head holds the tools and, for a model that was not taught them, examples. A line for which no tool is offered
is read behind a head for talk, a quarter as long; what it asks of the world at large, by the model as its makers left
it, behind one line of text (143 of 300 questions right behind the plan's head, 175 behind that one: bench.quiz,
2026-11-27).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache

from appliance.ports import Message, ModelFacts, Tool
from appliance.records import HeadName
from appliance.reply import prompt
from appliance.reply.channels import Channel
from appliance.reply.dependencies import Dependencies, NativeModel
from appliance.reply.line import Line
from appliance.reply.select import ASKED
from appliance.reply.turn import Known, Turn
from appliance.reply.understanding.relevance import shared
from appliance.settings import Reply

ELLIPTIC_WORDS = 5
"""Of a line that may go on with what a tool gave a turn ago, which is not read behind the other heads; a judgement."""


class Head(IntEnum):
    """What a prompt begins with, in the order in which they are pinned."""

    PLAN = 0
    TALK = 1
    WORLD = 2


HEAD_NAMES: dict[Head, HeadName] = {Head.PLAN: "plan", Head.TALK: "talk", Head.WORLD: "world"}
"""As the record of a turn has them."""


class Context:
    def __init__(self, needs: Dependencies, tools: Callable[[ModelFacts], Sequence[Tool]]) -> None:
        """tools: those that the plan's head shows to such a model."""
        self._needs, self._conversation, self._tools = needs, needs.conversation, tools
        self._heads_for = cache(self._made_for)

    @property
    def heads(self) -> dict[Head, list[Message]]:
        """Of the model that answers now."""
        return self._heads_for(self._needs.model.facts)

    @property
    def pinned(self) -> dict[Head, list[Message]]:
        """Of the model on board: a server keeps what it has read by itself."""
        model = self._needs.model
        return self._heads_for(model.on_board() if isinstance(model, NativeModel) else model.facts)

    def _made_for(self, facts: ModelFacts) -> dict[Head, list[Message]]:
        needs, reply = self._needs, self._needs.settings.reply
        usual = reply.roles[reply.usual_role].prompt if reply.usual_role else ""
        persona = prompt.persona(usual, {name: reply.roles[name].prompt for name in other_roles(reply)})
        shown = self._tools(facts)
        head = prompt.head(shown, needs.skills, needs.name, facts.small, facts.taught, needs.prompts, persona)
        heads = {Head.PLAN: head}
        if facts.small:  # no role is picked where one sentence is all that may be written
            heads[Head.TALK] = prompt.talk_head(needs.name, facts.taught, persona)
            heads[Head.WORLD] = prompt.world_head(prompt.persona(usual, {}))
        return heads

    def begun(self, profile: Sequence[Message], head: Head = Head.PLAN) -> list[Message]:
        """Everything before the turn. profile: what is known of the user, for whom the world is as for everybody."""
        before = {
            Head.PLAN: [*profile, *self._conversation.messages],
            Head.TALK: [*profile, *self._conversation.talked],
            Head.WORLD: [*self._conversation.carried.world],
        }
        return [*self.heads[head], *before[head]]

    def apart(self) -> list[Message]:
        """What is read before a text that is of no turn: for a small model the shortest head, so that what it has read
        behind the others stays read."""
        return self.heads.get(Head.WORLD, self.heads[Head.PLAN])

    def next(self, turn: Turn, head: Head) -> list[Message]:
        """The whole prompt of the next pass; behind the plan's head where the model has not that of `head`."""
        head = head if head in self.heads else Head.PLAN
        newest = turn.messages if head is Head.PLAN else [self.talk_line(turn, head)]
        told = [*_persona(turn.input.channel), *turn.known.profile]
        return [*self.begun(told, head), *newest]

    def expected(self, text: str, profile: Sequence[Message]) -> list[list[Message]]:
        """What the model would read if this were said now, behind each of the heads."""
        said, planned = Message("user", text), self.plan_line(Line(text, text), Known(), ())
        return [[*self.begun(profile, head), planned if head is Head.PLAN else said] for head in self.heads]

    def plan_line(
        self, line: Line, known: Known, shortlist: Sequence[Tool], speaker: str = "", background: str = ""
    ) -> Message:
        """The user's line with clock, place and what may matter to it.

        shortlist: tools beyond those in the head.  background: what a search of the memory gave.
        """
        needs, answers = self._needs, self._conversation.carried.answers
        beside = prompt.Beside(
            facts=known.facts,
            wishes=self._wishes(),
            running=[name for name in needs.running() if shared(name, line.text)],
            tools=shortlist,
            background=background,
        )
        return prompt.line(line.digits, needs.clock.now(), self._place, beside, answers, speaker)

    @property
    def _place(self) -> str:
        """Where the conversation takes place."""
        client = self._conversation.talk.client
        return ", ".join(filter(None, [client.room if client else "", self._needs.settings.place]))

    def talk_line(self, turn: Turn, head: Head = Head.TALK) -> Message:
        """The line without clock and place, as it is read where nothing is done."""
        if head is Head.WORLD:
            heard, found = turn.line.text, turn.excerpt
            text = prompt.instruction("excerpt", text=found.text, heard=heard) if found else heard
            return Message("user", text, turn_begins=True)
        beside = prompt.Beside(facts=turn.known.facts, wishes=self._wishes())
        return Message("user", f"{beside.text}{prompt.said_by(turn.line.text, turn.input.speaker)}", turn_begins=True)

    def head_for_words(self, turn: Turn) -> Head:
        """What a line is read behind for which no tool is offered."""
        goes_on = self._conversation.carried.used and len(turn.line.text.split()) <= ELLIPTIC_WORDS
        if not self._needs.model.facts.small or turn.known.facts or goes_on:
            return Head.PLAN
        return Head.WORLD if turn.line.world >= ASKED and not self._wishes() else Head.TALK

    def _wishes(self) -> Sequence[str]:
        """Standing rules beside the line: a small model heeds only what is near."""
        rules = self._conversation.with_owner and self._needs.model.facts.small
        return self._conversation.wishes if rules else ()


def _persona(channel: Channel) -> list[Message]:
    """How the model is to be there, where that is not as everywhere."""
    text = channel.persona or (prompt.instruction("guest") if channel.guest else "")
    return [Message("system", text)] if text else []


def other_roles(settings: Reply) -> tuple[str, ...]:
    """Those that the plan may pick instead of the usual one."""
    return tuple(name for name in settings.roles if name != settings.usual_role)
