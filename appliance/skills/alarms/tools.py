"""Setting, listing, skipping, snoozing and cancelling alarms, in the words of a conversation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.language.clock_times import spoken_time
from appliance.language.durations import spoken_duration
from appliance.ports import Clock, Skill, Spoken, undoable
from appliance.skills.entries import Entry
from appliance.skills.entry_tools import EntryTools
from appliance.skills.entry_words import EntryWords
from appliance.skills.schedule import Schedule

SNOOZE_S = 9 * 60
Length = Annotated[float, Field(ge=0, le=600)]
When = Annotated[str, Field(max_length=120, description="as said", json_schema_extra={"when": True})]
Which = Annotated[str, Field(max_length=80, description="as said, or all")]


class AlarmTools(EntryTools):
    def __init__(
        self, schedule: Schedule, clock: Clock, words: EntryWords, skills: Callable[[], Sequence[Skill]] = tuple
    ) -> None:
        """skills: all that are on, for any of them may ring."""
        super().__init__(schedule, clock, words)
        self._skills = skills

    def set_alarm(self, when: When, label: Annotated[str, Field(max_length=60)] = "") -> Spoken:
        """Set an alarm for a time of day."""
        said = self._words.read(when)
        text = self._words.said_back(_plain(label or said.rest))
        key = "set_named" if text else "set"
        return self.set(text, said.due, when, self._words.say(key, text=text, when=self._words.when(said.due)))

    def set_music_alarm(self, when: When, music: Annotated[str, Field(max_length=120)]) -> Spoken:
        """Set an alarm that plays music or a radio station."""
        said, name = self._words.read(when), self._to_play(music)
        text = self._words.said_back(_plain(said.rest))
        told = self._words.say(
            "set_named_plays" if text else "set_plays", text=text, when=self._words.when(said.due), plays=name
        )
        return self.set(text, said.due, when, told, plays=music)

    def plays(self, entry: Entry) -> str:
        """What it plays in place of the chime; empty is the chime."""
        return entry.plays

    def _to_play(self, music: str) -> str:
        """The name of what somebody wants to be woken with. Raises CannotBeDone."""
        sounds = next((skill.wakes for skill in self._skills() if skill.wakes), None)
        if sounds is None:
            raise CannotBeDone(self._words.say("no_player"))
        if not (name := sounds.named(music)):
            raise CannotBeDone(self._words.say("not_found", plays=music.strip()))
        return name

    def list_alarms(self, which: Which = "") -> Spoken:
        """Tell which alarms are set."""
        return self.told(which)

    def cancel_alarm(self, which: Which = "") -> Spoken:
        """Cancel an alarm."""
        return self.cancelled(which)

    def skip_next(self, which: Which = "") -> Spoken:
        """Leave out the next time of a repeating alarm."""
        repeating = [entry for entry in self.schedule.all() if entry.due.rule]
        [entry, *others] = repeating if not which and len(repeating) == 1 else self.meant(which)
        moved = None if others else self.schedule.skip(entry)
        if moved is None:
            raise CannotBeDone(self._words.begin("once", name=self._words.name(entry)))
        undoable(lambda: self.schedule.put_back(entry))
        return self._words.say("skipped", when=self._words.next(moved.due))

    def rings(self) -> bool:
        """Whether anything rings, or did a moment ago."""
        return any(skill.rings.alarms.can_snooze() for skill in self._skills() if skill.rings)

    def expected(self) -> str:
        """What somebody says to what rings."""
        return str(self._words.say("to_what_rings")) if self.rings() else ""

    def snooze(self, hours: Length = 0, minutes: Length = 0, seconds: Length = 0) -> Spoken:
        """Silence what rings, and let it ring again."""
        length_s = hours * 3_600 + minutes * 60 + seconds or SNOOZE_S
        if not sum(skill.rings.alarms.snooze(length_s) for skill in self._skills() if skill.rings):
            raise CannotBeDone(self._words.say("nothing_rings"))
        length = spoken_duration(length_s, self._words.language)
        until = spoken_time(self._clock.now() + timedelta(seconds=length_s), self._words.language)
        return self._words.say("snoozed" if self._clock.trusted else "snoozed_unsure", length=length, time=until)


def _plain(label: str) -> str:
    """The label without what the sentence adds: "the dentist alarm" is "the dentist"."""
    return re.sub(r"\s*\b(?:alarms?|wecker)$", "", label.strip().rstrip(".!?"), flags=re.IGNORECASE)
