"""One line, taken to the hub and back: its answer is said, tools of this box are run as it calls them, its questions
are asked, and the next line answers them."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from appliance.audio import Stale
from appliance.errors import ApplianceError, BadArgument, Cancelled, HubFailed
from appliance.node.link import HubLink, Say, failed
from appliance.node.results import format_tool_error, format_tool_result
from appliance.ports import RunTool
from appliance.ports.command_api import (
    EARLIER_CHARS,
    EARLIER_MOST,
    CommandResult,
    Earlier,
    ToolCall,
    ToolResult,
)
from appliance.ports.hub import ROUNDS_MOST

log = logging.getLogger(__name__)

BEGIN_ANEW = ("no_talk", "out_of_step")
"""Why a line is taken to a conversation begun anew: the hub has let go of it, as when it was started again."""
STARTING = "starting"
"""Nobody has looked yet whether it is there: it is asked all the same."""


class Commanding:
    """Implements ports.RemoteThought. For the thread that thinks."""

    def __init__(self, link: HubLink, tools: Sequence[dict[str, Any]], patience_s: float) -> None:
        """tools: OpenAI's function schemas of what may be called here.  patience_s: for one line, with its tools."""
        self._link, self._tools, self._patience_s = link, [*tools], patience_s
        self._talk = ""
        """The conversation here that the hub's belongs to."""
        self._conversation = ""
        """The hub's; empty where none is begun."""
        self._asked = False
        """The hub waits for an answer to its question."""
        self._earlier = deque[tuple[str, Earlier]](maxlen=EARLIER_MOST)
        """What was answered here and the hub does not know yet, with the conversation it was in."""

    @property
    def trouble(self) -> str:
        return self._link.trouble

    def answer(self, line: str, talk: str, say: Say, run: RunTool, stale: Stale) -> bool:
        """See ports.RemoteThought; `process_voice_command` of other clients of this API."""
        if (why := self._link.trouble) and why != STARTING:
            raise failed(why, f"the hub cannot be asked ({why})")
        if talk != self._talk:
            self._talk, self._conversation, self._asked = talk, "", False
        turn = _Turn(self._link, time.monotonic() + self._patience_s, say, stale)
        try:
            result = self._go_on(self._begun(line, turn), turn, run)
        except HubFailed as lost:
            self._asked = False
            lost.untouched = lost.untouched and not turn.answered
            if not lost.untouched:
                self._earlier.clear()
            raise
        except Cancelled:
            self._asked = False
            self._earlier.clear()
            raise
        self._earlier.clear()
        self._asked = result.stop_reason == "validation_required"
        if self._asked and result.validation_request and not turn.said.endswith(result.validation_request.question):
            turn.say(result.validation_request.question)
        return self._asked

    def answered_here(self, talk: str, heard: str, said: str) -> None:
        """See ports.RemoteThought."""
        self._asked = False
        if heard and said:
            self._earlier.append((talk, Earlier(heard=heard[:EARLIER_CHARS], said=said[:EARLIER_CHARS])))

    def _begun(self, line: str, turn: _Turn) -> CommandResult:
        """What the hub makes of the line; in a new conversation where it has let go of the one before."""
        known = bool(self._conversation)
        try:
            return self._sent(line, turn)
        except HubFailed as lost:
            if not known or lost.why not in BEGIN_ANEW or not lost.untouched:
                raise
            log.info("the conversation with the hub is begun anew: %s", lost.what)
            self._conversation, self._asked = "", False
            return self._sent(line, turn)

    def _sent(self, line: str, turn: _Turn) -> CommandResult:
        if not self._conversation:
            begun = f"{uuid4()}"
            turn.link.ask("start", turn.ends_s, turn.say, turn.stale, conversation=begun, tools=self._tools)
            self._conversation = begun
        if self._asked:
            return turn.ask("answer", self._conversation, text=line)
        earlier = [each.model_dump() for talk, each in self._earlier if talk == self._talk]
        return turn.ask("command", self._conversation, text=line, earlier=earlier)

    def _go_on(self, result: CommandResult, turn: _Turn, run: RunTool) -> CommandResult:
        """Until it calls no more tools."""
        for _ in range(ROUNDS_MOST):
            if result.stop_reason != "tool_calls":
                return result
            results = [_run(each, run, turn.stale) for each in result.tool_calls or []]
            told = [each.model_dump(mode="json") for each in results]
            result = turn.ask("results", self._conversation, results=told)
        if result.stop_reason == "tool_calls":
            raise failed("failed", f"the hub called tools more than {ROUNDS_MOST} times for one line")
        return result


class _Turn:
    """What one line has come to."""

    def __init__(self, link: HubLink, ends_s: float, say: Say, stale: Stale) -> None:
        self.link, self.ends_s, self._say, self.stale = link, ends_s, say, stale
        self.said = ""
        self.answered = False
        """The hub has begun with it, and may have had something done."""

    def say(self, clause: str) -> None:
        if clause := clause.strip():
            self.said = f"{self.said} {clause}".lstrip()
            self._say(f"{clause} ")

    def ask(self, what: str, conversation: str, **arguments: Any) -> CommandResult:
        given = self.link.ask(what, self.ends_s, self.say, self.stale, conversation=conversation, **arguments)
        self.answered = True
        return CommandResult.model_validate(given)


def _run(call: ToolCall, run: RunTool, stale: Stale) -> ToolResult:
    """Raises Cancelled."""
    if stale():
        raise Cancelled
    arguments = call.function.values
    try:
        if arguments is None:
            raise BadArgument("the arguments are no JSON object", remedy="write them as one")
        return format_tool_result(call.id, run(call.function.name, arguments))
    except Cancelled:
        raise
    except ApplianceError as error:
        return format_tool_error(call.id, error)
