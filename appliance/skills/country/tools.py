"""The tool of the skill: one thing that is usual in a country, in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.language.places import in_place
from appliance.ports import Clock, Spoken
from appliance.skills.country.countries import country_in, customs
from appliance.skills.country.seasons import season
from appliance.skills.written import FALLBACK, Words

What = Literal["season", "money", "languages", "emergency", "prefix", "country"]


class CountryTools:
    def __init__(self, clock: Clock, place: str, zone: str, language: str = FALLBACK) -> None:
        """place: where the box stands, such as "Stirling, Scotland".  zone: its own time zone."""
        self._clock, self._place, self._zone = clock, place, zone
        self._words = Words(Path(__file__).parent, language)
        self._language = self._words.language

    def tell_country(
        self, what: What, place: Annotated[str, Field(max_length=80, description="a country, when one was said")] = ""
    ) -> Spoken:
        """Tell a country's season, money, languages, emergency number or dialling code."""
        where = place or self._place
        if not where:
            raise CannotBeDone(self._words.say("no_place"), remedy="set place in the settings")
        if what == "season":
            return self._season(where)
        found = customs(country_in(where) or where, self._zone, self._language)
        if what not in found:
            raise CannotBeDone(self._words.say("unknown", place=where))
        told = self._words.say(what, in_place=in_place(found["country"], self._language), **found)
        here = customs(self._place, self._zone).get(what, "") if what == "emergency" and place else ""
        # Whoever is in need stands here, whatever the country was that they named.
        return self._words.say("here", told=told, number=here) if here and here != found[what] else told

    def _season(self, where: str) -> Spoken:
        found, there = season(where, self._clock.now().date()), in_place(where, self._language)
        if not found:
            raise CannotBeDone(self._words.say("no_season", in_place=there))
        named = self._words.phrases["seasons"][found]
        return self._words.say("season" if where == self._place else "season_there", season=named, in_place=there)
