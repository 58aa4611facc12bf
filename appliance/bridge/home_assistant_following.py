"""What one connection to Home Assistant knows of the house, kept up to date, and told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter

from appliance.bridge.gathered import Gathered
from appliance.bridge.home_assistant_house import (
    ASSISTANT,
    Area,
    Device,
    Entry,
    Exposed,
    ExposeNew,
    Floor,
    House,
    State,
    exposed,
    with_states,
)
from appliance.bridge.home_assistant_link import HomeAssistantLink, Refused
from appliance.bridge.home_assistant_states import Known, States, known
from appliance.ports import News

Row = TypeVar("Row", bound=BaseModel)

log = logging.getLogger(__name__)

SETTLE_S = 0.5
"""After a change before the house is read anew: changes come in bursts."""
BETWEEN_S = 2.0
"""At least, between two readings of the house."""
RENEW_S = 300.0
"""At most: for what was exposed or hidden that is not in the registry there is no news."""
CHANGES = (
    "area_registry_updated",
    "device_registry_updated",
    "entity_registry_updated",
    "floor_registry_updated",
    "component_loaded",
    "homeassistant_started",
)
"""Events after which the house is read anew."""


class Following:
    def __init__(self, link: HomeAssistantLink, tell: News) -> None:
        self.link, self._tell = link, tell
        self._told: dict[str, Any] = {}
        self._states = States()
        self._changed = Gathered(self._tell_states)
        self._subscription: tuple[int, set[str]] | None = None
        self._stale = asyncio.Event()

    @property
    def names(self) -> Collection[str]:
        """Of what is exposed."""
        return self._states.now.keys()

    def house(self) -> dict[str, Any]:
        """News "house"."""
        return with_states(self._told, self._states.now)

    async def run(self, began: Callable[[], None]) -> None:
        """Until the connection ends; `began` is called once all is known. Raises Lost, Refused, ValidationError."""
        for event in CHANGES:
            await self.link.subscribe("subscribe_events", lambda event: self._stale.set(), event_type=event)
        await self._read(began)
        while True:
            await asyncio.sleep(BETWEEN_S - SETTLE_S)
            await self.link.wait(self._stale, RENEW_S)
            await asyncio.sleep(SETTLE_S)
            await self._read(lambda: None)

    async def _read(self, first: Callable[[], None]) -> None:
        """Tell of the house where it is another. Raises Lost, Refused, ValidationError."""
        self._stale.clear()
        house = await _house(self.link)
        told = house.told()
        if told != self._told:
            self._told = told
            self._states.now = {name: known(state.state, state.attributes) for name, state in house.states.items()}
            first()
            self._tell("house", self.house())
        await self._subscribe({*house.states})

    async def _subscribe(self, names: set[str]) -> None:
        """Raises Lost, Refused."""
        before = self._subscription
        if before and before[1] == names:
            return
        self._subscription = None
        if names:  # of no names it would tell of everything
            number = await self.link.subscribe("subscribe_entities", self._take, entity_ids=sorted(names))
            self._subscription = number, names
        if before:
            await self.link.unsubscribe(before[0])

    def _take(self, event: dict[str, Any]) -> None:
        """Raises ValueError."""
        changed = self._states.take(event)
        if event.get("r"):
            self._stale.set()
        self._changed.add(changed)

    def _tell_states(self, states: dict[str, Known]) -> None:
        if not self.link.ended:
            self._tell("states", states)


async def _house(link: HomeAssistantLink) -> House:
    """Raises Lost, Refused, ValidationError."""
    entries = _rows(Entry, await link.read("config/entity_registry/list"))
    states = _rows(State, await link.read("get_states"))
    decided = Exposed.model_validate(await link.read("homeassistant/expose_entity/list"))
    new = ExposeNew.model_validate(await link.read("homeassistant/expose_new_entities/get", assistant=ASSISTANT))
    names = exposed(decided, entries, states, new.expose_new)
    registered = sorted(names & {entry.entity_id for entry in entries})
    whole = await link.read("config/entity_registry/get_entries", entity_ids=registered)
    return House(
        floors=await _floors(link),
        areas=_rows(Area, await link.read("config/area_registry/list")),
        devices=_rows(Device, await link.read("config/device_registry/list")),
        entries=TypeAdapter(dict[str, Entry | None]).validate_python(whole),
        states={state.entity_id: state for state in states if state.entity_id in names},
    )


async def _floors(link: HomeAssistantLink) -> Sequence[Floor]:
    """None where it is older than 2024.4. Raises Lost, Refused, ValidationError."""
    try:
        return _rows(Floor, await link.read("config/floor_registry/list"))
    except Refused as refused:
        if refused.code != "unknown_command":
            raise
        return []


def _rows(kind: type[Row], told: Any) -> list[Row]:
    """Raises ValidationError."""
    return TypeAdapter(list[kind]).validate_python(told)  # type: ignore[valid-type]
