"""What a line asks of stored facts or results that is plain arithmetic: no model has to write it, or makes it up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from appliance.reply import prompt
from appliance.reply.conversation import Carried
from appliance.reply.phrases import Phrases
from appliance.reply.plan import Call
from appliance.reply.results.almanac import Almanac, Span
from appliance.reply.results.compared import reckoned
from appliance.reply.results.listing import READ_LIST
from appliance.reply.results.own_times import OwnTimes
from appliance.reply.results.rates import Rates
from appliance.reply.results.todays import Todays
from appliance.reply.understanding.line import LOOKUP
from appliance.reply.understanding.tool_signs import CALCULATE
from appliance.reply.work import Work
from appliance.safety.fence import unfenced


class Reckoner:
    def __init__(
        self,
        rates: Callable[[], Rates | None],
        almanac: Almanac | None,
        phrases: Phrases,
        in_digits: Callable[[str], str],
        acting: Callable[[Sequence[Call]], bool],
        own: OwnTimes | None,
        calendar: Todays | None,
        now: Callable[[], datetime],
    ) -> None:
        """rates: read when first needed.  in_digits: gives a text its numbers in digits.

        acting: whether any of the calls does more than read.
        """
        self._rates, self._almanac, self._phrases = rates, almanac, phrases
        self._in_digits, self._acting, self._own, self._todays, self._now = in_digits, acting, own, calendar, now

    def of_line(self, work: Work, carried: Carried) -> Call | None:
        """The sum that the line asks for, of what was told before it or is known.

        carried: what the turn before left.
        """
        told = [*carried.results][-len(carried.calls) :] if carried.calls else [work.before]
        return self._of_two(work, told) or self._of_facts(work)

    def _of_facts(self, work: Work) -> Call | None:
        """The sum that the line asks for, where a rate stands in a fact beside it, or in what was found before."""
        rates = None if work.signs.conditional else self._asked(work)
        if rates is None:
            return None
        line, found = work.signs.digits, self._digits(work.lately)
        said = self._digits([work.before]) if found else []
        facts = prompt.facts_in(work.beside)
        return _calculation(rates.sum_of(line, facts, said) or rates.sum_of(line, found))

    def _of_two(self, work: Work, told: Sequence[str]) -> Call | None:
        """What two things that were told a turn ago are apart, or together, where the line asks only for that."""
        return _calculation(reckoned(work.signs, map(self._digit, told))) if CALCULATE in work.allowed else None

    def of_results(self, work: Work) -> Call | None:
        """The sum that the line asks for, where a rate stands in what was just read, or in a fact."""
        if (rates := self._asked(work)) is None:
            return None
        line, found = work.signs.digits, self._digits([text for text in work.unread if text in work.results])
        sum_ = rates.sum_of(line, [*found, *prompt.facts_in(work.beside)])
        if not sum_ and len(work.calls) == 1 and work.calls[0].tool == READ_LIST:
            sum_ = rates.of_each(line, unfenced(work.unread[0]))
        return _calculation(sum_)

    def span(self, work: Work) -> str:
        """How long it was from one date of a result to another, where that is all that the line asks; else empty."""
        if self._almanac is None or len(work.unread) != 1 or self._orders(work):
            return ""
        return self._lasted(self._almanac.span(work.heard, work.unread[0]))

    def lived(self, work: Work) -> str:
        """As `span`, of somebody who was looked up a turn ago."""
        if self._almanac is None or [call.tool for call in work.earlier] != [LOOKUP] or len(work.lately) != 1:
            return ""
        return self._lasted(self._almanac.lived(work.heard, work.lately[0]))

    def stands(self, work: Work) -> str:
        """How what the line tells stands to now, where it asks for that alone; see OwnTimes and Todays."""
        if work.signs.keeping or work.completing:
            return ""
        told = (each.answer(work.signs, self._now()) for each in (self._todays, self._own) if each)
        return next(filter(None, told), "")

    def which_day(self, work: Work) -> str:
        """See OwnTimes."""
        return self._own.which_day(work.signs) if self._own else ""

    def _lasted(self, found: Span | None) -> str:
        return self._phrases.lasted.format(years=found.years, first=found.first, last=found.last) if found else ""

    def _asked(self, work: Work) -> Rates | None:
        """None where no sum can be all that the line wants; told first, since a long text in digits costs 6 ms."""
        done = CALCULATE not in work.allowed or any(call.tool == CALCULATE for call in work.calls)
        rates = None if done else self._rates()
        return rates if rates and rates.asks(work.signs.digits) and not self._orders(work) else None

    def _digits(self, texts: Sequence[str]) -> list[str]:
        return [*map(self._digit, texts)]

    def _digit(self, text: str) -> str:
        return self._in_digits(unfenced(text))

    def _orders(self, work: Work) -> bool:
        """Whether it may want anything done with the number."""
        tools = work.signs.tools
        due = tools.due if work.signs.words.acts.match(work.heard) else frozenset()
        return self._acting([Call(name) for name in tools.meant | due | tools.ordered])


def _calculation(expression: str) -> Call | None:
    return Call(CALCULATE, {"expression": expression}) if expression else None
