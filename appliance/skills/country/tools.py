"""The tool of the skill: one thing that is usual in a country, in a sentence."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.ports import Clock, Spoken
from appliance.skills.country.countries import country_in, customs
from appliance.skills.country.seasons import season

What = Literal["season", "money", "languages", "emergency", "prefix", "country"]
SAID: dict[str, str] = {
    "country": "That is {country}.",
    "money": "The money in {country} is: {money}.",
    "languages": "Spoken in {country}: {languages}.",
    "emergency": "In an emergency in {country}, ring {emergency}.",
    "prefix": "The dialling code of {country} is {prefix}.",
}
"""By what is asked for; each is filled with what `customs` gives."""


class CountryTools:
    def __init__(self, clock: Clock, place: str, zone: str) -> None:
        """place: where the box stands, such as "Stirling, Scotland".  zone: its own time zone."""
        self._clock, self._place, self._zone = clock, place, zone

    def tell_country(
        self, what: What, place: Annotated[str, Field(max_length=80, description="a country, when one was said")] = ""
    ) -> Spoken:
        """Tell a country's season, money, languages, emergency number or dialling code."""
        where = place or self._place
        if not where:
            raise CannotBeDone("Nobody has told me where I stand.", remedy="set place in the settings")
        if what == "season":
            return self._season(where)
        found = customs(country_in(where) or where, self._zone)
        if what not in found:
            raise CannotBeDone(f"I do not know that of {where}.")
        told = SAID[what].format_map(found)
        here = customs(self._place, self._zone).get(what, "") if what == "emergency" and place else ""
        # Whoever is in need stands here, whatever the country was that they named.
        return Spoken(f"{told} Here it is {here}." if here and here != found[what] else told)

    def _season(self, where: str) -> Spoken:
        found = season(where, self._clock.now().date())
        if not found:
            raise CannotBeDone(f"I do not know the season in {where}.")
        return Spoken(f"It is {found}." if where == self._place else f"It is {found} in {where}.")
