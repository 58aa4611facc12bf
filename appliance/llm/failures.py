"""What it means for the pool that a model server failed: a table by status, and the error that carries it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from appliance.errors import TurnFailed


class Then(Enum):
    """What is done about it."""

    KEY_RESTS = "it is not asked with that key for a while"
    SERVER_RESTS = "it is not asked for a while, with whatever key"
    KEY_IS_OUT = "it is not asked with that key again until the next start"


@dataclass(frozen=True)
class Meaning:
    what: str
    """Goes on from "the model server at ..."."""
    remedy: str
    then: Then = Then.KEY_RESTS


NO_STATUS = 0
"""There was no answer, or only half of one: that says nothing of the key."""
LOOK = "look whether it runs, and into its log"
MEANINGS = {
    NO_STATUS: Meaning("", LOOK, Then.SERVER_RESTS),
    200: Meaning("gave no answer", LOOK),
    300: Meaning("sends elsewhere, which is not followed", "write the address into the settings that it sends to"),
    400: Meaning("does not take what it was asked", LOOK),
    401: Meaning("refused the key", "correct the key's file and restart the service", Then.KEY_IS_OUT),
    403: Meaning("refused the key", "correct the key's file and restart the service", Then.KEY_IS_OUT),
    404: Meaning("has no such model", "correct the model's name or the address in the settings"),
    408: Meaning("was not asked in time", "look at the network between"),
    429: Meaning("has too much to do", "let fewer ask it, or add a server"),
    500: Meaning("failed", LOOK),
    503: Meaning("is starting, or has too much to do", LOOK),
}
"""Status -> what it means; one that is not here means what its hundred does."""


def meaning(status: int) -> Meaning:
    return MEANINGS.get(status) or MEANINGS.get(status // 100 * 100) or MEANINGS[500]


class ServerFailed(TurnFailed):
    """A model server gave no answer, or not all of one. Its text holds nothing that was sent or received."""

    def __init__(self, address: str, status: int = NO_STATUS, how: str = "", wait_s: float | None = None) -> None:
        """how: where there is no status.  wait_s: how long it asks to be left alone."""
        means = meaning(status)
        told = f"{means.what} (status {status})" if status else how
        super().__init__(f"the model server at {address} {told}", remedy=means.remedy)
        self.then, self.kind, self.wait_s = means.then, told, wait_s
