"""What becomes of an order at its time, on disk: it is carried out once, or told as missed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from threading import RLock
from typing import Any

from appliance.errors import StoreUnusable
from appliance.ports import ItemStore, Order, OrderOutcome
from appliance.skills.due import Due
from appliance.skills.entries import Entry
from appliance.skills.entry_tools import EntryTools
from appliance.skills.entry_words import EntryWords
from appliance.skills.schedule import Schedule

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Ended:
    """What came of one, until it was told."""

    of: int
    """The id of its entry."""
    text: str
    language: str
    at: str
    """When it was due, in ISO 8601 as entries.py writes it."""
    outcome: OrderOutcome
    said: str


class KeptOrders:
    """Implements ports.Orders. Safe to use from several threads.

    An entry that is begun becomes one that was missed while it "rang", before anything is done. One that is found so
    after a restart, and of which nothing came, was cut off: it is told, and not done again.
    """

    def __init__(self, schedule: Schedule, ended: ItemStore, tools: EntryTools, words: EntryWords) -> None:
        self._schedule, self._store, self._tools, self._words = schedule, ended, tools, words
        self._lock = RLock()
        self._ended = {item.id: _Ended(**dict[str, Any](item.body)) for item in ended.all()}
        self._running = set[int]()
        self._telling = list[int](), list[Entry]()
        """The ids of what ended, and the entries missed, that `sentence` gave last."""
        self._unkept = 0
        """The id of the last one that the disk refused."""
        known = {each.of for each in self._ended.values()}
        self._strike_off([entry for entry in schedule.missed() if entry.id in known])  # the power went in between

    def due(self) -> list[Order]:
        return [Order(entry.id, entry.text, entry.language) for entry in self._schedule.due()]

    def begin(self, order: Order) -> bool:
        with self._lock:
            entry = self._entry(order.id)
            if entry is None:
                return False
            self._running.add(order.id)
            try:
                self._schedule.miss(entry, rang=True)
            except StoreUnusable as error:
                log.error("an order is not carried out, for it could not be kept that it was: %s", error)
                self.end(order, "failed", error.spoken(order.language))
                return False
            return True

    def end(self, order: Order, outcome: OrderOutcome, said: str) -> None:
        with self._lock:
            entry = next((each for each in self._schedule.missed() if each.id == order.id), None)
            if entry is None:
                return
            if said:
                self._keep(_Ended(order.id, order.text, order.language, entry.due.at.isoformat(), outcome, said))
            self._strike_off([entry])
            self._running.discard(order.id)

    def sentence(self) -> str:
        with self._lock:
            missed = [entry for entry in self._schedule.missed() if entry.id not in self._running]
            self._telling = [*self._ended], missed
            told = [self._told(each) for each in self._ended.values()]
            return " ".join(filter(None, [*told, self._tools.missed(missed)]))

    def told(self) -> Sequence[Order]:
        with self._lock:
            (numbers, missed), self._telling = self._telling, ([], [])
            ended = [self._ended.pop(number) for number in numbers if number in self._ended]
            asked = [Order(each.of, each.text, each.language) for each in ended if each.outcome == "asked"]
            self._store.write(remove=numbers)
            self._schedule.done(*missed)
            return asked

    def _entry(self, number: int) -> Entry | None:
        """That which is due; None for one that was cancelled meanwhile."""
        return next((each for each in self._schedule.ringing() if each.id == number), None)

    def _keep(self, ended: _Ended) -> None:
        """What the disk refuses is told all the same, unless the box is switched off before."""
        try:
            [item] = self._store.write(add=[asdict(ended)])
            self._ended[item.id] = ended
        except StoreUnusable as error:
            log.error("what came of an order is not written: %s", error)
            self._unkept -= 1
            self._ended[self._unkept] = ended

    def _strike_off(self, entries: Sequence[Entry]) -> None:
        try:
            self._schedule.done(*entries)
        except StoreUnusable as error:
            log.error("an order that ended is told as cut off after a restart: %s", error)

    def _told(self, ended: _Ended) -> str:
        when = self._words.spoken(Due(datetime.fromisoformat(ended.at)))
        return self._words.say(f"told_{ended.outcome}", when=when, text=ended.text, said=ended.said)
