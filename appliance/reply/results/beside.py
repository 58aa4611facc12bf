"""What stands beside the results that were just read: what they come to, reckoned here, or what they do not tell."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from appliance.reply.results.almanac import Almanac
from appliance.reply.results.compared import compared
from appliance.reply.results.listing import counted
from appliance.reply.results.untold import untold
from appliance.reply.work import Work


def beside_results(
    work: Work, almanac: Almanac | None, now: datetime, in_digits: Callable[[str], str]
) -> tuple[str, bool]:
    """Notes for a small model, and whether no other reckoning is asked for.

    almanac: None in a language that has none.  in_digits: gives a text its numbers in digits.
    """
    line, calls, results, words = work.heard, work.calls, work.unread, work.signs.words
    dated = almanac.beside(line, results, now) if almanac else ""
    missing = almanac.missing(work.signs.digits, results) if almanac else ""
    apart, number = compared(line, calls, results, words), counted(line, calls, results, words)
    told = "\n".join(filter(None, [dated, apart, number, missing])) or untold(work, in_digits)
    settled = apart or number or (dated and almanac and almanac.asks_years(line))
    return told, bool(settled)
