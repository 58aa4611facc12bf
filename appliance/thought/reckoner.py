"""What a line asks of stored facts or results that is plain arithmetic: no model has to write it, or makes it up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.thought import prompt
from appliance.thought.almanac import Almanac
from appliance.thought.fence import unfenced
from appliance.thought.phrases import Phrases
from appliance.thought.plan import Call
from appliance.thought.rates import Rates
from appliance.thought.tool_signs import CALCULATE
from appliance.thought.verdict import READ_LIST
from appliance.thought.work import Work


class Reckoner:
    def __init__(
        self,
        rates: Rates | None,
        almanac: Almanac | None,
        phrases: Phrases,
        in_digits: Callable[[str], str],
        acting: Callable[[Sequence[Call]], bool],
    ) -> None:
        """in_digits: gives a text its numbers in digits.  acting: whether any of the calls does more than read."""
        self._rates, self._almanac, self._phrases = rates, almanac, phrases
        self._in_digits, self._acting = in_digits, acting

    def of_facts(self, work: Work) -> Call | None:
        """The sum that the line asks for, where a rate stands in a fact beside it."""
        if work.signs.conditional:
            return None
        lately = [self._in_digits(unfenced(text)) for text in (*work.lately, work.before)]
        return self._sum(work, prompt.facts_in(work.beside), lately[1:]) or self._sum(work, lately[:-1])

    def of_results(self, work: Work) -> Call | None:
        """The sum that the line asks for, where a rate stands in what was just read."""
        found = [self._in_digits(unfenced(text)) for text in work.unread if text in work.results]  # no conversion
        listed = unfenced(work.unread[0]) if len(work.calls) == 1 and work.calls[0].tool == READ_LIST else ""
        return self._sum(work, [*found, *prompt.facts_in(work.beside)], listed=listed)

    def span(self, work: Work) -> str:
        """How long it was from one date of a result to another, where that is all that the line asks; else empty."""
        if self._almanac is None or len(work.unread) != 1 or self._orders(work):
            return ""
        found = self._almanac.span(work.heard, work.unread[0])
        return self._phrases.lasted.format(years=found.years, first=found.first, last=found.last) if found else ""

    def _sum(self, work: Work, texts: Sequence[str], before: Sequence[str] = (), listed: str = "") -> Call | None:
        done = any(call.tool == CALCULATE for call in work.calls)
        if self._rates is None or done or CALCULATE not in work.allowed or self._orders(work):
            return None
        line = work.signs.digits
        expression = self._rates.sum_of(line, texts, before) or (self._rates.of_each(line, listed) if listed else "")
        return Call(CALCULATE, {"expression": expression}) if expression else None

    def _orders(self, work: Work) -> bool:
        """Whether it may want anything done with the number."""
        tools = work.signs.tools
        due = tools.due if work.signs.words.acts.match(work.heard) else frozenset()
        return self._acting([Call(name) for name in tools.meant | due | tools.ordered])
