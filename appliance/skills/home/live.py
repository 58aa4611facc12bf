"""The house as it is now, kept current by what the bridge tells; a question is answered from here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

from appliance.errors import CannotBeDone
from appliance.ports import LINK, Bridge
from appliance.skills.home.house import Clean, House, house_of
from appliance.skills.home_assistant import PROVIDER, call
from appliance.skills.written import Words

log = logging.getLogger(__name__)


HOUSE, STATES = "house", "states"
"""Kinds of news: all of a house, and what changed in it."""


@dataclass
class _Side:
    """What one provider tells."""

    house: House | None = None
    why: str = "starting"
    """Why it cannot be reached; empty when it can."""

    def hear(self, kind: str, value: Any) -> None:
        """`value`: of HOUSE, that house. Raises KeyError, TypeError, AttributeError for nonsense."""
        if kind == LINK:
            self.why = "" if value["up"] else str(value.get("why") or "no_answer")
        elif kind == HOUSE:
            self.house = value
        elif kind == STATES and self.house:
            self.house = self.house.with_states(value)

    @property
    def lacks(self) -> str:
        return self.why or ("" if self.house else "starting")


class LiveHouse:
    def __init__(
        self,
        bridge: Bridge | None,
        words: Words,
        clean: Clean,
        lists: bool = False,
        providers: Sequence[str] = (PROVIDER,),
    ) -> None:
        """lists: whether those that Home Assistant keeps are things of the house; else the box's own are meant.

        providers: those that tell of the house; what several tell of is the first one's.
        """
        self._clean = clean
        self._bridge, self._words, self._left_out = bridge, words, () if lists else ("todo",)
        self._lock = threading.Lock()
        self._sides = {name: _Side() for name in providers}
        self._house = House()
        if bridge:
            for name in providers:
                bridge.follow(name, partial(self._heard, name))

    def now(self) -> House:
        """What cannot be reached is in it, as such. Raises CannotBeDone where none of it can."""
        if why := self.missing():
            raise CannotBeDone(why)
        with self._lock:
            return self._house

    def known(self) -> House:
        """What was there when it was last known; a house without anything before that."""
        with self._lock:
            return self._house

    def missing(self) -> str:
        """Why nothing can be said of it now, as a sentence; empty when it can."""
        if self._bridge is None:
            return self._words.say("no_house")
        with self._lock:
            lacks = [(name, side.lacks) for name, side in self._sides.items()]
        if not all(why for _, why in lacks):
            return ""
        name, why = lacks[0]
        known = [f"down_{name}_{why}", f"down_{why}", f"down_{name}", "down"]
        return self._words.say(next(key for key in known if key in self._words.phrases))

    def call(self, service: str, things: list[str], **data: Any) -> Any:
        """Have a service done, and wait until it is; what is answered. Raises CannotBeDone."""
        if why := self.missing():
            raise CannotBeDone(why)
        assert self._bridge is not None
        answer: Any = None
        for provider, theirs, told in self._shared(things, data):
            answer = call(self._bridge, service, theirs, told, provider=provider)
        return answer

    def _shared(self, things: list[str], data: dict[str, Any]) -> Iterator[tuple[str, list[str], dict[str, Any]]]:
        """To each provider its own things; they stand among the data where each is brought to a state of its own."""
        states = data.get("entities")
        with self._lock:
            own = {name: side.house.things.keys() for name, side in self._sides.items() if side.house}
        for name, side in own.items():
            theirs = [each for each in things if each in side]
            if isinstance(states, dict):
                told = {**data, "entities": {each: state for each, state in states.items() if each in side}}
                if told["entities"]:
                    yield name, theirs, told
            elif theirs:
                yield name, theirs, data

    def _heard(self, provider: str, kind: str, value: Any) -> None:
        """From the bridge's thread. What it tells is of the network: nonsense is logged, and changes nothing."""
        try:
            value = house_of(value, self._clean).without(self._left_out) if kind == HOUSE else value
            with self._lock:
                self._sides[provider].hear(kind, value)
                joined = self._joined()
                # The same rooms are what tells a reader that no name has changed: it then keeps its lists.
                self._house = replace(joined, areas=self._house.areas) if kind == STATES else joined
        except (KeyError, TypeError, AttributeError) as error:
            log.error("the bridge told nonsense of the house (%s: %r); see journalctl -u va-bridge", kind, error)

    def _joined(self) -> House:
        """One that cannot be reached counts as lost where another can."""
        up = any(not side.lacks for side in self._sides.values())
        houses = [side.house.lost() if up and side.why else side.house for side in self._sides.values() if side.house]
        return reduce(House.and_also, houses) if houses else House()
