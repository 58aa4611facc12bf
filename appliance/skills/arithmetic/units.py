"""Unit conversion by pint, with the names that people and models use (units.en.txt)."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any

import pint
from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import capital
from appliance.language.numbers import written_number
from appliance.ports import SOUNDS_MIN, SoundOf, Spoken
from appliance.skills.written import FALLBACK, Words

_FLUID = {"ounce": "fluid_ounce"}
"""Units of weight that are one of volume when the other side is a volume."""
_LEAST, _MOST = 1e-9, 1e15
"""Numbers between these can be said, and a float holds them to the digits that are said."""
_SYMBOL = 2
"""Letters of a symbol that nobody takes for a word: nm, ms."""
_PLAIN = re.compile(r"[a-z][a-z ]{1,40}")
"""Names that pint may look up itself; nothing that it would calculate with."""

Unit = Annotated[str, Field(max_length=40)]


class Converter:
    """Constructing it is free: pint's registry is read when the first conversion comes, in 0.2 s."""

    def __init__(self, sound_of: SoundOf = str.casefold, language: str = FALLBACK) -> None:
        self._sound_of, self._words = sound_of, Words(Path(__file__).parent, language)
        self._language = self._words.language

    def convert_units(self, value: float, from_unit: Unit, to_unit: Unit) -> Spoken:
        """Convert a measurement to another unit."""
        source, target = self._unit(from_unit), self._unit(to_unit)
        source, target = self._like(source, target), self._like(target, source)
        try:
            result = float(self._registry.Quantity(value, source).to(target).magnitude)
        except pint.DimensionalityError:
            said = self._words.say("other_kind", many=self._many(source), others=self._many(target))
            raise CannotBeDone(capital(said)) from None
        if not all(number == 0 or _LEAST <= abs(number) < _MOST for number in (value, result)):
            raise CannotBeDone(self._words.say("unsayable"))
        one, other = self._quantity(value, source), self._quantity(_rounded(result), target)
        return Spoken(capital(self._words.say("converted", one=one, other=other)))

    @property
    def _registry(self) -> pint.UnitRegistry[Any]:
        return _registry()

    def _unit(self, name: str) -> str:
        """pint's name of the unit. Raises BadArgument."""
        if unit := _known(self._language).get(_key(name)):
            return unit
        plain = name.lower()
        if _PLAIN.fullmatch(plain) and (found := self._registry.parse_unit_name(plain.replace(" ", "_"))):
            prefix, unit, _ = found[0]
            if plain.startswith(prefix) or len(plain) <= _SYMBOL:  # to fly is no femto-light-year
                return prefix + unit
        if len(alike := self._by_sound.get(self._sound_of(_key(name)), ())) == 1:
            return next(iter(alike))
        raise BadArgument(self._words.say("unknown_unit", unit=name), remedy="name a common unit")

    @cached_property
    def _by_sound(self) -> dict[str, set[str]]:
        """How a unit sounds -> pint's names of all that sound so."""
        units: dict[str, set[str]] = {}
        for name, unit in _known(self._language).items():
            if len(sound := self._sound_of(name)) >= SOUNDS_MIN:
                units.setdefault(sound, set()).add(unit)
        return units

    def _like(self, unit: str, other: str) -> str:
        return _FLUID[unit] if unit in _FLUID and self._registry.Quantity(1, other).check("[volume]") else unit

    def _quantity(self, value: float, unit: str) -> str:
        number = written_number(f"{Decimal(repr(abs(value))):f}".removesuffix(".0"), self._language)
        text = f"{number} {self._one(unit) if abs(value) == 1 else self._many(unit)}"
        return self._words.say("minus", number=text) if value < 0 else text

    def _one(self, unit: str) -> str:
        rows = _rows(self._language)
        return rows[unit][0] if unit in rows else unit.replace("_", " ")

    def _many(self, unit: str) -> str:
        rows = _rows(self._language)
        return rows[unit][1] if unit in rows else self._words.say("many", unit=self._one(unit))


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[Any]:
    return pint.UnitRegistry(cache_folder=None)


@cache
def _rows(language: str = FALLBACK) -> dict[str, list[str]]:
    """pint's name -> one, many, other names."""
    text = Path(__file__).with_name(f"units.{language}.txt").read_text(encoding="utf-8")
    lines = [line.split(" = ") for line in text.splitlines() if not line.startswith("#")]
    return {unit: names.split(", ") for unit, names in lines}


@cache
def _known(language: str) -> dict[str, str]:
    """Every name that can be asked for, in English too, which a model may write -> pint's."""
    both = (FALLBACK, language)
    return {_key(name): unit for each in both for unit, names in _rows(each).items() for name in names}


def _key(name: str) -> str:
    """Lower case and singular, with a space for anything else than letters and digits: km/h is "km h", °C is "c".

    A recogniser writes "kilometer's per hour" as well.
    """
    plural = re.sub(r"['’]s\b", "s", name.casefold())
    words = re.sub(r"[\W_]+", " ", plural.translate({ord("²"): "2", ord("³"): "3"})).split()
    return " ".join(word.removesuffix("s") if len(word) > 2 else word for word in words)


def _rounded(value: float) -> float:
    """Two decimals, and at least four significant digits: what a person can use."""
    return round(value, 2) if abs(value) >= 10 else float(f"{value:.3g}") if abs(value) >= 1 else float(f"{value:.4g}")
