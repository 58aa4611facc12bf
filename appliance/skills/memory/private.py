"""Private mode, by voice or in writing: while it is on nothing of what is said is kept."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument
from appliance.language.clock_times import on_day
from appliance.language.moments import Moment, parse_moment, spoken_moment
from appliance.ports import Spoken, undoable
from appliance.skills.memory.shared import Shared

_MINUTES_A_DAY = 24 * 60

Time = Annotated[str, Field(max_length=100)]
Count = Annotated[float, Field(ge=0, le=1_000_000)]


class PrivateTools:
    def __init__(self, shared: Shared) -> None:
        self._shared, self._private, self._words = shared, shared.private, shared.words

    def private_mode(
        self,
        on: bool = True,
        until: Time = "",
        during: Time = "",
        hours: Count = 0,
        minutes: Count = 0,
        seconds: Count = 0,
    ) -> Spoken:
        """Keep nothing of what is said from now on, or keep it again.

        until: when private mode is to end.  during: a part of the day, or a day, with which it ends.
        """
        before = self._private.on, self._private.until
        if not on:
            self._private.end()
        else:
            now = self._shared.clock.now()
            length = timedelta(hours=hours, minutes=minutes, seconds=seconds)
            self._private.begin(self._ends(until, during, now) or (now + length if length else None))
        undoable(lambda: self._private.begin(before[1]) if before[0] else self._private.end())
        return self._words.say("private_off") if before[0] and not on else self.tell_private()

    def tell_private(self) -> Spoken:
        """Tell whether anything is kept of what is said."""
        if not self._private.on:
            return self._words.say("private_is_off")
        if until := self._private.until:
            when = spoken_moment(until, self._shared.clock.now(), self._shared.language)
            return self._words.say("private_until", when=when)
        return self._words.say("private_on")

    def _ends(self, until: str, during: str, now: datetime) -> datetime | None:
        """Raises BadArgument for what is no time, or is over."""
        said = until or during
        if not said:
            return None
        moment = parse_moment(said, now, self._shared.language)
        ends = _end(moment, now, within=bool(during)) if moment else None
        if ends is None or ends <= now:
            raise BadArgument(self._words.say("private_until_when"), remedy="say a time", asks_for="until")
        return ends


def _end(moment: Moment, now: datetime, within: bool) -> datetime | None:
    """within: the end of what was named, such as this evening; else its beginning."""
    if moment.at:
        return moment.at
    day = moment.day or now.date()
    if moment.part:
        return on_day(day, moment.part.ends_min if within else moment.part.begins_min, now)
    midnight = datetime.combine(day, time(), now.tzinfo)
    return midnight + timedelta(minutes=_MINUTES_A_DAY) if within else midnight
