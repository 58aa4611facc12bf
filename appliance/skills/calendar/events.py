"""What the calendar holds, as it is told: text from outside has no markup, no control characters and an end."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from typing import cast

import icalendar

from appliance.language.clock_times import on_the_clocks

TITLE_CHARS = 80
"""A longer title is cut, at a word."""
_TAG = re.compile(r"<[^<>]{0,200}>")
_MARKUP = re.compile(r"[<>\[\]{}|`*_#~^\\=]+")


@dataclass(frozen=True)
class Event:
    """One time that it takes place."""

    uid: str
    title: str
    """May be empty."""
    begin: datetime
    """In the zone of the box; of an all-day event the beginning of its first day."""
    end: datetime
    all_day: bool = False
    repeats: bool = False
    source: str = ""
    """Name of the file that it stands in."""

    @property
    def order(self) -> tuple[date, bool, datetime]:
        """Day after day, those of all day first."""
        return self.begin.date(), not self.all_day, self.begin


def event_of(component: icalendar.Event, zone: tzinfo, source: str, repeats: bool) -> Event:
    """Of one time that it takes place, as recurring_ical_events gives it."""
    begin, end = (cast(date, component.decoded(name)) for name in ("DTSTART", "DTEND"))
    return Event(
        uid=str(component.get("UID", "")),
        title=plain_title(str(component.get("SUMMARY", ""))),
        begin=_local(begin, zone),
        end=_local(end, zone),
        all_day=not isinstance(begin, datetime),
        repeats=repeats,
        source=source,
    )


def _local(moment: date, zone: tzinfo) -> datetime:
    """A time without a zone is one of the clocks of the box, a day its beginning there."""
    if not isinstance(moment, datetime):
        return on_the_clocks(datetime.combine(moment, time()), zone)
    return moment.astimezone(zone) if moment.tzinfo else on_the_clocks(moment, zone)


def plain_title(text: str) -> str:
    """`text` on one line without tags, markup and what is not seen, at most TITLE_CHARS characters."""
    seen = "".join(" " if _is_unseen(sign) else sign for sign in unicodedata.normalize("NFC", text))
    words = _MARKUP.sub(" ", _TAG.sub(" ", seen)).split()
    plain = " ".join(words)
    if len(plain) <= TITLE_CHARS:
        return plain
    cut = plain[: TITLE_CHARS + 1].rpartition(" ")[0]
    return cut or plain[:TITLE_CHARS]


def _is_unseen(sign: str) -> bool:
    """Also marks that turn the direction of text, and those of private use."""
    return unicodedata.category(sign).startswith("C")
