"""What a stored rate comes to: "6.2 litres per 100 kilometres", and a trip of 350 kilometres.

A small model converts the kilometres into miles, or makes the number up. The words are in rates/*.yaml (en.yaml
explains the sections); a language without a file has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from appliance.language.quantities import decimal
from appliance.reply.languages import written_for
from appliance.reply.understanding.patterns import joined, whole
from appliance.reply.understanding.templates import templates

_NUMBER = r"\d+(?:[.,]\d+)*"
_ENDING = re.compile(r"(?<=\w{3})[ens]+$")
"""Of a word that is counted, in English and in German: tablets, bottles, Dosen."""
_OF = r" of(?: [^\W\d_]+)"
_FIGURE = re.compile(_NUMBER)
_ONE = "1"
ANY = "any"
"""The unit of a number that was just reckoned."""
_OUTCOME = re.compile(r" (\d+(?:\.\d+)?)\.?$")


@dataclass(frozen=True)
class Amount:
    number: str
    unit: str


@dataclass(frozen=True)
class Rate:
    gives: Amount
    per: Amount


class Rates:
    def __init__(self, data: dict[str, Any], units: Mapping[str, str]) -> None:
        """`data`: the content of a file in rates/.  units: a name as it is said, in lower case -> the tools' own."""
        self._units, self._many = units, data["many"]
        self._inside = {
            self._unit(large): {self._unit(small): count for small, count in parts.items()}
            for large, parts in data["inside"].items()
        }
        names = "|".join(sorted(map(re.escape, units), key=len, reverse=True))
        unit = rf"(?!(?:{joined(data['ruled_out'])})(?!\w))(?:(?:{names})(?!\w)|[^\W\d_]{{2,}})"
        per, costs, one = joined(data["per"]), joined(data["costs"]), joined(data["one"])
        amount = rf"(?P<sign>[€$£])?(?P<number>{_NUMBER})"
        measured, counted = rf"{amount}(?:[ -]?(?P<unit>{unit}))?", rf"(?P<count>{_NUMBER})[ -]?(?P<of>{unit})"
        self._asks, self._grave, self._partial = (whole(data[name]) for name in ("asks", "grave", "partial"))
        self._plus = re.compile(rf",? (?:{joined(data['plus'])})(?!\w)", re.IGNORECASE)
        self._forms = (
            _pattern(rf"{measured}(?:{_OF}{{1,3}}?)?(?: ?/ ?| {per} )(?:{counted}|(?P<per>{unit}))"),
            _pattern(rf"(?:{one} (?P<per>{unit})|{counted})(?:{_OF})? {costs} {measured}"),
            _pattern(rf"{measured},? (?P<times>{_NUMBER}) {joined(data['times'])} {per} (?P<per>{unit})"),
        )
        apiece = rf"(?P<number>{_NUMBER})(?: {unit})? {joined(data['apiece'])}"
        self._each = _pattern(rf"{apiece}|{joined(data['all'])} {costs} (?P<whole>{_NUMBER})")
        self._between = re.compile(rf",| {data['between']} ", re.IGNORECASE)
        self._amount = _pattern(rf"{amount}[ -]?(?P<unit>{unit})")
        self._single = _pattern(rf"{one} (?P<unit>{unit})")
        self._wanted = _pattern(rf"(?:{joined(data['counted'])}) (?P<unit>{unit})")

    def asks(self, line: str) -> bool:
        """Whether it may want an amount; for any other line there is nothing to calculate."""
        return self._asks.search(line) is not None

    def sum_of(self, line: str, texts: Sequence[str], before: Sequence[str] = ()) -> str:
        """What to calculate, empty where it is not clear; numbers of the line and of the others are in digits.

        texts: what may hold the rate, for the amount in the line.  before: what may hold the amount, where it is the
        line that gives the rate: "and at 4 euros a kilo".
        """
        if not self.asks(line) or any(self._grave.search(text) for text in (line, *texts)):
            return ""
        if len(self._outside(_FIGURE, line)) > 1:  # what the others are for is not known
            return ""
        rates = [rate for text in texts if not self._partial.search(text) for rate in self._rates(text)]
        said = [*self._amounts(line), *self._singles(line)]
        wanted = [self._unit(each["unit"]) for each in self._wanted.finditer(line)]
        sums = self._sums(((rate, amount) for rate in rates for amount in said), wanted)
        if not (sums or said):
            given = [amount for text in before for amount in self._amounts(text)]
            given = given or [Amount(found[1], ANY) for text in before if (found := _OUTCOME.search(text))]
            sums = self._sums(((rate, amount) for rate in self._rates(line) for amount in given), wanted)
        return sums.pop() if len(sums) == 1 else ""

    def of_each(self, line: str, listed: str) -> str:
        """What to calculate of a list, where the line says what there is for each of the things on it; else empty."""
        found = self._each.search(line) if self.asks(line) else None
        things = [thing for thing in self._between.split(listed.partition(": ")[2] or listed) if thing.strip()]
        several = len(things) > 1  # "there is nothing on it" is no thing
        return f"{len(things)} * {decimal(found['number'] or found['whole'])}" if found and several else ""

    def _rates(self, text: str) -> Iterator[Rate]:
        for form in self._forms:
            for match in form.finditer(text):
                if not self._plus.match(text, match.end()):
                    yield self._rate(match.groupdict())

    def _rate(self, found: Mapping[str, str | None]) -> Rate:
        """found: the groups of one of the forms."""
        often, count = found.get("times"), found.get("count") or _ONE
        number = decimal(found["number"] or "") + (f" * {often}" if often else "")
        gives, per = found["sign"] or found["unit"] or "", found["per"] or found.get("of") or ""
        return Rate(Amount(number, self._unit(gives)), Amount(decimal(count), self._unit(per)))

    def _amounts(self, text: str) -> list[Amount]:
        """Those that are no part of a rate."""
        found = self._outside(self._amount, text)
        return [Amount(decimal(match["number"]), self._unit(match["sign"] or match["unit"])) for match in found]

    def _singles(self, text: str) -> list[Amount]:
        """One of each unit that is named so: "a whole year"."""
        return [Amount(_ONE, self._unit(match["unit"])) for match in self._outside(self._single, text)]

    def _outside(self, pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
        taken = [match.span() for form in self._forms for match in form.finditer(text)]
        found = pattern.finditer(text)
        return [match for match in found if not any(start <= match.start() < end for start, end in taken)]

    def _sums(self, pairs: Iterable[tuple[Rate, Amount]], wanted: Sequence[str]) -> set[str]:
        return {sum_ for rate, amount in pairs if (sum_ := self._sum(rate, amount, wanted))}

    def _sum(self, rate: Rate, amount: Amount, wanted: Sequence[str]) -> str:
        """Of what is given for an amount, or of what an amount is given for.  wanted: the units that the line names."""
        gives, per = rate.gives, rate.per
        forth, back = self._in_unit(amount, per.unit), self._in_unit(amount, gives.unit)
        if forth and (gives.unit in wanted or per.unit not in wanted):
            sum_ = f"{forth}{_by('/', per.number)} * {gives.number}".removeprefix("1 * ")
            return sum_ if " " in sum_ else ""  # one of what it is for is the rate itself
        if back and gives.unit and per.unit in wanted:
            return f"{back} / {gives.number}{_by('*', per.number)}"
        return ""

    def _in_unit(self, amount: Amount, unit: str) -> str:
        """That amount, as it is reckoned; empty where the one unit is none of the other."""
        if amount.unit in (unit, ANY):
            return amount.number
        if count := self._inside.get(amount.unit, {}).get(unit):
            return str(count) if amount.number == _ONE else f"{amount.number} * {count}"
        count = self._inside.get(unit, {}).get(amount.unit)
        return f"{amount.number} / {count}" if count else ""

    def _unit(self, name: str) -> str:
        said = " ".join(name.casefold().split())
        return self._units.get(said) or _ENDING.sub("", self._many.get(said, said))


@cache
def rates_of(language: str) -> Rates | None:
    """None for a language without a file."""
    data, sentences = written_for(language, "rates"), templates(language)
    return Rates(data, sentences.units) if data and sentences else None


def _pattern(text: str) -> re.Pattern[str]:
    """Of whole words and numbers, in any case."""
    return re.compile(rf"(?<![\w.,:])(?:{text})(?!\w)", re.IGNORECASE)


def _by(sign: str, number: str) -> str:
    return "" if number == _ONE else f" {sign} {number}"
