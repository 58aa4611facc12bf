"""The provider "announce": tells the home where this box's hub is, for the hub's own process has no network."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any

from appliance.bridge.trouble import Lost
from appliance.errors import BadArgument
from appliance.ports import LINK, News
from appliance.retries import Retries
from appliance.wording import said

log = logging.getLogger(__name__)

LOOK_S = 15.0
"""Between two looks whether anything that is told to everybody leaves this process."""


class Announcement:
    """A `Provider`."""

    name = "announce"

    def __init__(
        self, announced: Callable[[], AbstractAsyncContextManager[None]], everybody: tuple[str, int], language: str
    ) -> None:
        """announced: while it is entered the hub is told of; it tries again by itself.  everybody: whom it is told."""
        self._announced, self._everybody, self._language = announced, everybody, language
        self._why = "starting"

    async def run(self, tell: News) -> None:
        retries = Retries(LOOK_S, LOOK_S)
        while why := _kept_in(self._everybody):
            if retries.failed(why, 0.0).is_news:
                log.warning("the hub is not announced: %s", Lost(why))
            self._is_now(why, tell)
            await asyncio.sleep(LOOK_S)
        self._is_now("", tell)  # before: a check ends here, and does not announce what another process does
        async with self._announced():
            await asyncio.get_running_loop().create_future()

    def known(self) -> Iterable[tuple[str, Any]]:
        yield LINK, {"up": not self._why, "why": self._why}

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        """Raises BadArgument: nothing is asked of it."""
        raise BadArgument(said("bridge_no_such", self._language))

    def _is_now(self, why: str, tell: News) -> None:
        if why != self._why:
            self._why = why
            tell(LINK, {"up": not why, "why": why})


def _kept_in(everybody: tuple[str, int]) -> str:
    """Why nothing gets there, as a code of TROUBLE; empty where it does. Tried with a packet that holds nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaking:
            speaking.connect(everybody)
            speaking.send(b"")
    except PermissionError:
        return "no_multicast"
    except OSError:
        return "no_network"
    return ""
