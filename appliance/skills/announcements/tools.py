"""Saying a text aloud, in the words of a conversation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import capital
from appliance.ports import Announce, Spoken
from appliance.skills.written import Words

Text = Annotated[str, Field(max_length=300, description="as said")]
Anyway = Annotated[bool, Field(description="also in quiet hours, when that was said")]


class Announcements:
    def __init__(self, aloud: Announce, words: Words) -> None:
        self._aloud, self._words = aloud, words
        self._refused = ""
        """The last one that was not made, such as in quiet hours: "announce it anyway" means it."""

    def announce(self, text: Text = "", anyway: Anyway = False) -> Spoken:
        """Say a text aloud to everybody in the house."""
        text = text.strip().rstrip(".!") or (self._refused if anyway else "")
        if not text:
            raise BadArgument(self._words.say("what"), remedy="give the text", asks_for="text")
        try:
            self._aloud(f"{capital(text)}.", anyway)
        except CannotBeDone:
            self._refused = text
            raise
        self._refused = ""
        return self._words.say("here")
