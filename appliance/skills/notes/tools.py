"""Taking notes, reading them and deleting them, in the words of a conversation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.dates import find_day, spoken_day
from appliance.language.lists import capital
from appliance.language.second_person import said_back
from appliance.ports import Clock, Item, ItemStore, Spoken, undoable
from appliance.skills.written import FALLBACK, Words

PART = 5
"""Notes read in one answer: some 20 s."""
NAMED = 3
"""Notes named in one question: more are not kept in mind while listening."""
MOST = 500
"""More are a model in a loop, not a person."""

About = Annotated[str, Field(max_length=100)]
Day = Annotated[str, Field(max_length=40, description="weekday or date")]


@dataclass(frozen=True)
class Note:
    item: Item
    text: str
    at: datetime


class NoteTools:
    def __init__(
        self, store: ItemStore, clock: Clock, said: Mapping[str, Any], phrases: Words, language: str = FALLBACK
    ) -> None:
        """said: the content of words/<language>.yaml."""
        self._store, self._clock, self._phrases, self._language = store, clock, phrases, language
        self._last, self._every, self._pronouns, self._small = (
            frozenset(said[key]) for key in ("last", "every", "pronouns", "small")
        )

    def add_note(self, text: Annotated[str, Field(max_length=1_000, description="word for word")]) -> Spoken:
        """Write down a note."""
        note = " ".join(text.split()).strip(" ,;:")
        if not re.search(r"\w", note) or note.casefold().rstrip(".!?") in self._pronouns:
            raise BadArgument(self._phrases.say("note_what"))
        if len(self._store.all()) >= MOST:
            raise CannotBeDone(self._phrases.say("full"))
        (added,) = self._store.write(add=[{"text": note, "at": self._clock.now().isoformat()}])
        undoable(lambda: self._store.write(remove=[added.id]))
        return self._phrases.say("noted", text=self._told(note))

    def read_notes(self, about: About = "", day: Day = "") -> Spoken:
        """Read notes."""
        found = self._found(about, day)
        told = [self._phrases.say("dated", day=capital(self._day(note)), text=self._told(note.text)) for note in found]
        more = len(told) - PART
        return Spoken(" ".join([*told[:PART], *([self._phrases.say("more", count=more)] if more > 0 else [])]))

    def delete_note(self, about: About = "", day: Day = "") -> Spoken:
        """Delete a note."""
        gone = self._meant(about, day)
        self._store.write(remove=[note.item.id for note in gone])
        undoable(lambda: self._store.write(add=[note.item.body for note in reversed(gone)]))
        return self._number("deleted", gone)

    def whether_to_delete(self, about: str = "", day: str = "") -> str:
        """The question before `delete_note`, in the words of what would go. Raises as it does where nothing would."""
        return self._number("delete", self._meant(about, day))

    def _all(self) -> list[Note]:
        """Newest first."""
        items = reversed(self._store.all())
        return [Note(item, item.body["text"], datetime.fromisoformat(item.body["at"])) for item in items]

    def _found(self, about: str, day: str) -> list[Note]:
        """Those of that day that hold all of the words. Raises CannotBeDone without any, BadArgument for no day."""
        every = self._all()
        if not every:
            raise CannotBeDone(self._phrases.say("none"))
        notes = [note for note in every if not day or self._date(note) == self._past(day)]
        words = set() if self._is(about, self._every) else self._words(about)
        if self._is(about, self._last):
            return notes[:1] or self._lack("", day)
        return [note for note in notes if words <= self._words(note.text)] or self._lack(about if words else "", day)

    def _lack(self, about: str, day: str) -> list[Note]:
        """Always raises."""
        key = "none_about" if about else "none_of_day"
        raise CannotBeDone(self._phrases.say(key, about=self._told(about), day=day))

    def _meant(self, about: str, day: str) -> Sequence[Note]:
        """The one note that is to go, or all. Raises CannotBeDone without any, BadArgument that asks which."""
        found = self._found(about, day)
        if len(found) == 1 or self._is(about, self._every):
            return found
        named = "; ".join(self._told(note.text) for note in found[:NAMED])
        raise BadArgument(self._phrases.say("which", count=len(found), notes=named))

    def _number(self, key: str, notes: Sequence[Note]) -> Spoken:
        """The phrase for one note, with its text, or for several, counted."""
        one = len(notes) == 1
        return self._phrases.say(f"{key}_1" if one else key, text=self._told(notes[0].text), count=len(notes))

    def _past(self, day: str) -> date:
        """The last such day, today included. Raises BadArgument for what names no day."""
        today = self._clock.now().date()
        try:
            found = find_day(day, today, self._language)
        except BadArgument:
            raise BadArgument(self._phrases.say("which_day", day=day)) from None
        while found > today:  # a weekday, or a date without its year
            found = found - timedelta(days=7) if (found - today).days <= 7 else found.replace(year=found.year - 1)
        return found

    def _date(self, note: Note) -> date:
        return note.at.astimezone(self._clock.now().tzinfo).date()

    def _day(self, note: Note) -> str:
        return spoken_day(self._date(note), self._clock.now().date(), self._language)

    def _is(self, said: str, words: frozenset[str]) -> bool:
        """Whether it is nothing but one of these."""
        return said.casefold().strip() in words

    def _words(self, text: str) -> set[str]:
        """Those that tell what it is about, without the endings of many."""
        return {word.removesuffix("s") for word in re.findall(r"\w+", text.casefold()) if word not in self._small}

    def _told(self, text: str) -> str:
        """As it is said to whom it is of: in English, my drill is your drill."""
        told = said_back(text) if self._language == "en" else text
        return told.rstrip(".")
