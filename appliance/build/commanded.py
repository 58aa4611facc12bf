"""What was commanded in writing, carried out with the very tools that the voice has; in a service between two turns."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

from appliance.arguments import KEPT
from appliance.build import beside, portable
from appliance.build.start import Start
from appliance.errors import BadArgument, CannotBeDone, OtherState, StoreUnusable, TurnFailed, WrongUse, explained
from appliance.ports import Answer, Command, TakenBack, Tool
from appliance.service.turn import SpokenTurns

log = logging.getLogger(__name__)


class Commanded(Start):
    _turned: SpokenTurns | None = None
    """Those of a service; None where none runs in this process."""

    def carry_out(self, command: Command, may_act: bool) -> Answer:
        """A `CarryOut`: what it answers is on disk, or it says that it is not."""
        from appliance.skills import verbs

        if Path(command.state) != self.settings.state.absolute():
            raise OtherState("the service has another state folder", remedy=f"its own is {self.settings.state}")
        if command.skill in KEPT and not command.words:
            return beside.kept_in(self._store, command.skill, self.clock.now())
        if (command.skill, *command.words[:1]) == (portable.SKILL, portable.IMPORT):
            self._may_change(may_act)
            name = " ".join(command.words[1:])
            return self._between_turns(lambda: self._take_in(name))
        tool, arguments = verbs.read(self.skills, command.skill, command.words)
        if tool.effect != "read":
            self._may_change(may_act)
        return self._between_turns(lambda: self._run(tool, arguments, command.yes))

    def _may_change(self, may_act: bool) -> None:
        """Raises WrongUse for whoever may not change anything, StoreUnusable where nothing would be kept."""
        if not may_act:
            what = "only root and the service's user may change anything"
            raise WrongUse(what, remedy="run it as root: sudo appliance")
        if self._turned is None and not self._store.on_file:
            raise StoreUnusable("the memory's file cannot be used; nothing was done", remedy="run: appliance doctor")

    def _take_in(self, name: str) -> Answer:
        """What an export holds, from a file in the state folder. Raises ApplianceError."""
        self._store.unsaved()  # what went before is not of this command
        answer = portable.take_in(self.memory, self.settings.state, name, self.settings.reply.region)
        return answer.model_copy(update={"said": " ".join(filter(None, [answer.said, self._store.unsaved()]))})

    def _between_turns(self, work: Callable[[], Answer]) -> Answer:
        """Raises ApplianceError; where the turn takes too long, or the service ends, nothing was done."""
        if self._turned is None:
            return work()
        ends = TurnFailed("the service is ending; nothing was done", remedy="try again in a moment")
        try:
            future = self._turned.between(work)
        except RuntimeError:
            raise ends from None
        try:
            return future.result(self.settings.thought.deadline_s)
        except CancelledError:
            raise ends from None
        except TimeoutError:
            if future.cancel():
                what = "the service is busy with a turn; nothing was done"
                raise TurnFailed(what, remedy="try again in a moment") from None
        return future.result()  # it had just begun, and no tool takes long

    def _run(self, tool: Tool, arguments: dict[str, Any], yes: bool) -> Answer:
        """Raises ApplianceError."""
        from appliance.reply.in_time import in_time
        from appliance.reply.ledger import Deed
        from appliance.reply.plan import Call
        from appliance.safety.redact import redact_value

        arguments = redact_value(arguments, self.settings.reply.region)
        self.conversation.take_up_own()
        self.conversation.lift()
        self._store.unsaved()  # what went before is not of this command
        with explained(_outcome, log):
            try:
                if tool.effect == "irreversible" and not yes and (question := tool.question(arguments)):
                    raise WrongUse(question.rstrip(".!?"), remedy="if so, add --yes")
                said, reversals = in_time(tool, arguments, self.settings.reply.tool_timeout_s)
            except (BadArgument, CannotBeDone) as error:
                raise _outcome(error) from None
        if tool.effect != "read" and not isinstance(said, TakenBack):
            call = Call(tool.name, arguments)
            self.conversation.ledger.add(Deed((call,), said, reversals, whole=bool(reversals)))
        if tool.memory == "forget":
            self.conversation.forget_words()  # or the model would read it again in what was said before
        return Answer(said=" ".join(filter(None, [said, self._store.unsaved()])), tool=tool.name, arguments=arguments)


def _outcome(error: Exception) -> WrongUse | TurnFailed:
    """Of what a tool raised, in the one line that a terminal shows."""
    if isinstance(error, BadArgument):
        return WrongUse(error.what.rstrip(".!?"), remedy=error.remedy)
    if isinstance(error, CannotBeDone):
        return TurnFailed(error.what.rstrip(".!?"), remedy=error.remedy)
    if isinstance(error, TimeoutError):
        return TurnFailed("the tool did not answer in time", remedy="look whether it was done, and try again")
    return TurnFailed(f"the tool broke ({type(error).__name__})", remedy="see the log")
