"""The provider "mqtt": a broker, and what the box has to do with what is said there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from aiomqtt import Will

from appliance.bridge.mqtt_link import MOST_BYTES, MqttLink, connected
from appliance.bridge.trouble import Lost
from appliance.errors import BadSettings, CannotBeDone
from appliance.ports import LINK, News
from appliance.retries import Retries
from appliance.settings_bridge import Mqtt
from appliance.wording import said

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
"""Before the next attempt to connect; doubled each time, up to LONGEST_PAUSE_S."""
LONGEST_PAUSE_S = 30.0
GOODBYE_S = 2.0
"""For the broker to take that the box is gone."""


class Part(Protocol):
    """One thing that the box has to do with the broker."""

    async def run(self, link: MqttLink, tell: News) -> None:
        """On a new connection: subscribe to what it needs, and publish, until cancelled. Raises Lost."""
        ...

    def take(self, topic: str, payload: bytes, retained: bool) -> None:
        """A message, perhaps not for this part. Nonsense is passed over."""
        ...

    def known(self) -> Iterable[tuple[str, Any]]:
        """The news that a core needs which has just connected."""
        ...

    async def answer(self, what: str, arguments: dict[str, Any], link: MqttLink | None) -> Any:
        """NotImplemented for what is no question to it. Raises BadArgument, CannotBeDone, Lost."""
        ...


class MqttProvider:
    """A `Provider`."""

    name = "mqtt"

    def __init__(
        self, chosen: Mqtt, password: Callable[[], str], parts: Sequence[Part], gone: Will, language: str
    ) -> None:
        """`password`: read anew for each attempt; raises BadSettings.  gone: what tells that the box is not there."""
        self._chosen, self._password, self._parts, self._gone = chosen, password, parts, gone
        self._language = language
        self._link: MqttLink | None = None
        """While it is up."""
        self._why = "starting"

    async def run(self, tell: News) -> None:
        retries = Retries(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        while True:
            began_s, lost = time.monotonic(), Lost("no_server")
            try:
                await self._stay(tell)
            except BadSettings as error:
                lost = Lost("no_token", str(error))
            except Lost as error:
                lost = error
            self._link, self._why = None, lost.why
            tell(LINK, self._state)
            failed = retries.failed(lost.why, time.monotonic() - began_s)
            if failed.is_news:
                log.warning("the MQTT broker at %s port %d: %s", self._chosen.host, self._chosen.port, lost)
            await asyncio.sleep(failed.pause_s)

    def known(self) -> Iterable[tuple[str, Any]]:
        yield LINK, self._state
        if self._link:
            for part in self._parts:
                yield from part.known()

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        for part in self._parts:
            try:
                answer = await part.answer(what, arguments, self._link)
            except Lost:
                raise CannotBeDone(said("mqtt_gone", self._language)) from None
            if answer is not NotImplemented:
                return answer
        raise CannotBeDone(said("mqtt_no_such", self._language), remedy=f"{what!r} is no question to {self.name}")

    @property
    def _state(self) -> dict[str, Any]:
        return {"up": True, "why": ""} if self._link else {"up": False, "why": self._why}

    async def _stay(self, tell: News) -> None:
        """Connected, until it ends. Raises Lost, BadSettings."""
        async with connected(self._chosen, self._password(), self._gone) as link:
            self._link = link
            tell(LINK, self._state)
            log.info("connected with the MQTT broker at %s port %d", self._chosen.host, self._chosen.port)
            work = [self._read(link), *(part.run(link, tell) for part in self._parts)]
            tasks = [asyncio.create_task(each) for each in work]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            except asyncio.CancelledError:
                with suppress(Lost, TimeoutError):
                    async with asyncio.timeout(GOODBYE_S):
                        await link.publish(self._gone.topic, str(self._gone.payload), retain=True)
                raise
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, link: MqttLink) -> None:
        """Raises Lost. A broker that does not leave out what is too long is not listened to either."""
        async for message in link.messages():
            if len(message.payload) > MOST_BYTES:
                continue
            for part in self._parts:
                part.take(message.topic.value, bytes(message.payload), message.retain)
