"""What the model reads before it writes: one of three heads, what is known of the user, the conversation, the turn.

The plan's head has the tools and examples of all that the box does. What no tool is offered for, or is answered with
words alone (pen.py), is talk, and is read behind a head of its own, a quarter as long. Among tools, timers and refusals
a small model talks of those: 7 of 26 remarks it answered with a refusal, and none behind the other head (1.5B,
2026-11-24). And what is so in the world at large is asked of the model as its makers left it, behind a line of text: as
it is taught and told of all else, it was right in 143 of 300 questions, and is in 175 so (bench/quiz, 2026-11-27).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from appliance.ports import Message, Tool
from appliance.reply import prompt
from appliance.reply.house import House
from appliance.reply.lines import Lines
from appliance.reply.understanding.corrections import RECALL
from appliance.reply.understanding.line import LOOKUP
from appliance.reply.work import Work


class Head(IntEnum):
    """What a prompt begins with, in the order in which they are pinned."""

    PLAN = 0
    TALK = 1
    WORLD = 2


class Reading:
    def __init__(self, house: House, lines: Lines, tools: Sequence[Tool]) -> None:
        """tools: those in the plan's head."""
        self._lines, self._conversation, self._small = lines, house.conversation, house.model.facts.small
        roles = {name: role.prompt for name, role in house.settings.reply.roles.items()}
        taught = house.model.facts.taught
        planning = prompt.head(tools, house.name, self._small, roles, taught)
        self._heads = {
            Head.PLAN: planning,
            **(
                {Head.TALK: prompt.talk_head(house.name, taught), Head.WORLD: prompt.world_head()}
                if self._small
                else {}
            ),
        }

    @property
    def heads(self) -> list[list[Message]]:
        """What prompts begin with."""
        return list(self._heads.values())

    def behind(self, work: Work) -> Head:
        """What the next prompt begins with."""
        if not work.talk:
            return Head.PLAN
        return Head.WORLD if work.asks_of_the_world else Head.TALK

    def head(self, work: Work) -> list[Message]:
        return self._heads[self.behind(work)]

    def begun_with(self, line: str, known: Sequence[Message]) -> list[list[Message]]:
        """What the model would read if this were said now, behind each of the `heads`."""
        said = Message("user", line)
        newest = {head: self._lines.read(line, ()) if head is Head.PLAN else said for head in self._heads}
        return [[*self.begun(known, head), newest[head]] for head in self._heads]

    def next(self, work: Work) -> list[Message]:
        """The whole prompt of the next pass."""
        head, newest = self.behind(work), [work.talk] if work.talk else work.messages
        before = work.asked_before if head is Head.WORLD and work.points else ()
        return [*self.begun(work.known, head), *before, *newest]

    def begun(self, known: Sequence[Message], head: Head = Head.PLAN) -> list[Message]:
        """Everything before the turn. known: of the user, for whom the world is the same as for everybody."""
        conversation = self._conversation
        before = {
            Head.PLAN: [*known, *conversation.messages],
            Head.TALK: [*known, *conversation.talked],
            Head.WORLD: [],
        }
        return [*self._heads[head], *before[head]]

    def talked(self, work: Work, offered: Sequence[Tool]) -> Message | None:
        """The line as it is read where people only talk, or ask of the world; None where it may be more than that, and
        for a large model.

        offered: the tools that the model may call.
        """
        signs, heard = work.signs, work.heard
        question = signs.asks or signs.words.views.search(heard)
        if question and signs.words.situated.search(heard):
            return None  # it may hang on clock and place, which are not read here
        tools = {tool.name for tool in offered} & signs.tools.known
        tools -= signs.tools.unlikely  # of those of the owner, and of the last turn, all are offered with any line
        if not self._small or work.must or work.completing or signs.conditional or self._goes_on(work):
            return None
        if work.asks_of_the_world:
            tools &= (signs.tools.meant - {RECALL}) | {LOOKUP}  # what is remembered of it would stand beside the line
            return None if tools else self._lines.asked_of_the_world(heard, signs)
        if tools or work.shortlist or work.calls or not (signs.chat or signs.bare):
            return None
        return self._lines.talked(heard, work.speaker, signs)

    def _goes_on(self, work: Work) -> bool:
        """Whether the line may go on with what a tool gave, which is not read where people only talk."""
        if work.awaited:
            return True
        carried, points = self._conversation.carried, work.asks_of_the_world and work.points
        found = carried.used or self._conversation.tainted or work.calls or (carried.topic if points else ())
        own = work.signs.chat or (work.asks_of_the_world and not points)
        return bool(found) and (work.elliptic or not own)
