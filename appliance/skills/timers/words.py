"""What is said of timers, in the language of the box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from appliance.language import durations
from appliance.language.clock_times import spoken_time
from appliance.language.lists import capital, spoken_list
from appliance.language.moments import moment_name, spoken_moment
from appliance.ports import Spoken, Timer
from appliance.skills.written import FALLBACK, Words


class TimerWords(Words):
    def __init__(self, language: str = FALLBACK) -> None:
        super().__init__(Path(__file__).parent, language)
        known = self.phrases
        self.means: tuple[set[str], set[str], Mapping[str, int]] = {*known["all"]}, {*known["noise"]}, known["order"]
        """Words for all of them, words that say nothing, and word -> place in the order in which they are told."""

    def name(self, timer: Timer) -> str:
        """What it is called: pasta timer, 10 minute timer."""
        if timer.label:
            return self.say("named", label=timer.label)
        return self.say("unnamed", length=durations.as_name(timer.seconds, self.language))

    def standing(self, timer: Timer, left: float, running: str = "left", form: str = "stands") -> str:
        """How it stands: the pasta timer has 5 minutes left.

        left: seconds, 0 once it is due.  running, form: names of the phrases, of one that runs and of the whole.
        """
        key = "ended" if not left else running if timer.paused_s is None else "paused"
        progress = self.say(key, length=durations.remaining(left, self.language))
        return self.say(form, name=self.name(timer), progress=progress)

    def sentence(self, parts: Sequence[str]) -> Spoken:
        return Spoken(f"{capital(self.listed(parts))}.")

    def listed(self, parts: Sequence[str]) -> str:
        return spoken_list(parts, self.language)

    def length(self, seconds: float) -> str:
        return durations.spoken_duration(seconds, self.language)

    def until(self, due: datetime, now: datetime) -> str:
        """ ", until 7 PM", behind a timer that was set."""
        due = due.astimezone(now.tzinfo)
        today = due.date() == now.date()
        time = spoken_time(due, self.language) if today else moment_name(due, now, self.language)
        return self.say("until", time=time)

    def missed(self, timers: Sequence[Timer], now: datetime) -> Spoken:
        """What to tell of those that ended unheard, and of those that rang with nobody there; empty for none."""
        ended = [self._missed("missed_one", timer, now) for timer in timers if not timer.rang]
        rang = [self._missed("rang_one", timer, now) for timer in timers if timer.rang]
        told = [self.begin("missed", each=self.listed(ended))] if ended else []
        return Spoken(" ".join([*told, *([self.sentence(rang)] if rang else [])]))

    def _missed(self, key: str, timer: Timer, now: datetime) -> str:
        """When it ended is left out where the clock was wrong."""
        at = f" {spoken_moment(timer.due, now, self.language)}" if timer.due_trusted else ""
        return self.say(key, name=self.name(timer), at=at)
