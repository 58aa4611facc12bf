"""Devices that tell by MQTT what they are: a house of their own, with the news that Home Assistant's has."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from appliance.bridge.gathered import Gathered
from appliance.bridge.home_assistant import AS_IT_WAS, Call
from appliance.bridge.home_assistant_house import with_states
from appliance.bridge.home_assistant_states import Known
from appliance.bridge.mqtt_discovery import entities
from appliance.bridge.mqtt_link import MqttLink
from appliance.bridge.mqtt_orders import ASSUMED, Message, ordered, restored
from appliance.bridge.mqtt_reading import STATE
from appliance.bridge.mqtt_template import Payload
from appliance.bridge.mqtt_thing import MqttThing, thing
from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import News
from appliance.settings_bridge import Mqtt
from appliance.wording import said

log = logging.getLogger(__name__)

SETTLE_S = 0.5
"""After a description came before the house is told anew: they come in bursts."""
BETWEEN_S = 2.0
"""At least, between two times that it is told."""
MOST_TOPIC = 300
"""Characters of a topic where something is described."""
MOST_THINGS = 1_000
"""Of what is told beyond, nothing is known; each takes some 10 kB."""
OF_ALL = "homeassistant"
"""The domain of services for things of any kind."""
MOST_NAMED = 20
"""Descriptions that cannot be used, and are named in the journal; anybody may write any number of them."""
MARK = "mqtt_"
"""Begins the name of each thing, so that it is none of Home Assistant's."""


class Devices:
    """A `mqtt.Part`. It tells "house" and "states", and answers "call"."""

    def __init__(self, chosen: Mqtt, own: str, language: str) -> None:
        """own: the box's own name at the discovery topics; it is no thing of the house."""
        self._prefix, self._topic, self._own, self._language = chosen.discovery, chosen.topic, own, language
        self._clear()

    def _clear(self) -> None:
        self._things: dict[str, MqttThing] = {}
        self._named: defaultdict[str, set[str]] = defaultdict(set)
        """Topic of a description -> the things that are described there."""
        self._payloads: dict[str, bytes] = {}
        """Topic of a description -> hash of it."""
        self._heard: defaultdict[str, set[str]] = defaultdict(set)
        """Topic -> the things that read it."""
        self._states: dict[str, Known] = {}
        self._too_many, self._unusable = False, 0
        self._stale = asyncio.Event()
        self._gathered = Gathered(lambda states: None)

    async def run(self, link: MqttLink, tell: News) -> None:
        self._clear()
        self._gathered = Gathered(lambda states: tell("states", states))
        await link.subscribe(f"{self._prefix}/{levels}/config" for levels in ("+/+", "+/+/+"))
        subscribed = set[str]()
        await asyncio.sleep(SETTLE_S)
        while True:
            self._stale.clear()
            wanted = {*self._heard}
            await link.unsubscribe(subscribed - wanted)
            await link.subscribe(wanted - subscribed)
            subscribed = wanted
            tell("house", self._house())
            await asyncio.sleep(BETWEEN_S - SETTLE_S)
            await self._stale.wait()
            await asyncio.sleep(SETTLE_S)

    def take(self, topic: str, payload: bytes, retained: bool) -> None:
        parts = topic.removeprefix(f"{self._prefix}/").split("/")
        if topic.startswith(f"{self._prefix}/") and parts[-1] == "config" and len(parts) in (3, 4):
            self._described(topic, parts[0], parts[1:-1], payload)
        elif names := self._heard.get(topic):
            self._told(topic, names, Payload(payload.decode(errors="replace")))

    def known(self) -> Iterable[tuple[str, Any]]:
        yield "house", self._house()

    async def answer(self, what: str, arguments: dict[str, Any], link: MqttLink | None) -> Any:
        """`call`: as the provider "home" answers it."""
        if what != "call":
            return NotImplemented
        try:
            call = Call.model_validate(arguments)
        except ValueError as error:
            raise BadArgument(said("mqtt_no_such", self._language), remedy=str(error)[:200]) from None
        if link is None:
            raise CannotBeDone(said("mqtt_gone", self._language))
        if not call.things or not call.things <= self._things.keys():
            raise BadArgument(said("mqtt_no_such", self._language), remedy="name things that are known")
        for name, service, messages in self._orders(call):
            each = self._things[name]
            for topic, payload in messages:
                await link.publish(topic, payload, retain=each.config.retain)
            if not each.readings and service in ASSUMED:
                self._changed(name, each.change({STATE: ASSUMED[service]}))
        return {"response": None}

    def _orders(self, call: Call) -> list[tuple[str, str, Sequence[Message]]]:
        """Of each thing, before any of them is published. Raises BadArgument."""
        as_it_was = (call.domain, call.service) == AS_IT_WAS
        try:
            if as_it_was:
                told = call.data["entities"]
                wanted = [(name, *restored(self._things[name].component, told[name])) for name in call.things]
            else:
                wanted = [(name, call.service, call.data) for name in call.entities]
            orders = []
            for name, service, data in wanted:
                each = self._things[name]
                if not as_it_was and call.domain not in (OF_ALL, each.component):
                    raise ValueError(f"{call.domain}.{call.service} is for other things")
                orders.append((name, service, ordered(each.component, each.config, service, data)))
            return orders
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadArgument(said("mqtt_refused", self._language), remedy=str(error)[:200]) from None

    def _described(self, topic: str, component: str, path: Sequence[str], payload: bytes) -> None:
        digest = sha256(payload).digest()
        if self._own in path or len(topic) > MOST_TOPIC or self._payloads.get(topic) == digest:
            return
        self._forget(self._named.pop(topic, set()))
        self._payloads.pop(topic, None)
        found: dict[str, MqttThing] = {}
        try:
            for kind, inner, told in entities(component, payload):
                if made := self._thing(topic, kind, told):
                    found[_name(kind, [*path, inner])] = made
        except ValueError as error:
            self._complain(topic, error)
        if found:
            self._remember(topic, found, digest)
        self._stale.set()

    def _thing(self, at: str, component: str, told: Mapping[str, Any]) -> MqttThing | None:
        """None for what is not known here. Nothing may order the box about by an order of its own."""
        try:
            made = thing(component, told)
        except ValueError as error:
            self._complain(at, error)
            return None
        orders = made and any(topic.startswith(f"{self._topic}/") for topic in made.config.topics)
        return None if orders else made

    def _complain(self, topic: str, error: ValueError) -> None:
        self._unusable += 1
        if self._unusable <= MOST_NAMED:
            log.info("what is described at %s cannot be used: %s", topic, " ".join(str(error).split())[:200])

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            for topic in self._things.pop(name).topics:
                self._heard[topic].discard(name)
                if not self._heard[topic]:
                    del self._heard[topic]
            self._states.pop(name, None)

    def _remember(self, topic: str, found: Mapping[str, MqttThing], digest: bytes) -> None:
        for name, each in found.items():
            if len(self._things) >= MOST_THINGS or name in self._things:
                if not self._too_many:
                    log.warning("%s is told twice, or is one too many of %d by MQTT; it is left out", name, MOST_THINGS)
                self._too_many = True
                continue
            self._payloads[topic] = digest
            self._things[name], self._states[name] = each, each.known
            self._named[topic].add(name)
            for heard in each.topics:
                self._heard[heard].add(name)

    def _told(self, topic: str, names: Iterable[str], payload: Payload) -> None:
        for name in names:
            self._changed(name, self._things[name].take(topic, payload))

    def _changed(self, name: str, known: Known) -> None:
        if self._states[name] != known:
            self._states[name] = known
            self._gathered.add({name: known})

    def _house(self) -> dict[str, Any]:
        areas = {each.area: each.config.device.suggested_area for each in self._things.values() if each.area}
        told: dict[str, Any] = {
            "floors": [],
            "areas": [{"id": id, "name": name, "aliases": [], "floor": None} for id, name in sorted(areas.items())],
            "entities": [
                {"id": name, "name": each.config.called or name, "aliases": [], "area": each.area or None}
                for name, each in sorted(self._things.items())
            ],
        }
        return with_states(told, self._states)


def _name(component: str, path: Iterable[str]) -> str:
    slug = "_".join(filter(None, (re.sub(r"[^a-z0-9]+", "_", part.casefold()).strip("_") for part in path)))
    return f"{component}.{MARK}{slug[:100]}"
