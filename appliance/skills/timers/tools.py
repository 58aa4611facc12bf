"""Setting, listing, adjusting, pausing and cancelling timers, in the words of a conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language import durations
from appliance.language.clock_times import spoken_time
from appliance.language.moments import moment_name, spoken_moment
from appliance.language.words import language_data
from appliance.ports import Clock, SoundOf, Spoken, Timer, undoable
from appliance.skills.timers.countdowns import Timers, name_of
from appliance.skills.timers.which import Which
from appliance.skills.written import FALLBACK, written

LONGEST_S = 24 * 3_600
MOST = 20
"""More at once are a model in a loop, not a kitchen."""
Length = Annotated[float, Field(ge=0, json_schema_extra={"said": True, "maximum": LONGEST_S})]
"""Of the user's own words: a length that nobody said is asked for. One too long is told by the tool, as a whole."""
Named = Annotated[str, Field(max_length=80, description="its label or length as said, or all")]


class TimerTools:
    def __init__(
        self, timers: Timers, clock: Clock, sound_of: SoundOf = str.casefold, language: str = FALLBACK
    ) -> None:
        """language: of what is said once a timer is set; the other answers are in English."""
        self._timers = timers
        self._clock = clock
        self._which = Which(self._progress, sound_of)
        self._language = language if language_data(language) else FALLBACK
        self._phrases = written(Path(__file__).parent, "phrases", self._language)

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
            raise BadArgument("How long should the timer be?", remedy="give hours, minutes or seconds")
        if not 1 <= total <= LONGEST_S:
            raise BadArgument("A timer can run from 1 second to 24 hours.")
        if len(self._timers.all()) >= MOST:
            raise CannotBeDone(f"You already have {MOST} timers; cancel one first.", remedy="cancel a timer")
        name = _plain(label)
        timer = self._timers.add(name, total)
        undoable(lambda: self._timers.done(timer))
        length = durations.spoken_duration(total, self._language)
        said: str = self._phrases["set_named" if name else "set"]
        return Spoken(said.format(name=_capital(name), length=length, until=self._until(timer)))

    def any(self) -> bool:
        """Whether a timer is running or ringing."""
        return bool(self._timers.all())

    def running(self) -> list[str]:
        """Their names, as people call them; those without a label aside."""
        return [name_of(timer) for timer in self._timers.all() if timer.label]

    def list_timers(self, label: Named = "") -> Spoken:
        """Tell which timers are running and how much longer they take."""
        timers = self._timers.all()
        if not timers:
            return Spoken("You have no timers.")
        each = [f"the {name_of(timer)} {self._progress(timer)}" for timer in self._which.found(label, timers)]
        if len(each) == 1:
            return Spoken(f"{_capital(each[0])}.")
        return Spoken(f"You have {len(each)} timers: {_joined(each)}.")

    def pause_timer(self, label: Named = "") -> Spoken:
        """Pause a running timer."""
        chosen = self._meant_among(label, [timer for timer in self._timers.all() if timer.paused_s is None])
        each = [f"the {name_of(timer)} {self._progress(self._timers.pause(timer))}" for timer in chosen]
        undoable(lambda: [self._timers.resume(timer) for timer in chosen])
        return Spoken(f"{_capital(_joined(each))}.")

    def resume_timer(self, label: Named = "") -> Spoken:
        """Let a paused timer run on."""
        chosen = self._meant_among(label, [timer for timer in self._timers.all() if timer.paused_s is not None])
        each = [f"the {name_of(timer)} runs and {self._progress(self._timers.resume(timer))}" for timer in chosen]
        undoable(lambda: [self._timers.pause(timer) for timer in chosen])
        return Spoken(f"{_capital(_joined(each))}.")

    def cancel_timer(self, label: Named = "") -> Spoken:
        """Cancel a running timer."""
        every, chosen = self._timers.all(), self.meant(label)
        left = [(timer, self._timers.left(timer)) for timer in chosen]
        self._timers.done(*chosen)
        undoable(lambda: [self._timers.again(timer, left_s) for timer, left_s in left])
        if len(chosen) == 1:
            return Spoken(f"The {name_of(chosen[0])} is cancelled.")
        all_of = "All " if len(chosen) == len(every) else ""
        return Spoken(f"{all_of}{len(chosen)} timers are cancelled.")

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
            raise BadArgument("How many minutes?", remedy="give hours, minutes or seconds")
        plans = [(timer, *self._adjusted(timer, direction, by)) for timer in chosen]
        before = [(timer, self._timers.left(timer)) for timer in chosen]
        changed = [self._timers.change(timer, total, left) for timer, total, left in plans]
        undoable(lambda: self._put_back(changed, before))
        each = [f"the {name_of(timer)} now has {durations.remaining(left)} left" for timer, _, left in plans]
        return Spoken(f"{_capital(_joined(each))}.")

    def sentence(self, timer: Timer) -> Spoken:
        """What to say while it rings."""
        return Spoken(f"Your {name_of(timer)} is done.")

    def missed(self, timers: Sequence[Timer]) -> Spoken:
        """What to tell of those that ended while the box was off or could make no sound, and of those that rang with
        nobody there; empty for none."""
        ended = [f"your {name_of(timer)} ended{self._at(timer)}" for timer in timers if not timer.rang]
        rang = [f"your {name_of(timer)} rang{self._at(timer)}" for timer in timers if timer.rang]
        told = [f"While nobody could hear me, {_joined(ended)}."] if ended else []
        return Spoken(" ".join([*told, *([f"{_capital(_joined(rang))}."] if rang else [])]))

    def _at(self, timer: Timer) -> str:
        """When it ended; nothing where the clock was wrong."""
        return f" {spoken_moment(timer.due, self._clock.now())}" if timer.due_trusted else ""

    def _until(self, timer: Timer) -> str:
        """When a long one will ring; nothing for a short one, and where the clock may be wrong."""
        if timer.seconds < durations.HOUR_S or not timer.due_trusted:
            return ""
        now = self._clock.now()
        due = timer.due.astimezone(now.tzinfo)
        today = due.date() == now.date()
        time = spoken_time(due, self._language) if today else moment_name(due, now, self._language)
        said: str = self._phrases["until"]
        return said.format(time=time)

    def _progress(self, timer: Timer) -> str:
        left = self._timers.left(timer)
        if not left:
            return "has ended"
        length = durations.remaining(left)
        return f"has {length} left" if timer.paused_s is None else f"is paused with {length} left"

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
            raise BadArgument(f"The {name_of(timer)} {self._progress(timer)}.", remedy="take off less, or cancel it")
        if left > LONGEST_S:
            raise BadArgument("A timer can run from 1 second to 24 hours.")
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
