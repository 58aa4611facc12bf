"""The user's line as the model reads it: clock and place, what is known that may matter, what is not here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from appliance.ports import Message, Tool
from appliance.reply import prompt
from appliance.reply.addressing import name_in
from appliance.reply.house import House
from appliance.reply.recollect import Recollection
from appliance.reply.results.almanac import Almanac
from appliance.reply.results.measures import MOST, asked_units, converted
from appliance.reply.understanding.conversions import CONVERTER
from appliance.reply.understanding.corrections import REMEMBER, UPDATE
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.relevance import NOISE, shared, telling
from appliance.reply.understanding.signs import Signs
from appliance.reply.without import kept

PLAIN = Signs()
URGENT = "emergency"
"""The part of what is usual in a country that is always told of where the box stands, too."""


class Lines:
    def __init__(
        self,
        house: House,
        recollection: Recollection,
        tools: Mapping[str, Tool],
        in_digits: Callable[[str], str],
        almanac: Almanac | None,
    ) -> None:
        """tools: all that are here.  in_digits: gives a line its numbers in digits."""
        self._house, self._recollection, self._tools, self._in_digits = house, recollection, tools, in_digits
        self._almanac = almanac
        self._small = house.model.facts.small

    def _just_told(self, signs: Signs) -> Sequence[str]:
        """What was kept a turn ago, beside a question that does not name it: "and where does she live"."""
        kept = [call for call in self._house.conversation.carried.calls if call.tool in (REMEMBER, UPDATE)]
        told = [str(call.arguments.get("fact", "")) for call in kept]
        return () if signs.bare or signs.chat else told

    def _told_before(self, heard: str, signs: Signs) -> Sequence[str]:
        """What stood beside the line before, for one that goes on with it and names nothing: "and what time"."""
        carried, goes_on = self._house.conversation.carried, signs.words.elliptic.match(heard)
        return carried.facts if carried.told and goes_on and not telling(heard) - NOISE else ()

    def read(
        self, heard: str, shortlist: Sequence[Tool], speaker: str = "", background: str = "", signs: Signs = PLAIN
    ) -> Message:
        """shortlist: tools beyond those in the head.  speaker: a guest's name.  background: what memory gave."""
        house, beside = self._house, self._beside(heard, shortlist, background, signs)
        answers, condition = house.conversation.carried.answers, signs.condition
        waits = self._small and condition and condition.follows
        said = condition.test if condition and waits else heard  # the order would be taken for what is asked
        return prompt.line(
            self._as_read(said, signs), house.clock.now(), house.settings.place, beside, answers, speaker
        )

    def _as_read(self, said: str, signs: Signs) -> str:
        """With its numbers in digits, and times of day in figures: a small model writes 10:30 for "half past 2"."""

        def in_figures(found: re.Match[str]) -> str:
            moment = self._house.moment_of(found[0], self._house.clock.now())
            return f"{moment.hour % 12 or 12}:{moment:%M}" if moment else found[0]

        return signs.words.spoken_clock.sub(in_figures, self._in_digits(said))

    def talked(self, heard: str, speaker: str, signs: Signs) -> Message | None:
        """A line without clock and place, as it is read where people only talk; None where it needs more beside it."""
        beside = self._beside(heard, (), "", signs)
        said = f"{beside.text}{prompt.said_by(heard, speaker)}"
        return Message("user", said, turn_begins=True) if beside.plain else None

    def asked_of_the_world(self, heard: str, signs: Signs) -> Message | None:
        """A line that asks what is the same for everybody, alone; None where something is known that may matter, or a
        standing rule tells how to speak: how sure a model is was never measured with those."""
        beside = self._beside(heard, (), "", signs)
        rules = [rule for rule in beside.wishes if not name_in([rule], self._house.settings.words.language)]
        return Message("user", heard, turn_begins=True) if beside.plain and not rules else None

    def _beside(self, heard: str, shortlist: Sequence[Tool], background: str, signs: Signs) -> prompt.Beside:
        house = self._house
        either = signs.words.either.search(heard) is not None
        called, offered = signs.words.as_called(heard), self._recollection.offered
        facts = self._told_before(heard, signs) or offered(called, signs.personal, either) or self._just_told(signs)
        where = bool(signs.words.whereabouts.search(heard) or signs.words.hereabouts.search(heard))
        asks = self._small and (signs.asks or not (signs.bare or signs.chat))
        return prompt.Beside(
            facts=facts,
            reckoned=kept("beside", self._reckoned(heard, facts, signs) if asks else "", ""),
            wishes=self._recollection.wishes() if self._small else (),
            running=[name for name in house.running() if shared(name, heard)],
            idle="timer" in heard.casefold() and not signs.words.acts.match(heard) and not house.running(),
            recent=signs.recent,
            nowhere=where and not house.settings.place,
            place=house.settings.place if where else "",
            season=kept("beside", self._season() if signs.words.seasonal.search(heard) else "", ""),
            customs=kept("beside", self._customs(heard, signs), []),
            beyond=signs.tools.wanted - self._tools.keys(),
            tools=shortlist,
            background=background,
        )

    def _season(self) -> str:
        return self._house.season(self._house.settings.place, self._house.clock.now().date())

    def _customs(self, heard: str, signs: Signs) -> list[str]:
        """What is usual in the country that the line names, or that the box stands in, if it asks for that."""
        asked = [name for name, words in signs.words.customs.items() if words.search(heard)]
        if not asked:
            return []
        house, here = self._house, self._house.settings.place
        named = house.country_in(heard) or (signs.place if house.is_place(signs.place) else "")
        told = prompt.customs(house.customs(named or here), asked)
        if URGENT in asked and named:  # it may be somebody's name, and then no help would come
            told += prompt.customs(house.customs(here), [URGENT])
        return told

    def _reckoned(self, heard: str, facts: Sequence[str], signs: Signs) -> str:
        """What the facts come to: how long ago that was, or what it is in the unit that the line asks for."""
        if self._almanac and (dated := self._almanac.beside(heard, facts, self._house.clock.now())):
            return dated
        converter = None if NUMBER.search(signs.digits) else self._tools.get(CONVERTER)
        units = asked_units(heard, signs.words.units) if converter else []
        if not converter or not units:
            return ""
        measured = (said for fact in facts for _, said in converted(self._in_digits(fact), units, converter))
        notes = " ".join(islice(measured, MOST))
        return prompt.reckoned("beside", text=notes) if notes else ""
