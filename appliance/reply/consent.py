"""Whether a line is the yes or no that a step waits for, or what it lacks."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Literal

from appliance.reply.calls.worded import WORDED
from appliance.reply.conversation import Pending
from appliance.reply.steps import Steps
from appliance.reply.understanding.fastlane import FastLane
from appliance.reply.understanding.relevance import COMMON, NOISE, telling, words
from appliance.reply.understanding.signs import SignReader, Signs

Answer = Literal["yes", "no", "order"]
"""The last is a yes that goes on with an order of the same kind, and with nothing that may alter it."""

_SHORT = re.compile(r"(?<!\w)\w{1,2}(?!\w)")
"""What `words` passes over: "Bo", "6"."""


class Consent:
    def __init__(self, lane: FastLane, signs: SignReader, steps: Steps, asked_before: Set[str]) -> None:
        """asked_before: names of the tools that are asked about before they run."""
        self._lane, self._signs, self._steps, self._asked_before = lane, signs, steps, asked_before

    def answer(self, heard: str, pending: Pending) -> Answer | None:
        """The answer to what was asked; it may go on, with a reason or the same again, but with nothing new."""
        answer = self._lane.answer(heard, begun=pending.lacks in WORDED)  # "that'd be lovely" may be what to say
        if pending.lacks and not answer:
            rest = self._lane.undismissed(
                heard, worded=pending.lacks in WORDED and pending.call.tool in self._asked_before
            )
            return "no" if rest != heard and self._signs.read(rest).bare else None
        begun = None if answer else self._lane.answer_begun(heard)
        return answer if begun is None else self._going_on(*begun, heard, pending)

    def _going_on(self, answer: Literal["yes", "no"], rest: str, heard: str, pending: Pending) -> Answer | None:
        """The answer that has something behind it."""
        signs = self._signs.read(rest)
        again = self._repeats(signs.digits, pending)  # "yes, forget it", of what is to be forgotten
        if self._lane.answer(rest) == "no" and not (answer == "yes" and again):  # "yeah, no"
            return "no"
        if answer == "yes":
            return self._agreed(rest, heard, signs, pending)
        same = telling(rest) <= set(words(pending.question))
        return "no" if same or (signs.bare and not (signs.altering or signs.quantity)) else None

    def _agreed(self, rest: str, heard: str, signs: Signs, pending: Pending) -> Answer | None:
        """What a yes that goes on is; where more was asked than one thing, the rest may be meant for one of them."""
        if signs.words.together.fullmatch(rest):
            return "yes"
        if pending.first or signs.conditional:
            return None
        linked = signs.words.linking.sub(" ", rest)  # "and send it to Gwen" adds nothing to what was asked
        same = self._repeats(signs.digits, pending) and not signs.words.altering.search(linked)
        willing = signs.words.willing.search(heard)  # "okay love, I'm off" is for somebody else
        plain = willing and signs.bare and signs.words.backing.match(rest) and not (signs.altering or signs.quantity)
        if (same or plain) and not signs.words.asking.search(rest):  # "right, so who was at the door"
            return "yes"
        meant = pending.call.tool in signs.tools.due | signs.tools.meant and signs.words.acts.match(rest)
        return "order" if meant and not (signs.altering or signs.asks or signs.quantity) else None

    def _repeats(self, rest: str, pending: Pending) -> bool:
        """Whether it says something, and nothing but what the question says, names and numbers of two letters too.

        rest: with its numbers in digits.
        """
        asked = self._lane.in_digits(pending.question).casefold()
        short = {word for word in _SHORT.findall(rest.casefold()) if word not in COMMON | NOISE}
        return bool(told := telling(rest)) and told <= set(words(asked)) and short <= set(_SHORT.findall(asked))

    def completes(self, heard: str, signs: Signs, pending: Pending) -> bool:
        """Whether the line can be what the step lacks; "yes send that" is not."""
        if self._lane.matches(heard):
            return False
        answer, rest = self._lane.answer_begun(heard) or ("", "")
        if pending.lacks in WORDED and not signs.asks:  # "okay see you at six"
            return self._worded(rest if answer == "yes" else heard, pending)
        return self._steps.completes(pending, signs) and answer != "yes"

    def _worded(self, said: str, pending: Pending) -> bool:
        """Whether it can be the words that a step lacks: no question, and an order only where that is asked about
        before it goes to somebody; but none for the box to do it otherwise, or with what was said before.
        """
        signs = self._signs.read(said)
        if signs.bare or signs.asks or not signs.words.acts.match(said) or said.rstrip().endswith("?"):
            return signs.bare
        of_it = pending.call.tool in signs.tools.due | signs.tools.meant or signs.words.referring.search(said)
        return pending.call.tool in self._asked_before and not of_it
