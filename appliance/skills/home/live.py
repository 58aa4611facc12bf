"""The house as it is now, kept current by what the bridge tells; a question is answered from here."""

from __future__ import annotations

import logging
import threading
from typing import Any

from appliance.errors import CannotBeDone
from appliance.ports import LINK, Bridge
from appliance.skills.home.house import Clean, House, house_of
from appliance.skills.home_assistant import PROVIDER, call
from appliance.skills.written import Words

log = logging.getLogger(__name__)


class LiveHouse:
    def __init__(self, bridge: Bridge | None, words: Words, clean: Clean, lists: bool = False) -> None:
        """lists: whether those that Home Assistant keeps are things of the house; else the box's own are meant."""
        self._clean = clean
        self._bridge, self._words, self._left_out = bridge, words, () if lists else ("todo",)
        self._lock = threading.Lock()
        self._house: House | None = None
        self._why = "starting"
        if bridge:
            bridge.follow(PROVIDER, self._heard)

    def now(self) -> House:
        """Raises CannotBeDone where it cannot be known."""
        if why := self.missing():
            raise CannotBeDone(why)
        with self._lock:
            assert self._house is not None
            return self._house

    def known(self) -> House:
        """What was there when it was last known; a house without anything before that."""
        with self._lock:
            return self._house or House()

    def missing(self) -> str:
        """Why nothing can be said of it now, as a sentence; empty when it can."""
        if self._bridge is None:
            return self._words.say("no_house")
        with self._lock:
            why = self._why or ("" if self._house else "starting")
        return self._words.say(f"down_{why}" if f"down_{why}" in self._words.phrases else "down") if why else ""

    def call(self, service: str, things: list[str], **data: Any) -> Any:
        """Have Home Assistant do something, and wait until it has; what it answers. Raises CannotBeDone."""
        if why := self.missing():
            raise CannotBeDone(why)
        assert self._bridge is not None
        return call(self._bridge, service, things, data)

    def _heard(self, kind: str, value: Any) -> None:
        """From the bridge's thread. What it tells is of the network: nonsense is logged, and changes nothing."""
        try:
            if kind == LINK:
                self._linked(value)
            elif kind == "house":
                house = house_of(value, self._clean).without(self._left_out)
                with self._lock:
                    self._house = house
            elif kind == "states":
                with self._lock:
                    self._house = self._house.with_states(value) if self._house else None
        except (KeyError, TypeError, AttributeError) as error:
            log.error("the bridge told nonsense of the house (%s: %r); see journalctl -u va-bridge", kind, error)

    def _linked(self, value: Any) -> None:
        with self._lock:
            self._why = "" if value["up"] else str(value.get("why") or "no_answer")
