"""Unit conversion by pint, with the names that people and models use (units.txt)."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cached_property, lru_cache
from importlib import resources
from typing import Annotated, Any

import pint
from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import SOUNDS_MIN, SoundOf, Spoken

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

    def __init__(self, sound_of: SoundOf = str.casefold) -> None:
        self._sound_of = sound_of

    def convert_units(self, value: float, from_unit: Unit, to_unit: Unit) -> Spoken:
        """Convert a measurement to another unit."""
        source, target = self._unit(from_unit), self._unit(to_unit)
        source, target = self._like(source, target), self._like(target, source)
        try:
            result = float(self._registry.Quantity(value, source).to(target).magnitude)
        except pint.DimensionalityError:
            raise CannotBeDone(f"I cannot turn {_many(source)} into {_many(target)}.") from None
        if not all(number == 0 or _LEAST <= abs(number) < _MOST for number in (value, result)):
            raise CannotBeDone("That is a number that nobody can say.")
        sentence = f"{_quantity(value, source)} is {_quantity(_rounded(result), target)}."
        return Spoken(sentence[0].upper() + sentence[1:])

    def convertible(self, one: str, other: str) -> bool:
        """Whether a measurement in the one unit can be given in the other; not of units that nobody knows."""
        try:
            source, target = self._unit(one), self._unit(other)
        except BadArgument:
            return False
        source, target = self._like(source, target), self._like(target, source)
        return bool(self._registry.Quantity(1, source).is_compatible_with(target))

    @property
    def _registry(self) -> pint.UnitRegistry[Any]:
        return _registry()

    def _unit(self, name: str) -> str:
        """pint's name of the unit. Raises BadArgument."""
        if unit := _known().get(_key(name)):
            return unit
        plain = name.lower()
        if _PLAIN.fullmatch(plain) and (found := self._registry.parse_unit_name(plain.replace(" ", "_"))):
            prefix, unit, _ = found[0]
            if plain.startswith(prefix) or len(plain) <= _SYMBOL:  # to fly is no femto-light-year
                return prefix + unit
        if len(alike := self._by_sound.get(self._sound_of(_key(name)), ())) == 1:
            return next(iter(alike))
        raise BadArgument(f"I do not know the unit {name}.", remedy="name a common unit")

    @cached_property
    def _by_sound(self) -> dict[str, set[str]]:
        """How a unit sounds -> pint's names of all that sound so."""
        units: dict[str, set[str]] = {}
        for name, unit in _known().items():
            if len(sound := self._sound_of(name)) >= SOUNDS_MIN:
                units.setdefault(sound, set()).add(unit)
        return units

    def _like(self, unit: str, other: str) -> str:
        return _FLUID[unit] if unit in _FLUID and self._registry.Quantity(1, other).check("[volume]") else unit


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[Any]:
    return pint.UnitRegistry(cache_folder=None)


@lru_cache(maxsize=1)
def _rows() -> dict[str, list[str]]:
    """pint's name -> one, many, other names."""
    text = resources.files("appliance.skills.arithmetic").joinpath("units.txt").read_text(encoding="utf-8")
    lines = [line.split(" = ") for line in text.splitlines() if not line.startswith("#")]
    return {unit: names.split(", ") for unit, names in lines}


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    """Every name that can be asked for -> pint's."""
    return {_key(name): unit for unit, names in _rows().items() for name in names}


def _key(name: str) -> str:
    """Lower case and singular, with a space for anything else than letters and digits: km/h is "km h", °C is "c".

    A recogniser writes "kilometer's per hour" as well.
    """
    plural = re.sub(r"['’]s\b", "s", name.lower())
    words = re.sub(r"[^a-z0-9]+", " ", plural.translate({ord("²"): "2", ord("³"): "3"})).split()
    return " ".join(word.removesuffix("s") if len(word) > 2 else word for word in words)


def _rounded(value: float) -> float:
    """Two decimals, and at least four significant digits: what a person can use."""
    return round(value, 2) if abs(value) >= 10 else float(f"{value:.3g}") if abs(value) >= 1 else float(f"{value:.4g}")


def _quantity(value: float, unit: str) -> str:
    sign = "minus " if value < 0 else ""
    number = f"{Decimal(repr(abs(value))):f}".removesuffix(".0")
    return f"{sign}{number} {_one(unit) if abs(value) == 1 else _many(unit)}"


def _one(unit: str) -> str:
    return _rows()[unit][0] if unit in _rows() else unit.replace("_", " ")


def _many(unit: str) -> str:
    return _rows()[unit][1] if unit in _rows() else f"{_one(unit)}s"
