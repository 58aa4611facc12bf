"""Single topics that the owner named: where messages go, and where the weather is told."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from appliance.bridge.mqtt_link import MqttLink
from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import News
from appliance.wording import said


class Message(BaseModel):
    """The question "send"."""

    topic: str
    text: str = Field(min_length=1, max_length=1_000)


class Messages:
    """A `mqtt.Part`."""

    def __init__(self, topics: Collection[str], language: str) -> None:
        """topics: to no other anything is sent."""
        self._topics, self._language = topics, language

    async def run(self, link: MqttLink, tell: News) -> None:
        await asyncio.Event().wait()  # there is nothing to do

    def take(self, topic: str, payload: bytes, retained: bool) -> None:
        """Nothing is for it."""

    def known(self) -> Iterable[tuple[str, Any]]:
        return ()

    async def answer(self, what: str, arguments: dict[str, Any], link: MqttLink | None) -> Any:
        if what != "send":
            return NotImplemented
        try:
            message = Message.model_validate(arguments)
        except ValidationError as error:
            raise BadArgument(said("mqtt_no_such", self._language), remedy=str(error)[:200]) from None
        if message.topic not in self._topics:
            raise BadArgument(said("mqtt_no_such", self._language), remedy="name a topic of messages.to")
        if link is None:
            raise CannotBeDone(said("mqtt_gone", self._language))
        await link.publish(message.topic, message.text)
        return True


class Weather:
    """A `mqtt.Part`. It tells "weather": what is at the topic, None for nothing; who reads it checks it."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._report: str | None = None
        self._tell: News = lambda kind, value: None

    async def run(self, link: MqttLink, tell: News) -> None:
        self._tell, self._report = tell, None
        await link.subscribe([self._topic])
        await asyncio.Event().wait()

    def take(self, topic: str, payload: bytes, retained: bool) -> None:
        if topic == self._topic:
            self._report = payload.decode(errors="replace") or None
            self._tell("weather", self._report)

    def known(self) -> Iterable[tuple[str, Any]]:
        yield "weather", self._report

    async def answer(self, what: str, arguments: dict[str, Any], link: MqttLink | None) -> Any:
        return NotImplemented
