"""What alarms and reminders have in common: setting, listing, cancelling, and the words while they ring."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import spoken_list
from appliance.ports import Clock, Spoken, undoable
from appliance.skills.due import Due
from appliance.skills.entries import Entry
from appliance.skills.entry_words import EntryWords
from appliance.skills.schedule import Schedule
from appliance.skills.which_entry import WhichEntry

MOST = 50
"""More at once are a model in a loop, not a household."""
NAMED = 4
"""So many are named to somebody who did not ask for all of them: what nobody can keep in mind is not worth hearing."""


class EntryTools:
    """Implements ports.Wording."""

    def __init__(self, schedule: Schedule, clock: Clock, words: EntryWords) -> None:
        self.schedule, self._clock, self._words = schedule, clock, words
        self._which = WhichEntry(words, clock)

    def any(self) -> bool:
        """Whether there is one."""
        return bool(self.schedule.all())

    def set(self, text: str, due: Due, said: str, told: str, plays: str = "", language: str = "") -> Spoken:
        """Keep it, and say `told`, which says when. Raises CannotBeDone for one too many, StoreUnusable.

        plays, language: see Entry.
        """
        entries = self.schedule.all()
        if any(
            (each.text.casefold(), each.due.at, each.due.rule, each.plays) == (text.casefold(), due.at, due.rule, plays)
            for each in entries
        ):
            return self._words.say("there", when=self._words.when(due), text=text)
        if len(entries) >= MOST:
            raise CannotBeDone(self._words.say("full", count=MOST), remedy="cancel one")
        entry = self.schedule.add(text, due, said, plays, language)
        undoable(lambda: self.schedule.cancel(entry))
        return Spoken(told if self._clock.trusted else f"{told} {self._words.say('unsure')}")

    def told(self, which: str) -> Spoken:
        """Those that `which` means, or that there are none."""
        entries = self.schedule.all()
        if not entries:
            return self._words.say("none")
        found = self._found(which, entries)
        return self._words.say("one" if len(found) == 1 else "several", count=len(found), each=self._names(found))

    def cancelled(self, which: str) -> Spoken:
        """Cancel those that `which` means; one that rings, where nothing more is said, is only silenced."""
        if not self._which.names(which) and self.schedule.silence():
            return self._words.say("silenced")
        chosen = self.meant(which)
        self.schedule.cancel(*chosen)
        undoable(lambda: self.schedule.put_back(*chosen))
        if len(chosen) == 1:
            return self._words.begin("cancelled", name=self._words.name(chosen[0]))
        return self._words.say("cancelled_many", count=len(chosen))

    def meant(self, which: str) -> Sequence[Entry]:
        """Those that `which` means. Raises CannotBeDone without any, BadArgument that asks which, naming them."""
        entries = self.schedule.all()
        if not entries:
            raise CannotBeDone(self._words.say("none"))
        found = self._found(which, entries)
        if len(found) == 1 or self._which.all_of(which):
            return found
        asked = self._words.say("which", count=len(found), each=self._first_names(found))
        raise BadArgument(asked, remedy="name one", asks_for="which")

    def sentence(self, entry: Entry) -> Spoken:
        """What to say while it rings."""
        return Spoken(self._words.sentence(entry))

    def missed(self, entries: Sequence[Entry]) -> Spoken:
        """What to tell of those that were missed; empty for none."""
        if not entries:
            return Spoken("")
        each = spoken_list([self._words.missed(entry) for entry in entries], self._words.language)
        return self._words.say("missed", each=each)

    def _found(self, which: str, entries: list[Entry]) -> list[Entry]:
        """Raises BadArgument where none is meant."""
        found = self._which.found(which, entries)
        if not found:
            told = self._words.say("none_such", each=self._first_names(entries))
            raise BadArgument(told, remedy="name one that is set")
        return found

    def _first_names(self, entries: Sequence[Entry]) -> str:
        """Of a few of them, and how many more there are."""
        names = [self._words.name(entry) for entry in entries[:NAMED]]
        more = [self._words.say("more", count=len(entries) - NAMED)] if len(entries) > NAMED else []
        return spoken_list([*names, *more], self._words.language)

    def _names(self, entries: Sequence[Entry]) -> str:
        return spoken_list([self._words.name(entry) for entry in entries], self._words.language)
