"""Who speaks, where they say so; and what somebody told of themselves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument
from appliance.language.lists import capital
from appliance.ports import Spoken
from appliance.skills.memory.shared import Shared
from appliance.skills.memory.telling import Piece, Telling, plain
from appliance.skills.memory.words import words_of

LONGEST_NAME = 2
"""Words of a name that somebody gives."""

Name = Annotated[str, Field(max_length=60)]


class PeopleTools:
    def __init__(self, shared: Shared, telling: Telling) -> None:
        self._shared, self._telling = shared, telling
        self._store, self._words = shared.store, shared.words

    def speak_as(self, name: Name) -> Spoken:
        """The one of this name speaks, as long as the conversation lasts."""
        if not any(map(str.isalpha, name)):
            raise BadArgument(self._words.say("who_are_you"), remedy="say a name", asks_for="name")
        known = self._known(name)
        self._shared.talk.person = known or as_name(name)
        claims = self._shared.talk.hears not in (None, self._shared.talk.person)
        if not (known or claims or self._shared.private.on):
            text = self._words.say("is_called", name=self._shared.talk.person)
            self._store.save(text, "user", self._shared.clock.now(), person=self._shared.talk.person)
            self._telling.met(self._shared.talk.person)
        return self._words.say("greeted", name=self._shared.talk.person)

    def whether_so_called(self, name: Name) -> str:
        """The question before `speak_as`: "I am Dutch" names nobody; none for a name that is known."""
        return "" if self._known(name) else self._words.say("is_that_you", name=as_name(name))

    def tell_person(self, person: Name) -> Spoken:
        """Tell what is known of somebody in the household."""
        name = self._known(person) or as_name(person)
        about = [fact for fact in self._store.facts("user", person=name) if fact.person == name]
        if name != self._shared.talk.person:  # that Ana is called Ana tells nobody else anything
            about = [fact for fact in about if fact.text != self._words.say("is_called", name=name)]
        named = words_of(name)
        about += [fact for fact in self._store.facts("user") if fact.person != name and named <= words_of(fact.text)]
        if not about:
            hears = self._shared.talk.hears
            kept = hears is not None and hears != name and name in self._telling.people
            return self._words.say("not_yours", name=name) if kept else self._words.say("nothing_about", what=name)
        return self._telling.begin([Piece(self._telling.of(fact), fact) for fact in about])

    def is_name(self, name: str) -> bool:
        """Whether it may be the name of somebody who says "I am ..."."""
        parts = plain(name).split()
        written = 0 < len(parts) <= LONGEST_NAME and all(part[:1].isupper() and part.isalpha() for part in parts)
        return written or bool(self._known(name))

    def _known(self, name: str) -> str:
        """As it is kept; empty for one whom nobody knows."""
        by_letters = {person.casefold(): person for person in self._telling.people}
        return by_letters.get(plain(name).casefold(), "")


def as_name(name: str) -> str:
    return " ".join(map(capital, plain(name).split()))
