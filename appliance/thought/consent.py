"""Whether a line is the yes or no that a step waits for, or what it lacks."""

from __future__ import annotations

from typing import Literal

from appliance.thought.conversation import Pending
from appliance.thought.steps import Steps
from appliance.thought.understanding.fastlane import FastLane
from appliance.thought.understanding.relevance import telling, words
from appliance.thought.understanding.signs import SignReader, Signs

Answer = Literal["yes", "no", "order"]
"""The last is a yes that goes on with an order of the same kind, and with nothing that may alter it."""


class Consent:
    def __init__(self, lane: FastLane, signs: SignReader, steps: Steps) -> None:
        self._lane, self._signs, self._steps = lane, signs, steps

    def answer(self, heard: str, pending: Pending) -> Answer | None:
        """The answer to what was asked; it may go on, with a reason or the same again, but with nothing new."""
        answer = self._lane.answer(heard)
        if pending.lacks and not answer:
            rest = self._lane.undismissed(heard)
            return "no" if rest != heard and self._signs.read(rest).bare else None
        begun = None if answer else self._lane.answer_begun(heard)
        return answer if begun is None else self._going_on(*begun, pending)

    def _going_on(self, answer: Literal["yes", "no"], rest: str, pending: Pending) -> Answer | None:
        """The answer that has something behind it."""
        signs = self._signs.read(rest)
        if pending.first and answer == "yes":  # whatever else it says may be meant for one of the steps alone
            return answer if signs.words.together.fullmatch(rest) else None
        same = telling(rest) <= set(words(self._steps.question(pending)))
        plain = signs.bare and not (signs.altering or signs.quantity) and (signs.backing or answer == "no")
        asks = answer == "yes" and signs.words.asking.search(rest)  # "right, so who was at the door"
        if (same or plain) and not asks:
            return answer
        meant = pending.call.tool in signs.tools.due | signs.tools.meant and signs.words.acts.match(rest)
        altered = signs.altering or signs.conditional or signs.asks or signs.quantity
        return "order" if answer == "yes" and meant and not altered else None

    def completes(self, heard: str, signs: Signs, pending: Pending) -> bool:
        """Whether the line can be what the step lacks; "yes send that" is not."""
        fits = self._steps.completes(pending, signs)
        return fits and not self._lane.matches(heard) and (self._lane.answer_begun(heard) or ("",))[0] != "yes"
