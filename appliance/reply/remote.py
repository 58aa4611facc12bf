"""The engine of a box that does not think itself: its own sentences are done here, all else is asked of a hub."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from typing import Any

from appliance.audio import Stale
from appliance.errors import CannotBeDone, HubFailed, explained
from appliance.ports import Followed, RemoteThought, Spoken
from appliance.records import Step, TurnRecord
from appliance.reply.dependencies import Dependencies
from appliance.reply.engine import Engine
from appliance.reply.in_time import in_time
from appliance.reply.plan import Call
from appliance.reply.turn import Done, Turn
from appliance.reply.understanding.fastlane import Match
from appliance.safety.redact import redact_value
from appliance.wording import said

log = logging.getLogger(__name__)


class NodeEngine(Engine):
    """Implements ports.Thinker."""

    def __init__(
        self, needs: Dependencies, hub: RemoteThought, local: Collection[str], again: Collection[str] = ()
    ) -> None:
        """local: names of the tools whose sentences are done here; those of others are too, while the hub is away.

        again: of those that are about what was done last, which count here after something was done here.
        """
        super().__init__(needs)
        self._hub, self._local, self._again = hub, frozenset(local), frozenset(again)
        self._away = False
        """The hub was just found to be away, with this line."""

    def warm_up(self) -> None:
        self._sentences.matches(self._needs.name)  # they are read when first needed

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None:
        if not heard and aloud:
            self._sentences.expect_speech()

    def _understood(self, heard: str, aloud: bool) -> list[Match]:
        found = super()._understood(heard, aloud)
        if self._away or self._hub.trouble:
            return found
        local = self._local | (self._again if self.conversation.carried.calls else frozenset())
        return found if all(each.intent in local for each in found) else []

    def _think(self, turn: Turn) -> None:
        """What no sentence of this box knows whole. Raises Cancelled."""
        language = self._needs.settings.words.language
        turn.record.lane = "hub"
        try:
            asks = self._hub.answer(
                turn.line.text,
                self.conversation.id,
                lambda text: _utter(turn, text),
                lambda name, arguments: self._run_here(name, arguments, turn),
                turn.stale,
            )
        except HubFailed as lost:
            log.warning("turn %d: %s", turn.record.turn, lost)
            if lost.untouched and self._alone(turn):
                return
            turn.record.outcome = "error"
            turn.say(lost.spoken(language))
        else:
            if asks:
                turn.record.outcome = "asked"

    def _close(self, turn: Turn) -> TurnRecord:
        record = super()._close(turn)
        if record.lane != "hub":
            kept = not turn.input.unkept
            self._hub.answered_here(self.conversation.id, record.heard if kept else "", record.said if kept else "")
        return record

    def _ended(self, turn: Turn) -> None:
        """Nothing of it is kept here: what was said is remembered on the hub."""

    def _alone(self, turn: Turn) -> bool:
        """Whether the line could be answered without the hub: by any sentence, or by a reviewed one."""
        self._away = True
        try:
            if self._take_sentence(turn.line.text, turn, turn.input.channel.aloud):
                turn.record.lane = "fast"
                return True
            self._know(turn)
            if self._loop.chosen(turn)[0].direct not in self._catalogue.reviewed:
                return False
            self._loop.run(turn)
            return True
        finally:
            self._away = False

    def _run_here(self, name: str, arguments: dict[str, Any], turn: Turn) -> str:
        """What a tool of this box answers, that the hub called. Raises ApplianceError."""
        tool, since_s = self._catalogue.all.get(name), time.monotonic()
        if tool is None or name not in self._local or not turn.tools.may_run(name):
            raise CannotBeDone(said("mcp_no_such", self._needs.settings.words.language))
        call = Call(name, redact_value(arguments, self._settings.region))
        step = Step(kind="tool", tool=name, arguments=call.arguments, effect=tool.effect, outcome="error")
        turn.done.append(done := Done(call, failed=True))
        try:
            with explained(lambda error: CannotBeDone(self._broken(error)), log):
                gave, done.reversals = in_time(tool, call.arguments, self._settings.tool_timeout_s)
            done.gave, done.failed, done.spoken = gave.strip(), False, isinstance(gave, Spoken)
            step.outcome = "ok"
        finally:
            turn.took(step, since_s)
        if isinstance(gave, Followed):
            return f"{gave} {self._run_here(gave.tool, gave.arguments, turn)}"
        return gave

    def _broken(self, error: Exception) -> str:
        return self._phrases.late if isinstance(error, TimeoutError) else self._phrases.broke


def _utter(turn: Turn, text: str) -> None:
    turn.words += text
    turn.utter(text)
