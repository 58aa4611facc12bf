"""Putting an order off, listing and cancelling those that wait, in the words of a conversation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, timedelta
from typing import Annotated

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.ports import Clock, Spoken
from appliance.skills.due import Due
from appliance.skills.entry_tools import EntryTools
from appliance.skills.entry_words import EntryWords
from appliance.skills.schedule import Schedule

What = Annotated[str, Field(max_length=200, description="as said, without the time")]
When = Annotated[str, Field(max_length=120, description="as said", json_schema_extra={"when": True})]
Which = Annotated[str, Field(max_length=80, description="as said, or all")]
Length = Annotated[float, Field(ge=0, le=600)]


class LaterTools(EntryTools):
    def __init__(
        self, schedule: Schedule, clock: Clock, words: EntryWords, may_wait: Callable[[str], bool], language: str
    ) -> None:
        """may_wait: see SkillContext.  language: in which orders are given; the words for when may be in another."""
        super().__init__(schedule, clock, words)
        self._may_wait, self._language = may_wait, language

    def do_later(self, order: What, when: When) -> Spoken:
        """Carry out an order at a later time, instead of now."""
        order = self._checked(order)
        due = self._words.read(when).due
        if due.rule:
            raise CannotBeDone(self._words.say("only_once"))
        return self._put_off(order, due, when)

    def do_after(self, order: What, hours: Length = 0, minutes: Length = 0, seconds: Length = 0) -> Spoken:
        """Carry out an order once so much time has passed."""
        length = timedelta(hours=hours, minutes=minutes, seconds=seconds)
        return self._put_off(self._checked(order), Due(self._clock.now().astimezone(UTC) + length), "")

    def list_orders(self, which: Which = "") -> Spoken:
        """Tell which orders wait for their time."""
        return self.told(which)

    def cancel_order(self, which: Which = "") -> Spoken:
        """Cancel an order that waits for its time."""
        return self.cancelled(which)

    def _checked(self, order: str) -> str:
        """Without what ends a sentence. Raises CannotBeDone for one that will not be understood by itself."""
        order = order.strip().rstrip(".!,; ")
        if not self._may_wait(order):
            raise CannotBeDone(self._words.say("not_understood"), remedy="say it as a whole order")
        return order

    def _put_off(self, order: str, due: Due, when: str) -> Spoken:
        told = self._words.say("set", text=order, when=self._words.spoken(due))
        return self.set(order, due, when, told, language=self._language)
