"""Setting, listing, cancelling and adjusting timers, in the words of a conversation."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language import durations
from appliance.ports import SOUNDS_MIN, Clock, SoundOf, Spoken, Timer
from appliance.skills.clock.tools import spoken_moment
from appliance.skills.timers.countdowns import Timers, name_of

LONGEST_S = 24 * 3_600
MOST = 20
"""More at once are a model in a loop, not a kitchen."""
_ALL = {"all", "both", "every", "everything", "each"}
_NOISE = {"the", "my", "a", "an", "for", "of", "them", "one", "ones", "please", "timer", "timers", "that", "this", "it"}
_ALIKE = 0.75
"""difflib ratio from which a label is taken to be misheard, not another: "posta" is the pasta timer, "egg" is not."""

Length = Annotated[float, Field(ge=0, json_schema_extra={"said": True, "maximum": LONGEST_S})]
"""Of the user's own words: a length that nobody said is asked for. One too long is told by the tool, as a whole."""
Which = Annotated[str, Field(max_length=80, description="its label or length as said, or all")]


class TimerTools:
    def __init__(self, timers: Timers, clock: Clock, sound_of: SoundOf = str.casefold) -> None:
        self._timers = timers
        self._clock = clock
        self._sound_of = sound_of

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
        self._timers.add(name, total)
        length = durations.spoken(total)
        return Spoken(f"{_capital(name)} timer set for {length}." if name else f"{length}, starting now.")

    def any(self) -> bool:
        """Whether a timer is running or ringing."""
        return bool(self._timers.all())

    def running(self) -> list[str]:
        """Their names, as people call them; those without a label aside."""
        return [name_of(timer) for timer in self._timers.all() if timer.label]

    def list_timers(self) -> Spoken:
        """Tell which timers are running and how much longer they take."""
        timers = self._timers.all()
        if not timers:
            return Spoken("You have no timers.")
        each = [f"the {name_of(timer)} {self._progress(timer)}" for timer in timers]
        if len(each) == 1:
            return Spoken(f"{_capital(each[0])}.")
        return Spoken(f"You have {len(each)} timers: {_joined(each)}.")

    def cancel_timer(self, label: Which = "") -> Spoken:
        """Cancel a running timer."""
        chosen = self._meant(label)
        self._timers.done(*chosen)
        if len(chosen) == 1:
            return Spoken(f"The {name_of(chosen[0])} is cancelled.")
        return Spoken(f"All {len(chosen)} timers are cancelled.")

    def adjust_timer(
        self,
        hours: Length = 0,
        minutes: Length = 0,
        seconds: Length = 0,
        label: Which = "",
        direction: Literal["add", "subtract", "set"] = "add",
    ) -> Spoken:
        """Add time to a running timer, subtract some, or set what is left of it."""
        by = hours * 3_600 + minutes * 60 + seconds
        chosen = self._meant(label)
        if not by:
            raise BadArgument("How many minutes?", remedy="give hours, minutes or seconds")
        plans = [(timer, *self._adjusted(timer, direction, by)) for timer in chosen]
        for timer, total, left in plans:
            self._timers.change(timer, total, left)
        each = [f"the {name_of(timer)} now has {durations.remaining(left)} left" for timer, _, left in plans]
        return Spoken(f"{_capital(_joined(each))}.")

    def sentence(self, timer: Timer) -> Spoken:
        """What to say while it rings."""
        return Spoken(f"Your {name_of(timer)} is done.")

    def missed(self) -> Spoken:
        """What to tell of timers that ended while the box was off or could make no sound; empty when none did."""
        now = self._clock.now()
        each = [f"your {name_of(timer)} ended {spoken_moment(timer.due, now)}" for timer in self._timers.missed()]
        return Spoken(f"While nobody could hear me, {_joined(each)}." if each else "")

    def _progress(self, timer: Timer) -> str:
        left = self._timers.left(timer)
        return f"has {durations.remaining(left)} left" if left else "has ended"

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

    def _meant(self, label: str) -> list[Timer]:
        """The timers that `label` means. Raises CannotBeDone without any, BadArgument that asks which, naming them."""
        timers = self._timers.all()
        if not timers:
            raise CannotBeDone("You have no timers.")
        words = _words(label)
        if _ALL & set(words):
            return timers
        found = _matching(words, label, timers, self._sound_of) if words else timers
        if len(found) == 1:
            return found
        names = _joined([f"the {name_of(timer)}" for timer in found or timers])
        if found:
            raise BadArgument(f"You have {len(found)} of them: {names}. Which one?", remedy="name one")
        raise BadArgument(f"There is no {' '.join(words)} timer, only {names}.", remedy="name one that is running")


def _matching(words: list[str], label: str, timers: list[Timer], sound_of: SoundOf) -> list[Timer]:
    """By label, else by length, else by a label written or spoken like it; the first way that finds any."""
    seconds = durations.read(label)
    said = " ".join(words)
    sound = sound_of(said)
    ways: tuple[Callable[[Timer], bool], ...] = (
        lambda timer: words == _words(timer.label),
        lambda timer: set(words) <= set(_words(timer.label)),
        lambda timer: seconds is not None and abs(timer.seconds - seconds) < 1,
        lambda timer: difflib.SequenceMatcher(None, said, timer.label.lower()).ratio() >= _ALIKE,
        lambda timer: len(sound) >= SOUNDS_MIN and sound == sound_of(timer.label),
    )
    for way in ways:
        if found := [timer for timer in timers if way(timer)]:
            return found
    return []


def _plain(label: str) -> str:
    """The label without what the sentence adds: "the pasta timer" is "pasta"."""
    kept = re.sub(r"^(?:(?:the|my|an?)\s+)+|\s*\btimers?$", "", label.strip().rstrip(".!?"), flags=re.IGNORECASE)
    return " ".join(kept.split())


def _words(label: str) -> list[str]:
    return [word for word in re.findall(r"\w+", label.lower()) if word not in _NOISE]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
