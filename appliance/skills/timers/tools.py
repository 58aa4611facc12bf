"""Setting, listing, adjusting, pausing and cancelling timers, in the words of a conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language import durations
from appliance.language.lists import capital
from appliance.ports import Clock, SoundOf, Spoken, Timer, undoable
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.which import Which
from appliance.skills.timers.words import TimerWords
from appliance.skills.written import FALLBACK

LONGEST_S = 24 * 3_600
MOST = 20
"""More at once are a model in a loop, not a kitchen."""
MOST_TOLD = 5
"""Of timers that are read out, the soonest first: as of events in the calendar."""
Length = Annotated[float, Field(ge=0, json_schema_extra={"said": True, "maximum": LONGEST_S})]
"""Of the user's own words: a length that nobody said is asked for. One too long is told by the tool, as a whole."""
Named = Annotated[str, Field(max_length=80, description="its label or length as said, or all")]


class TimerTools:
    def __init__(
        self, timers: Timers, clock: Clock, sound_of: SoundOf = str.casefold, language: str = FALLBACK
    ) -> None:
        """language: of all that is said."""
        self._timers, self._clock, self._words = timers, clock, TimerWords(language)
        self._which = Which(timers.left, self._words, sound_of)

    def set_timer(
        self,
        hours: Length = 0,
        minutes: Length = 0,
        seconds: Length = 0,
        label: Annotated[str, Field(max_length=60, description="what it is for, when said")] = "",
    ) -> Spoken:
        """Start a countdown timer."""
        total = hours * 3_600 + minutes * 60 + seconds
        if not total:
            raise BadArgument(self._words.begin("how_long"), remedy="give hours, minutes or seconds")
        if not 1 <= total <= LONGEST_S:
            raise BadArgument(self._words.begin("lengths"))
        if len(self._timers.all()) >= MOST:
            raise CannotBeDone(self._words.begin("too_many", count=MOST), remedy="cancel a timer")
        name = _plain(label)
        timer = self._timers.add(name, total)
        undoable(lambda: self._timers.done(timer))
        length, until = self._words.length(total), self._until(timer)
        return self._words.begin("set_named" if name else "set", name=capital(name), length=length, until=until)

    def any(self) -> bool:
        """Whether a timer is running or ringing."""
        return bool(self._timers.all())

    def any_runs(self) -> bool:
        return any(timer.paused_s is None and self._timers.left(timer) for timer in self._timers.all())

    def any_paused(self) -> bool:
        return any(timer.paused_s is not None for timer in self._timers.all())

    @property
    def pausable(self) -> str:
        """What one is called, whichever it is."""
        return self._words.say("pausable")

    def running(self) -> list[str]:
        """Their names, as people call them; those without a label aside."""
        return [self._words.name(timer) for timer in self._timers.all() if timer.label]

    def list_timers(self, label: Named = "") -> Spoken:
        """Tell which timers are running and how much longer they take."""
        timers = self._timers.all()
        if not timers:
            return self._words.begin("none")
        each = [self._standing(timer) for timer in self._which.found(label, timers)]
        if len(each) == 1:
            return self._words.sentence(each)
        more = len(each) - MOST_TOLD
        told = [*each[:MOST_TOLD], self._words.say("more", count=more)] if more > 0 else each
        return self._words.begin("several", count=len(each), each=self._words.listed(told))

    def pause_timer(self, label: Named = "") -> Spoken:
        """Pause a running timer."""
        chosen = self._meant_among(label, [timer for timer in self._timers.all() if timer.paused_s is None])
        each = [self._standing(self._timers.pause(timer)) for timer in chosen]
        undoable(lambda: [self._timers.resume(timer) for timer in chosen])
        return self._words.sentence(each)

    def resume_timer(self, label: Named = "") -> Spoken:
        """Let a paused timer run on."""
        chosen = self._meant_among(label, [timer for timer in self._timers.all() if timer.paused_s is not None])
        each = [self._standing(self._timers.resume(timer), "resumed") for timer in chosen]
        undoable(lambda: [self._timers.pause(timer) for timer in chosen])
        return self._words.sentence(each)

    def cancel_timer(self, label: Named = "") -> Spoken:
        """Cancel a running timer."""
        every, chosen = self._timers.all(), self.meant(label)
        left = [(timer, self._timers.left(timer)) for timer in chosen]
        self._timers.done(*chosen)
        undoable(lambda: [self._timers.again(timer, left_s) for timer, left_s in left])
        if len(chosen) == 1:
            return self._words.begin("cancelled", name=self._words.name(chosen[0]))
        key = "cancelled_all" if len(chosen) == len(every) else "cancelled_some"
        return self._words.begin(key, count=len(chosen))

    def adjust_timer(
        self,
        hours: Length = 0,
        minutes: Length = 0,
        seconds: Length = 0,
        label: Named = "",
        direction: Literal["add", "subtract", "set"] = "add",
    ) -> Spoken:
        """Add time to a running timer, subtract some, or set what is left of it."""
        by = hours * 3_600 + minutes * 60 + seconds
        chosen = self.meant(label)
        if not by:
            raise BadArgument(self._words.begin("how_many"), remedy="give hours, minutes or seconds")
        plans = [(timer, *self._adjusted(timer, direction, by)) for timer in chosen]
        before = [(timer, self._timers.left(timer)) for timer in chosen]
        changed = [self._timers.change(timer, total, left) for timer, total, left in plans]
        undoable(lambda: self._put_back(changed, before))
        return self._words.sentence([self._words.standing(timer, left, "adjusted") for timer, _, left in plans])

    def sentence(self, timer: Timer) -> Spoken:
        """What to say while it rings."""
        return self._words.begin("rings", name=self._words.name(timer))

    def missed(self, timers: Sequence[Timer]) -> Spoken:
        """What to tell of those that ended while the box was off or could make no sound, and of those that rang with
        nobody there; empty for none."""
        return self._words.missed(timers, self._clock.now())

    def _until(self, timer: Timer) -> str:
        """When a long one will ring; nothing for a short one, and where the clock may be wrong."""
        if timer.seconds < durations.HOUR_S or not timer.due_trusted:
            return ""
        return self._words.until(timer.due, self._clock.now())

    def _standing(self, timer: Timer, running: str = "left") -> str:
        return self._words.standing(timer, self._timers.left(timer), running)

    def _put_back(self, changed: Sequence[Timer], before: Sequence[tuple[Timer, float]]) -> None:
        """before: what each was, and the seconds that were left of it."""
        for timer, (older, left_s) in zip(changed, before, strict=True):
            self._timers.change(timer, older.seconds, left_s)

    def _adjusted(self, timer: Timer, direction: str, by: float) -> tuple[float, float]:
        """Its full length and what is left of it after the change, in seconds. Raises BadArgument."""
        left = self._timers.left(timer)
        if direction == "set":
            total, left = by, by
        else:
            step = by if direction == "add" else -by
            total, left = timer.seconds + step, left + step
        if left < 1:
            raise BadArgument(self._words.sentence([self._standing(timer)]), remedy="take off less, or cancel it")
        if left > LONGEST_S:
            raise BadArgument(self._words.begin("lengths"))
        return total, left

    def meant(self, label: str) -> list[Timer]:
        """The timers that `label` means. Raises CannotBeDone without any, BadArgument that asks which, naming them."""
        return self._which.meant(label, self._timers.all())

    def _meant_among(self, label: str, likely: list[Timer]) -> list[Timer]:
        """As `meant`; where no name is given, one of those that it would change anything for."""
        return self._which.meant(label, likely) if likely and not label.strip() else self.meant(label)


def _plain(label: str) -> str:
    """The label without what the sentence adds: "the pasta timer" is "pasta"."""
    kept = re.sub(r"^(?:(?:the|my|an?)\s+)+|\s*\btimers?$", "", label.strip().rstrip(".!?"), flags=re.IGNORECASE)
    return " ".join(kept.split())
