"""Calling another box, in the words of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import spoken_list
from appliance.ports import Calls, Spoken
from appliance.skills.written import Words

Box = Annotated[str, Field(max_length=60, description="name of a box, as said")]
RINGS = "rings"
"""The code of a box that rings (bridge/boxes_questions.py)."""


class Intercom:
    def __init__(self, calls: Calls, names: Sequence[str], words: Words) -> None:
        """names: of the other boxes."""
        self._calls, self._names, self._words = calls, names, words

    def call_box(self, to: Box) -> Spoken:
        """Call another box of the house, to talk with who is there."""
        name = to.casefold().strip()
        if name not in self._names:
            known = spoken_list([*self._names], self._words.language)
            raise BadArgument(self._words.say("which", known=known), remedy="name one of the boxes", asks_for="to")
        answer = self._calls.ring(name)
        if answer != RINGS:
            raise CannotBeDone(self._words.begin(f"was_{answer}", box=name))
        return self._words.say("rings", box=name)

    def hang_up(self) -> Spoken:
        """End the call with another box."""
        return self._words.say("hung_up" if self._calls.end() else "no_call")
