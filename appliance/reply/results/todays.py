"""What the calendar says of now: "it is Friday, isn't it", which year, quarter or week this is, whether a leap year.

A small model agrees with what it is told ("Yes, it is Friday", on a Saturday: 1.5B, 2026-11-26), though the day stands
beside the line. The words are in almanacs/*.yaml; a line that asks for more than this is left to the model.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from appliance.reply import prompt
from appliance.reply.languages import written_for
from appliance.reply.understanding.patterns import joined
from appliance.reply.understanding.signs import Signs

MONTHS_IN_QUARTER = 3


class Todays:
    def __init__(self, data: dict[str, Any]) -> None:
        """`data`: the content of a file in almanacs/."""
        names = {"weekdays": "|".join(data["weekdays"]), "months": "|".join(data["months"])}
        self._weekdays = [re.compile(name, re.IGNORECASE) for name in data["weekdays"]]
        self._months = data["months"]
        self._idle = re.compile(joined(data["todays"]["before"]), re.IGNORECASE)
        tellers: dict[str, Callable[[re.Match[str], datetime], str]] = {
            "weekday": self._weekday,
            "month": self._month,
            "year": self._year,
            "this_month": self._this_month,
            "quarter": self._quarter,
            "week": self._week,
            "leap": self._leap,
        }
        self._asked = [
            (re.compile(rf"(?<!\w)(?:{joined(data['todays'][name]).format(**names)})\W*$", re.IGNORECASE), tell)
            for name, tell in tellers.items()
        ]

    def answer(self, signs: Signs, now: datetime) -> str:
        """What is told to a line that ends in such a question; empty where it asks anything else.

        `now`: on the box's own clock.
        """
        line = signs.digits
        if signs.conditional or signs.place or signs.day or signs.words.orders_in(line):
            return ""
        found = ((asked.search(line), tell) for asked, tell in self._asked)
        alone = ((match, tell) for match, tell in found if match and self._idle.fullmatch(line[: match.start()]))
        return next((tell(match, now) for match, tell in alone), "")

    def _weekday(self, found: re.Match[str], now: datetime) -> str:
        named = next(number for number, name in enumerate(self._weekdays) if name.fullmatch(found["name"]))
        return _so(named == now.weekday(), f"{now:%A}")

    def _month(self, found: re.Match[str], now: datetime) -> str:
        return _so(self._months.index(found["name"].casefold()) == now.month - 1, f"{now:%B}")

    def _year(self, _found: re.Match[str], now: datetime) -> str:
        return _told(f"{now.year}")

    def _this_month(self, _found: re.Match[str], now: datetime) -> str:
        return _told(f"{now:%B}")

    def _quarter(self, _found: re.Match[str], now: datetime) -> str:
        quarter = (now.month - 1) // MONTHS_IN_QUARTER
        first, last = (calendar.month_name[MONTHS_IN_QUARTER * quarter + month] for month in (1, MONTHS_IN_QUARTER))
        return prompt.reckoned(f"quarter_{quarter + 1}", first=first, last=last)

    def _week(self, _found: re.Match[str], now: datetime) -> str:
        return prompt.reckoned("week", count=now.isocalendar().week)

    def _leap(self, found: re.Match[str], now: datetime) -> str:
        year = int(found["year"] or now.year)
        coming = next(each for each in range(year, year + 9) if calendar.isleap(each))
        return prompt.reckoned("leap" if coming == year else "no_leap", year=year, next=coming)


def _told(name: str) -> str:
    told = prompt.reckoned("it_is", now=name)
    return told[:1].upper() + told[1:]


def _so(so: bool, name: str) -> str:
    return f"{prompt.reckoned('yes' if so else 'no')}, {prompt.reckoned('it_is', now=name)}"


def todays(language: str) -> Todays | None:
    """None for a language in whose file such lines are not described."""
    data = written_for(language, "almanacs")
    return Todays(data) if data and "todays" in data else None
