"""One turn, start to end: the line heard -> a plan -> its steps -> what is said, and the record of it all."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from appliance.audio import Stale
from appliance.errors import ApplianceError, BadArgument, Cancelled, PromptTooLong, ToolError, WrongUse
from appliance.ports import Clock, LanguageModel, Message, Mouth, Tool, Usage
from appliance.records import ModelUse, Outcome, Step, TurnRecord
from appliance.settings import Thought
from appliance.thought import prompt
from appliance.thought.conversation import Conversation
from appliance.thought.grammar import SAY, compile_grammar
from appliance.thought.plan import Call, Plan, parse

log = logging.getLogger(__name__)

NO_ANSWER = "Sorry, I have no answer to that."
"""Silence is never an outcome of a turn."""
TOOL_BROKE = "Sorry, that did not work."


SENTENCE_END = re.compile(r"[.!?…]['\")]?\s")
"""Where words to say may be cut."""


@dataclass
class _Turn:
    """What one turn gathers on its way."""

    record: TurnRecord
    user: Message
    mouth: Mouth
    stale: Stale
    started_s: float
    usage: Usage = field(default_factory=Usage)
    written: str = ""
    answers: list[str] = field(default_factory=list)

    def ms(self, since_s: float | None = None) -> int:
        return round((time.monotonic() - (self.started_s if since_s is None else since_s)) * 1000)


class Engine:
    def __init__(
        self,
        model: LanguageModel,
        tools: Sequence[Tool],
        settings: Thought,
        conversation: Conversation,
        clock: Clock,
        name: str,
        place: str,
    ) -> None:
        self._model, self._settings, self._clock, self._place = model, settings, clock, place
        self._tools = {tool.name: tool for tool in tools}
        self._grammar = compile_grammar(tools, settings.steps_max)
        self._head = prompt.head(tools, name)
        self.conversation = conversation

    def warm_up(self) -> None:
        """Have the model read the part of the prompt that never changes."""
        self._model.pin(self._head)

    def expect(self, stale: Stale) -> None:
        """Have the model read all but the words that are about to be said: 0.2 s that nobody then waits for."""
        self.conversation.resume(self._clock.monotonic())
        begun = [*self._head, *self.conversation.messages]
        one, other = ([*begun, self._line(word)] for word in ("a", "0"))
        self._model.expect(one, other, stale)

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale) -> TurnRecord:
        """Answer `heard` into `mouth`. Raises WrongUse for a line too long, ApplianceError when the model fails."""
        self._check_length(heard)
        self.conversation.resume(self._clock.monotonic())
        now = _Turn(
            TurnRecord(turn=turn, conversation=self.conversation.id, channel=channel, heard=heard, lane="plan"),
            self._line(heard),
            mouth,
            stale,
            time.monotonic(),
        )
        try:
            plan = self._think(now)
            self._run(plan, now)
        except Cancelled:
            now.record.outcome = "stopped"
        return self._finish(now)

    def _line(self, heard: str) -> Message:
        return prompt.line(heard, self._clock.now(), self._place, self.conversation.answers)

    def _check_length(self, heard: str) -> None:
        if len(heard) > self._settings.question_max_chars:
            raise WrongUse(
                f"the text has {len(heard):,} characters, a turn takes {self._settings.question_max_chars:,}",
                remedy="shorten it",
            )

    def _think(self, now: _Turn) -> Plan:
        """One constrained pass. Words to say go to the mouth while the rest is written."""
        while True:
            try:
                self._write(now)
                break
            except PromptTooLong:
                if not self.conversation.forget_older_half():
                    raise
        now.record.ms.plan = now.ms()
        return parse(now.written)

    def _write(self, now: _Turn) -> None:
        messages, limit = [*self._head, *self.conversation.messages, now.user], self._settings.reply_tokens
        for piece in self._model.generate(messages, self._grammar, limit, now.usage, now.stale):
            self._pass_on(piece, now)
            if len(SENTENCE_END.findall(now.written)) >= self._settings.sentences_max:
                return

    def _pass_on(self, piece: str, now: _Turn) -> None:
        said = len(now.written.removeprefix(SAY)) if now.written.startswith(SAY) else 0
        now.written += piece
        if now.written.startswith(SAY):
            now.mouth.say(now.written.removeprefix(SAY)[said:])

    def _run(self, plan: Plan, now: _Turn) -> None:
        if plan.say:
            now.record.steps.append(Step(kind="say"))
        for call in plan.calls:
            if now.stale():
                raise Cancelled
            self._take_step(call, now)
        if not plan.say and not plan.calls:
            now.mouth.say(NO_ANSWER)
            now.record.outcome = "error"

    def _take_step(self, call: Call, now: _Turn) -> None:
        started_s = time.monotonic()
        step = Step(kind="tool", tool=call.tool, arguments=call.arguments)
        try:
            answer = self._tools[call.tool].call(call.arguments)
        except ToolError as error:
            answer, step.outcome = error.what, "error"
            now.record.outcome = "asked" if isinstance(error, BadArgument) else now.record.outcome
        except ApplianceError as error:
            log.error("tool %s: %s", call.tool, error)
            answer, step.outcome = error.spoken, "error"
        except Exception:  # a tool is the owner's own code as well: whatever it raises must not take the turn along
            log.exception("tool %s", call.tool)
            answer, step.outcome = TOOL_BROKE, "error"
        step.ms = now.ms(started_s)
        now.record.steps.append(step)
        now.record.ms.tools = (now.record.ms.tools or 0) + step.ms
        now.answers.append(answer)
        now.mouth.say(answer + "\n")

    def _finish(self, now: _Turn) -> TurnRecord:
        record, said = now.record, now.mouth.finish()
        record.said = said
        if now.stale() or (now.answers and not said):
            record.outcome = "stopped"
        elif record.outcome == "silent":
            record.outcome = _outcome(said)
        if said or now.answers:
            written = now.written.strip() if now.answers else SAY + said
            self.conversation.add(now.user, Message("assistant", written), said, now.answers)
        record.model = ModelUse(
            calls=1,
            prompt_tokens=now.usage.prompt_tokens,
            fresh_tokens=now.usage.fresh_tokens,
            generated_tokens=now.usage.generated_tokens,
        )
        if now.usage.first_token_s is not None:
            record.ms.first_token = round((now.usage.first_token_s - now.started_s) * 1000)
        record.ms.total = now.ms()
        return record


def _outcome(said: str) -> Outcome:
    if not said:
        return "silent"
    return "asked" if said.rstrip().endswith("?") else "said"
