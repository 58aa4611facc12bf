"""Saying a text aloud, in the words of a conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import capital, spoken_list
from appliance.ports import Announce, Spoken
from appliance.skills.announcements.others import Others
from appliance.skills.written import Words

Text = Annotated[str, Field(max_length=300, description="as said")]
Anyway = Annotated[bool, Field(description="also in quiet hours, when that was said")]
Boxes = Annotated[str, Field(max_length=200, description="names of boxes, as said")]


class Announcements:
    def __init__(self, aloud: Announce, others: Others, words: Words) -> None:
        """aloud: on this box."""
        self._aloud, self._others, self._words = aloud, others, words
        self._refused = ""
        """The last one that was not made, such as in quiet hours: "announce it anyway" means it."""

    def announce(self, text: Text = "", anyway: Anyway = False) -> Spoken:
        """Say a text aloud to everybody in the house."""
        text = text.strip().rstrip(".!") or (self._refused if anyway else "")
        if not text:
            raise BadArgument(self._words.say("what"), remedy="give the text", asks_for="text")
        try:
            self._aloud(_sentence(text), anyway)
        except CannotBeDone:
            self._refused = text
            raise
        self._refused = ""
        if not self._others.names:
            return self._words.say("here")
        return self._told(text, self._others.names, anyway, here=True)

    def announce_on(self, to: Boxes, text: Text) -> Spoken:
        """Say a text aloud on some of the boxes of the house."""
        named = [name for name in (*self._others.names, self._others.own) if _names(name, to)]
        if not named:
            known = spoken_list([*self._others.names, self._others.own], self._words.language)
            raise BadArgument(self._words.say("which", known=known), remedy="name one of the boxes", asks_for="to")
        text = text.strip().rstrip(".!")
        if here := self._others.own in named:
            self._aloud(_sentence(text), False)
        return self._told(text, [name for name in named if name != self._others.own], False, here)

    def _told(self, text: str, to: Sequence[str], anyway: bool, here: bool) -> Spoken:
        """What came of it. Raises CannotBeDone where it is said nowhere."""
        answers = self._others.announce(_sentence(text), to, anyway) if to else {}
        said: list[str] = [self._words.say("this_box")] * here + [name for name in to if answers[name] == "said"]
        told: list[str] = [self._words.say("said_on", boxes=spoken_list(said, self._words.language))] if said else []
        told += [self._words.begin(f"was_{answers[name]}", box=name) for name in to if answers[name] != "said"]
        if not said and "later" not in answers.values():
            raise CannotBeDone(" ".join(told))
        return Spoken(" ".join(told))


def _sentence(text: str) -> str:
    return f"{capital(text)}."


def _names(name: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words.casefold()) is not None
