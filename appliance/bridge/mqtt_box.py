"""The box itself as a device of Home Assistant, by its MQTT discovery: what it shows, and what may be ordered."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib import resources
from typing import Any

import yaml
from aiomqtt import Will
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from appliance.bridge.mqtt_link import MqttLink
from appliance.errors import BadArgument
from appliance.ports import News
from appliance.settings_bridge import Mqtt
from appliance.wording import FALLBACK, said

log = logging.getLogger(__name__)

SILENT_S = 90.0
"""A service that has shown nothing for so long is gone; it shows something every 30 s (service/device.py)."""
MINUTE_S = 60.0
MOST_TEXT = 300
"""Characters of an announcement, as of one that was asked for aloud (skills/announcements/)."""
AVAILABLE = "availability"
UNKNOWN = "None"
"""What Home Assistant takes for a value that there is none of."""
DOMAINS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "state": ("sensor", {}),
    "muted": ("switch", {}),
    "volume": ("number", {"min": 0, "max": 100, "step": 1, "unit_of_measurement": "%"}),
    "latency": ("sensor", {"device_class": "duration", "unit_of_measurement": "ms", "state_class": "measurement"}),
    "next_alarm": ("sensor", {"device_class": "timestamp"}),
    "announce": ("notify", {}),
}
"""Entity -> its platform in Home Assistant, and what stands in its description."""


class Shown(BaseModel):
    """The question "show": what the box shows."""

    model_config = ConfigDict(extra="forbid")

    state: str = Field(max_length=30)
    muted: bool
    volume: int = Field(ge=0, le=100)
    latency: int | None = None
    """Of the last answer: ms from the end of speech to its first sound."""
    next_alarm: AwareDatetime | None = None


def _muted(payload: str) -> bool | None:
    return {"ON": True, "OFF": False}.get(payload)


def _volume(payload: str) -> int | None:
    found = re.fullmatch(r"(\d{1,3})(?:\.0+)?", payload)
    return int(found[1]) if found and int(found[1]) <= 100 else None


def _announce(payload: str) -> str | None:
    text = " ".join(payload.split())
    return text if 0 < len(text) <= MOST_TEXT else None


ORDERS: Mapping[str, tuple[Callable[[str], Any], int]] = {
    "muted": (_muted, 12),
    "volume": (_volume, 60),
    "announce": (_announce, 6),
}
"""What may be ordered -> what reads it, None being nonsense; and how often a minute."""


class Box:
    """A `mqtt.Part`. It tells "order": {"do": a name of ORDERS, "to": ..}."""

    def __init__(self, chosen: Mqtt, room: str, language: str) -> None:
        """room: where the box is, for Home Assistant to place it there; empty is unknown."""
        self._topic, self._discovery, self._room = chosen.topic, chosen.discovery, room
        self._language = language
        self.id = re.sub(r"[^A-Za-z0-9_-]", "_", chosen.topic)
        self._orders = {f"{self._topic}/{name}/set": name for name in ORDERS}
        self._ordered = {name: deque[float](maxlen=most) for name, (_, most) in ORDERS.items()}
        self._warned_s = dict.fromkeys(ORDERS, float("-inf"))
        self._shown: Shown | None = None
        self._changed = asyncio.Event()
        self._tell: News = lambda kind, value: None

    @property
    def gone(self) -> Will:
        return Will(self._of(AVAILABLE), "offline", qos=1, retain=True)

    async def run(self, link: MqttLink, tell: News) -> None:
        self._tell = tell
        for topic, described in self.described().items():
            await link.publish(topic, json.dumps(described, ensure_ascii=False), retain=True)
        await link.subscribe(self._orders)
        published: dict[str, str] = {}
        while True:
            self._changed.clear()
            for topic, payload in self._payloads().items():
                if published.get(topic) != payload:
                    await link.publish(topic, payload, retain=True)
                    published[topic] = payload
            await self._wait()

    def take(self, topic: str, payload: bytes, retained: bool) -> None:
        """A retained order is not of this moment: the broker would give it again at every connection."""
        name = self._orders.get(topic)
        if name is None or retained:
            return
        try:
            value = ORDERS[name][0](payload.decode())
        except UnicodeDecodeError:
            value = None
        if value is None:
            self._warn(name, f"what is ordered at {topic} makes no sense")
        elif not self._may(name):
            self._warn(name, f"{name} is ordered more than {self._ordered[name].maxlen} times a minute")
        else:
            self._tell("order", {"do": name, "to": value})

    def known(self) -> Iterable[tuple[str, Any]]:
        return ()

    async def answer(self, what: str, arguments: dict[str, Any], link: MqttLink | None) -> Any:
        """`show`: the fields of Shown, or nothing from a service that ends. Taken also while the broker is away."""
        if what != "show":
            return NotImplemented
        try:
            self._shown = Shown.model_validate(arguments) if arguments else None
        except ValidationError as error:
            raise BadArgument(said("mqtt_no_such", self._language), remedy=str(error)[:200]) from None
        self._changed.set()
        return True

    def described(self) -> dict[str, dict[str, Any]]:
        """Topic of Home Assistant's discovery -> what is told there of an entity."""
        device = {"identifiers": [self.id], "name": self._names["box"]}
        if self._room:
            device["suggested_area"] = self._room
        found: dict[str, dict[str, Any]] = {}
        for name, (domain, more) in DOMAINS.items():
            topics = {"state_topic": self._of(name)} if name in Shown.model_fields else {}
            topics |= {"command_topic": f"{self._of(name)}/set"} if name in ORDERS else {}
            found[f"{self._discovery}/{domain}/{self.id}/{name}/config"] = {
                "name": self._names[name],
                "unique_id": f"{self.id}_{name}",
                "object_id": f"{self.id}_{name}",
                "availability_topic": self._of(AVAILABLE),
                "device": device,
                **topics,
                **more,
            }
        return found

    @cached_property
    def _names(self) -> Mapping[str, str]:
        tables = yaml.safe_load(resources.files(__package__).joinpath("mqtt_box.yaml").read_text("utf-8"))
        return dict(tables.get(self._language, tables[FALLBACK]))

    def _of(self, name: str) -> str:
        return f"{self._topic}/{name}"

    def _payloads(self) -> dict[str, str]:
        if self._shown is None:
            return {self._of(AVAILABLE): "offline"}
        values = self._shown.model_dump(mode="json")
        values |= {"muted": "ON" if self._shown.muted else "OFF", AVAILABLE: "online"}
        return {self._of(name): UNKNOWN if value is None else str(value) for name, value in values.items()}

    async def _wait(self) -> None:
        """For something else to show. A service that shows nothing any more is gone."""
        try:
            async with asyncio.timeout(SILENT_S):
                await self._changed.wait()
        except TimeoutError:
            self._shown = None

    def _may(self, name: str) -> bool:
        """Whether it was not ordered too often in the last minute."""
        times, now_s = self._ordered[name], time.monotonic()
        if len(times) == times.maxlen and now_s - times[0] < MINUTE_S:
            return False
        times.append(now_s)
        return True

    def _warn(self, name: str, what: str) -> None:
        """Once a minute: whoever orders may do so without end."""
        if time.monotonic() - self._warned_s[name] >= MINUTE_S:
            log.warning("%s, by MQTT; it is left out", what)
            self._warned_s[name] = time.monotonic()
