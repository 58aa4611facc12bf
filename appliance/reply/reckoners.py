"""What reckons in place of a small model, made for the house."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from appliance.reply.house import House
from appliance.reply.phrases import Phrases
from appliance.reply.plan import Call
from appliance.reply.results.almanac import Almanac
from appliance.reply.results.own_times import own_times
from appliance.reply.results.rates import rates_of
from appliance.reply.results.reckoner import Reckoner
from appliance.reply.results.todays import todays


def reckoner_of(
    house: House,
    almanac: Almanac | None,
    phrases: Phrases,
    in_digits: Callable[[str], str],
    acting: Callable[[Sequence[Call]], bool],
) -> Reckoner:
    """With what is known of the house's language; for a small model."""
    language, small = house.settings.words.language, house.model.facts.small
    own = own_times(language, house.moment_of, house.day_of) if small else None
    calendar = todays(language) if small else None
    return Reckoner(partial(rates_of, language), almanac, phrases, in_digits, acting, own, calendar, house.clock.now)
