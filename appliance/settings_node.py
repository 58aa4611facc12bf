"""Settings of a node: a box with ears and voice of its own whose thought is on a hub; settings.py tells of the rest."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from appliance.settings_thought import Table


class Node(Table):
    hub: str = Field("", pattern=r"^(https?://\S+|[A-Za-z0-9][A-Za-z0-9 ._-]*)?$", max_length=253)
    """Where this box's thought is: the name that a hub announces in the home, or its address, such as
    https://192.168.1.20:8770. Empty: the box thinks itself."""
    token_file: Path | None = None
    """Holds the token that the hub gave this box; readable by the bridge's user only, or by your own where no bridge
    runs."""
    fingerprint: str = Field("", pattern=r"^([0-9A-Fa-f]{2}:?){32}$|^$")
    """SHA-256 of the hub's certificate, as the hub shows it: no other certificate is taken. Empty: one that this system
    trusts."""
    room: str = Field("", max_length=60)
    """Where this box stands, for the hub to know; counts where its token names no room."""
    tools: list[str] = Field(["sound", "timers", "alarms"])
    """Skills whose work is done on this box: their sentences are understood here, also without the hub, and the hub may
    call their tools. Your own skills (`skills.own`) always are."""
