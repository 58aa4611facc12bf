"""When something of a skill's is due by the clock on the wall: once, or again and again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from appliance.language.clock_times import on_the_clocks
from appliance.language.moments import Moment
from appliance.language.recurrence import Recurrence
from appliance.language.recurrence_rules import STEPS_S, next_after, parts_of

_LOOK_BACK = tuple(timedelta(hours=hours) for hours in (1, 24, 24 * 32, 24 * 366))
"""How far before a moment its last occurrence is looked for, until there is one: what comes each minute comes often."""


@dataclass(frozen=True)
class Due:
    """Its next occurrence, and the rule by which others follow.

    `at` and `anchor` without a zone are what the clocks show, in whatever zone the box is by then: 7 AM stays 7 AM.
    With a zone they are moments, for what was said as a length from now.
    """

    at: datetime
    rule: str = ""
    """RFC 5545, without its name; empty for what comes once."""
    anchor: datetime | None = None
    """From which the intervals of `rule` count."""

    def moment(self, zone: tzinfo) -> datetime:
        """Its next occurrence, on the clocks of `zone`."""
        return _moment(self.at, zone)

    def after(self, moment: datetime) -> Due | None:
        """With its first occurrence after `moment`, which has the zone of the box; None for what comes once."""
        if not self.rule:
            return None
        zone = moment.tzinfo or UTC
        found = next_after(self.rule, _moment(self.anchor or self.at, zone), moment, zone)
        return Due(_kept(found, parts_of(self.rule)["FREQ"] in STEPS_S), self.rule, self.anchor) if found else None

    def last_until(self, moment: datetime) -> Due:
        """With its last occurrence no later than `moment`, which has the zone of the box; itself where none follows."""
        zone, last = moment.tzinfo or UTC, self
        near = (self.after(moment - back) for back in _LOOK_BACK)
        if found := next((each for each in near if each and self.moment(zone) < each.moment(zone) <= moment), None):
            last = found
        while (following := last.after(last.moment(zone))) and following.moment(zone) <= moment:
            last = following
        return last


def due_of(when: Moment | Recurrence) -> Due | None:
    """What was said of when, to be kept; None where it has no time of day."""
    if isinstance(when, Recurrence):
        if when.first is None:
            return None
        real = parts_of(when.rule)["FREQ"] in STEPS_S
        return Due(_kept(when.first, real), when.rule, _kept(when.first, real))
    return Due(_kept(when.at, when.after_s is not None)) if when.at else None


def _kept(moment: datetime, real: bool) -> datetime:
    """As it goes to the disk.  real: it is a moment, whatever the clocks show; as is the second of an hour that comes
    twice in the night when they go back."""
    return moment.astimezone(UTC) if real or moment.fold else moment.replace(tzinfo=None)


def _moment(stamp: datetime, zone: tzinfo) -> datetime:
    return on_the_clocks(stamp, zone) if stamp.tzinfo is None else stamp.astimezone(zone)
