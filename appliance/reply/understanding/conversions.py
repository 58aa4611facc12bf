"""A line that wants one measurement in another unit, however it is put: "it is nine miles, I only think in kilometres".

A small model makes a sum of it, or says a number that nobody reckoned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from appliance.language.quantities import decimal
from appliance.reply.understanding.patterns import NUMBER

CONVERTER = "convert_units"
Convertible = Callable[[str, str], bool]
"""Whether a measurement in the one unit can be given in the other."""

SHORTEST = 2
"""A name of fewer letters is no unit without a number before it: there is an m in "I'm"."""
PARTS = {"foot": ("inch", 12), "stone": ("pound", 14), "pound": ("ounce", 16)}
"""Unit -> the one that a number behind it counts, and how many of those it has: "5 foot 4", "11 stone 6"."""


class Conversions:
    def __init__(self, units: Mapping[str, str], convertible: Convertible) -> None:
        """units: as a name is said, in lower case -> what the tool calls it."""
        self._units, self._convertible = units, convertible
        names = "|".join(sorted(map(re.escape, units), key=len, reverse=True))
        value = rf"(?P<minus>minus |-)?(?P<value>{NUMBER.pattern})[ -]?"
        self._unit_said = re.compile(rf"(?<![\w.])(?:{value})?(?<![^\W\d])(?P<unit>{names})(?![\w'])", re.IGNORECASE)
        upper = "|".join(re.escape(name) for name, unit in units.items() if unit in PARTS)
        rest = rf"(?P<rest>\d{{1,2}})(?![\w.:])(?: (?P<rest_unit>{names})(?![\w']))?"
        self._two_said = re.compile(
            rf"(?<![\w.])(?P<value>\d{{1,3}})[ -]?(?P<unit>{upper})[ ,]+(?:and )?{rest}", re.IGNORECASE
        )

    def read(self, digits: str) -> dict[str, Any] | None:
        """The arguments of the one conversion that the line may ask for; None where there is no or another reading.

        digits: the line, with its numbers in digits; exactly one, before a unit, and beside it one other of its kind.
        """
        digits = self._in_one(digits)
        numbers = NUMBER.findall(digits)
        if len(numbers) != 1 or ":" in numbers[0]:
            return None
        found = self._named(digits)
        given = [match for match in found if match["value"]]
        if len(given) != 1:
            return None
        source = self._unit(given[0])
        named = {self._unit(match) for match in found if not match["value"]}
        targets = {unit for unit in named - {source} if self._convertible(source, unit)}
        if len(targets) != 1:
            return None
        value = float(decimal(numbers[0])) * (-1 if given[0]["minus"] else 1)
        return {"value": int(value) if value.is_integer() else value, "from_unit": source, "to_unit": targets.pop()}

    def measured(self, text: str) -> bool:
        """Whether a unit of measurement is named."""
        return bool(self._named(text))

    def _in_one(self, digits: str) -> str:
        """ "6 foot 2" as 74 inch."""

        def joined(found: re.Match[str]) -> str:
            upper, lower = self._unit(found), self._units.get((found["rest_unit"] or "").casefold(), "")
            part, count = PARTS.get(upper, ("", 0))
            if not count or lower not in ("", part):
                return found[0]
            return f"{int(found['value']) * count + int(found['rest'])} {part}"

        return self._two_said.sub(joined, digits)

    def _named(self, text: str) -> list[re.Match[str]]:
        found = self._unit_said.finditer(text)
        return [match for match in found if match["value"] or len(match["unit"]) >= SHORTEST]

    def _unit(self, match: re.Match[str]) -> str:
        return self._units[match["unit"].casefold()]
