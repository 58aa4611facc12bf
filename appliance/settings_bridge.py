"""Settings of the bridge, and of what it reaches in the network; settings.py tells of the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator

from appliance.settings_thought import Table


def _of_the_web(address: str) -> str:
    if address and not address.startswith(("https://", "http://")):
        raise ValueError("an address that begins with https:// (or http://, in the clear)")
    return address


WebAddress = Annotated[str, AfterValidator(_of_the_web)]
"""Empty is none."""


AskBefore = Literal["open", "unlock", "disarm"]


class Bridge(Table):
    socket: Path | None = None
    """Where `appliance bridge run` is asked: /run/va-bridge/socket on a box with va-bridge.socket. Without it the box
    reaches nothing in the network."""


class HomeAssistant(Table):
    url: WebAddress = ""
    """Address of Home Assistant as a browser has it, such as http://homeassistant.local:8123; empty is none."""
    token_file: Path | None = None
    """Holds a long-lived access token of one of its administrators; readable by the bridge's user only."""
    room: str = ""
    """Name of the room that the box is in, as Home Assistant has it: "the lights" are then those in it."""
    ask_before: list[AskBefore] = Field(["open", "unlock", "disarm"])
    """What is asked about first: opening a door, a gate or a garage, unlocking a lock, disarming an alarm."""
    use_lists: bool = False
    """Whether its lists count: "put milk on the party list" then goes there, if it has one of that name."""


class Weather(Table):
    file: Path | None = None
    """A file with a report of the weather, in JSON, that something else writes (docs/reference.md). Without it the
    weather is that of Home Assistant, where there is one."""


class Messages(Table):
    to: dict[str, str] = Field({})
    """Whom the box may send messages to: what you call somebody = the service of Home Assistant that notifies them,
    such as notify.mobile_app_mias_phone. Each message is read back first, and sent after a yes."""

    @field_validator("to")
    @classmethod
    def _services(cls, to: dict[str, str]) -> dict[str, str]:
        for service in to.values():
            if not re.fullmatch(r"notify\.[a-z0-9_]+", service):
                raise ValueError("services such as notify.mobile_app_mias_phone")
        return to
