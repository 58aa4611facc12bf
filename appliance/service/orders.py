"""Carries out what was put off, once its time has come, on the thread that thinks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

from appliance.errors import ApplianceError, TurnFailed, explained
from appliance.ports import Order, Orders, Thinker

log = logging.getLogger(__name__)

Do = Callable[[Callable[[Thinker], None]], None]
"""Hands work to the thread that thinks."""


class DueOrders:
    def __init__(self, kept: Sequence[Orders], do: Do, language: str) -> None:
        """kept: those of each skill that has some.  language: of what is told."""
        self._kept, self._do, self._language = kept, do, language

    def each_round(self) -> None:
        """Hand over those whose time has come."""
        for orders in self._kept:
            for order in orders.due():
                self._do(partial(carry_out, orders, order, self._language))

    def sentence(self) -> str:
        """What is to be told of those that ended or were missed; empty for nothing."""
        return " ".join(filter(None, (orders.sentence() for orders in self._kept)))

    def told(self) -> None:
        """What `sentence` gave last was heard. Raises StoreUnusable."""
        for orders in self._kept:
            for order in orders.told():
                self._do(partial(_await_answer, order))


def carry_out(orders: Orders, order: Order, language: str, thinker: Thinker) -> None:
    """Once, whatever comes of it."""
    if not orders.begin(order):
        return
    try:
        with explained(lambda error: TurnFailed(f"it broke ({error})", remedy="see the journal"), log):
            outcome, said = thinker.carry_out(order)
    except ApplianceError as error:
        log.error("an order for later: %s", error)
        outcome, said = "failed", error.spoken(language)
    log.info("an order for later: %s", outcome)
    orders.end(order, outcome, said)


def _await_answer(order: Order, thinker: Thinker) -> None:
    thinker.await_answer(order)
