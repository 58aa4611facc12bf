"""Whether a line is the yes or no that a step waits for, or what it lacks."""

from __future__ import annotations

from typing import Literal

from appliance.thought.conversation import Pending
from appliance.thought.fastlane import FastLane
from appliance.thought.relevance import telling, words
from appliance.thought.signs import SignReader, Signs
from appliance.thought.steps import Steps


class Consent:
    def __init__(self, lane: FastLane, signs: SignReader, steps: Steps) -> None:
        self._lane, self._signs, self._steps = lane, signs, steps

    def answer(self, heard: str, pending: Pending) -> Literal["yes", "no"] | None:
        """The answer to what was asked; it may go on, with a reason or the same again, but with nothing new."""
        answer = self._lane.answer(heard)
        if pending.lacks and not answer:
            rest = self._lane.undismissed(heard)
            return "no" if rest != heard and self._signs.read(rest).bare else None
        begun = None if answer else self._lane.answer_begun(heard)
        if begun is None:
            return answer
        answer, rest = begun
        signs = self._signs.read(rest)
        if answer == "yes" and signs.words.asking.search(rest):  # "right, so who was at the door"
            return None
        same = telling(rest) <= set(words(self._steps.question(pending)))
        plain = signs.bare and not (signs.altering or signs.quantity) and (signs.backing or answer == "no")
        return answer if same or plain else None

    def agrees(self, heard: str, pending: Pending) -> bool:
        """Whether a yes goes on with an order of the same kind, and with nothing that may alter it."""
        begun = self._lane.answer_begun(heard)
        if begun is None or begun[0] == "no" or pending.lacks:
            return False
        rest = self._signs.read(begun[1])
        meant = pending.call.tool in rest.tools.due | rest.tools.meant
        altered = rest.altering or rest.conditional or rest.asks or rest.quantity
        return meant and not altered and bool(rest.words.acts.match(begun[1]))

    def completes(self, heard: str, signs: Signs, pending: Pending) -> bool:
        """Whether the line can be what the step lacks; "yes send that" is not."""
        fits = self._steps.completes(pending, signs)
        return fits and not self._lane.matches(heard) and (self._lane.answer_begun(heard) or ("",))[0] != "yes"
