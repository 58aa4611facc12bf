"""When a rule comes again. Rules are those of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=6;BYMINUTE=30.

With BYHOUR and BYMINUTE a rule is by the hands of the clocks: 7 AM stays 7 AM when they change, and where the box goes
to another zone. One of hours or minutes counts real time from its anchor.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo

from dateutil.rrule import rrulestr

from appliance.language.clock_times import on_the_clocks

DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""As datetime numbers weekdays."""
STEPS_S = {"HOURLY": 3_600, "MINUTELY": 60}


def parts_of(rule: str) -> dict[str, str]:
    """By name, as FREQ."""
    return dict(part.split("=", 1) for part in rule.split(";"))


def rule_of(parts: Mapping[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in parts.items())


def next_after(rule: str, anchor: datetime, moment: datetime, zone: tzinfo | None = None) -> datetime | None:
    """The first moment of `rule` after `moment`, on or after the day of `anchor`, from which intervals count.

    zone: that of the box, else that of `moment`; both moments have theirs. A time that the clocks skip comes at the
    moment after the gap; one that they show twice comes once, the first time. None where there is none.
    """
    zone = zone or moment.tzinfo
    assert zone is not None, "moments have their zone"
    parts = parts_of(rule)
    if step_s := STEPS_S.get(parts["FREQ"]):
        step = timedelta(seconds=step_s * int(parts.get("INTERVAL", "1")))
        passed = max(-1, (moment.astimezone(UTC) - anchor.astimezone(UTC)) // step)
        return (anchor.astimezone(UTC) + step * (passed + 1)).astimezone(zone)
    start = anchor.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0)
    walls = rrulestr(rule, dtstart=start)
    wall = moment.astimezone(zone).replace(tzinfo=None, fold=0) - timedelta(days=1)
    while wall := walls.after(wall):
        at = on_the_clocks(wall, zone)
        if at.astimezone(UTC) > moment.astimezone(UTC):
            return at
    return None
