"""What the model reads before it writes: one of two heads, what is known of the user, the conversation, the turn.

The plan's head has the tools and examples of all that the box does. What no tool is offered for, or is answered with
words alone (pen.py), is talk, and is read behind a head of its own, a quarter as long. Among tools, timers and refusals
a small model talks of those: 7 of 26 remarks it answered with a refusal, and none behind the other head (1.5B,
2026-11-24).
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.ports import Message, Tool
from appliance.thought import prompt
from appliance.thought.house import House
from appliance.thought.lines import Lines
from appliance.thought.work import Work


class Reading:
    def __init__(self, house: House, lines: Lines, tools: Sequence[Tool]) -> None:
        """tools: those in the plan's head."""
        self._lines, self._conversation, self._small = lines, house.conversation, house.model.facts.small
        roles = {name: role.prompt for name, role in house.settings.reply.roles.items()}
        taught = house.model.facts.taught
        self._head = prompt.head(tools, house.name, self._small, roles, taught)
        self._talk_head = prompt.talk_head(house.name, taught)

    @property
    def heads(self) -> list[list[Message]]:
        """What prompts begin with."""
        return [self._head, self._talk_head] if self._small else [self._head]

    def head(self, work: Work) -> list[Message]:
        """What the next prompt begins with."""
        return self._talk_head if work.talk else self._head

    def begun(self, known: Sequence[Message]) -> list[Message]:
        """Everything before the turn. known: of the user."""
        return [*self._head, *known, *self._conversation.messages]

    def begun_with(self, line: str, known: Sequence[Message]) -> list[list[Message]]:
        """What the model would read if this were said now, behind each of the `heads`."""
        planned = [*self.begun(known), self._lines.read(line, ())]
        return [planned, [*self._talk_begun(known), Message("user", line)]] if self._small else [planned]

    def next(self, work: Work) -> list[Message]:
        """The whole prompt of the next pass."""
        if work.talk:
            return [*self._talk_begun(work.known), work.talk]
        return [*self.begun(work.known), *work.messages]

    def talked(self, work: Work, offered: Sequence[Tool]) -> Message | None:
        """The line as it is read where people only talk; None where it may be more than that, and for a large model.

        offered: the tools that the model may call.
        """
        signs, heard = work.signs, work.heard
        remark, question = signs.chat or signs.bare, signs.asks or signs.words.views.search(heard)
        if not remark or (question and signs.words.situated.search(heard)):
            return None  # it may hang on clock and place, which are not read here
        tools = {tool.name for tool in offered} & signs.tools.known
        tools -= signs.tools.unlikely  # of those of the owner, and of the last turn, all are offered with any line
        more = tools or work.shortlist or work.must or work.calls or work.completing or signs.conditional
        if not self._small or more or self._goes_on(work):
            return None
        return self._lines.talked(heard, work.speaker, signs)

    def _talk_begun(self, known: Sequence[Message]) -> list[Message]:
        return [*self._talk_head, *known, *self._conversation.talked]

    def _goes_on(self, work: Work) -> bool:
        """Whether the line may go on with what a tool gave, which is not read where people only talk."""
        found = self._conversation.carried.used or self._conversation.tainted
        return bool(work.awaited) or (bool(found) and (work.elliptic or not work.signs.chat))
