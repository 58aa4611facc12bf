"""The hub, through the bridge: what is asked of it, the clauses that come of it, and whether it is there."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from uuid import uuid4

from appliance.audio import Stale
from appliance.errors import Cancelled, HubFailed, ToolError, outcome_of
from appliance.ports import LINK, Bridge

log = logging.getLogger(__name__)

HUB = "hub"
"""The bridge's provider."""
CLAUSE = "clause"
"""Kind of the news of a clause (bridge/hub.py)."""
LOOK_S = 0.05
"""Between two looks whether anybody waits still."""
GRACE_S = 1.0
"""Beyond the time of a question, for the bridge to say itself that it took too long."""
STOP_S = 3.0

SENTENCE_OF_WHY = {
    "refused": "hub_refused",
    "no_token": "hub_refused",
    "busy": "hub_busy",
    "not_ready": "hub_busy",
    "failed": "hub_failed",
    "nonsense": "hub_failed",
    "no_talk": "hub_failed",
    "out_of_step": "hub_failed",
    "unfit": "hub_failed",
    "slow": "hub_unknown",
    "unknown": "hub_unknown",
}
"""Code of bridge/trouble.py -> name of what is said of it; any other is `hub_lost`."""
TOUCHED = frozenset({"failed", "nonsense", "slow", "unknown"})
"""Where something may have been done."""

Say = Callable[[str], None]
_Told = tuple[str, Any]


class HubLink:
    """For one thread that asks, and those of the bridge that tell."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._listening: dict[str, SimpleQueue[_Told]] = {}
        """Key of a question -> where its clauses go."""
        self._why = "starting"
        bridge.follow(HUB, self._heard)

    @property
    def trouble(self) -> str:
        """A code of bridge/trouble.py; empty while the hub can be reached."""
        return self._why

    def ask(self, what: str, ends_s: float, say: Say, stale: Stale, **arguments: Any) -> dict[str, Any]:
        """What the hub gives, in the fields of ports/command_api.py. `say` gets each clause before, on this thread.

        ends_s: monotonic.  Raises HubFailed; Cancelled as soon as nobody waits any more, and the hub is told to stop.
        """
        key, told = uuid4().hex, SimpleQueue[_Told]()
        self._listening[key] = told
        left_s = max(ends_s - time.monotonic(), LOOK_S)
        given = {**arguments, "key": key, "within_s": left_s}
        asking = lambda: self._bridge.ask(HUB, what, left_s + GRACE_S, **given)  # noqa: E731
        Thread(target=lambda: told.put(("", outcome_of(asking))), name=f"hub {what}", daemon=True).start()
        said = False
        try:
            while True:
                kind, value = _next(told, stale)
                if kind == CLAUSE:
                    said = True
                    say(str(value))
                else:
                    return _result(value, said)
        except Cancelled:
            self._stop(str(arguments.get("conversation", "")))
            raise
        finally:
            del self._listening[key]

    def _stop(self, conversation: str) -> None:
        def stop() -> None:
            outcome = outcome_of(
                lambda: self._bridge.ask(HUB, "stop", STOP_S + GRACE_S, conversation=conversation, within_s=STOP_S)
            )
            log.debug("the hub was told to stop: %s", outcome)

        Thread(target=stop, name="hub stop", daemon=True).start()

    def _heard(self, kind: str, value: Any) -> None:
        """A `News`."""
        if kind == LINK:
            self._why = "" if value["up"] else str(value["why"])
        elif kind == CLAUSE and (told := self._listening.get(value["key"])):
            told.put((CLAUSE, value["text"]))


def failed(why: str, told: str, said: bool = False) -> HubFailed:
    """said: something was, already."""
    sentence = SENTENCE_OF_WHY.get(why, "hub_lost")
    untouched = not said and why not in TOUCHED
    return HubFailed(told, remedy="run: appliance bridge check", why=why, sentence=sentence, untouched=untouched)


def _next(told: SimpleQueue[_Told], stale: Stale) -> _Told:
    """Raises Cancelled."""
    while True:
        if stale():
            raise Cancelled
        try:
            return told.get(timeout=LOOK_S)
        except Empty:
            continue


def _result(outcome: Any, said: bool) -> dict[str, Any]:
    """Raises HubFailed, and whatever else broke."""
    if isinstance(outcome, ToolError):  # the bridge's own: it is gone, or was too slow
        raise failed("no_bridge", outcome.what, said)
    if isinstance(outcome, Exception):
        raise outcome
    if "result" in outcome:
        return dict(outcome["result"])
    raise failed(str(outcome["why"]), str(outcome["told"]), said)
