"""Which moment is meant by "ten to eight", "half past 6", "noon" or "7:40 pm"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

_NAMED = {"noon": 12, "midday": 12, "midnight": 24}
_PARTS = {"quarter": 15, "half": 30}
_HALF_DAY_H = 12
_TO_OR_PAST = re.compile(
    r"(?:a )?(?P<part>half|quarter|\d{1,2})(?: minutes?)? (?P<side>past|after|to|before) (?P<hour>\d{1,2})"
)
_CLOCK = re.compile(r"(?P<hour>\d{1,2})(?:[:. ](?P<minute>[0-5]\d))?")
_HALVES_H = {"a": 0, "p": 12, "morning": 0, "afternoon": 12, "evening": 12}
_SAID = re.compile(
    r"(?P<clock>.*?)\s*(?:o'?clock)?\s*(?:(?P<half>[ap])\.?m\.?|in the (?P<part>morning|afternoon|evening))?"
)


def find_moment(said: str, now: datetime) -> datetime | None:
    """The next such moment after `now`; None where `said` is no time of day. `said`: in English, numbers in digits."""
    plain = said.casefold().replace("’", "'").strip()
    if plain in _NAMED:
        return _next(60 * _NAMED[plain], now, whole_day=True)
    found = _SAID.fullmatch(plain)
    minutes = _minutes(found["clock"]) if found else None
    if found is None or minutes is None:
        return None
    half = _HALVES_H.get(found["half"] or found["part"])
    if half is None:
        return _next(minutes, now, whole_day=minutes > 60 * _HALF_DAY_H)
    return _next(minutes % (60 * _HALF_DAY_H) + 60 * half, now, whole_day=True)


def _minutes(plain: str) -> int | None:
    """Since midnight, or since noon."""
    if found := _TO_OR_PAST.fullmatch(plain):
        part, hour = _PARTS.get(found["part"]) or int(found["part"]), int(found["hour"])
        minutes = 60 * hour + (part if found["side"] in ("past", "after") else -part)
    elif found := _CLOCK.fullmatch(plain):
        minutes = 60 * int(found["hour"]) + int(found["minute"] or 0)
    else:
        return None
    return minutes if 0 <= minutes <= 24 * 60 else None


def _next(minutes: int, now: datetime, whole_day: bool) -> datetime:
    """whole_day: such a time comes once a day; else every twelve hours."""
    every = timedelta(hours=2 * _HALF_DAY_H if whole_day else _HALF_DAY_H)
    moment = datetime.combine(now.date(), time(), now.tzinfo) + timedelta(minutes=minutes % (24 * 60)) - every
    while True:
        for fold in (0, 1):  # in the night when the clocks go back an hour comes twice
            if (found := moment.replace(fold=fold)).astimezone(UTC) > now.astimezone(UTC):
                return found
        moment += every
