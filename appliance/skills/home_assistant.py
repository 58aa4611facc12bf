"""What skills have Home Assistant do, through the bridge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from appliance.ports import Bridge

PROVIDER = "home"
CALL_S = 8.0
"""What Home Assistant takes at most to do something; a lock of a sleepy radio network takes some 5 s."""


def call(
    bridge: Bridge,
    service: str,
    things: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
    timeout_s: float = CALL_S,
    response: bool = False,
    provider: str = PROVIDER,
) -> Any:
    """Wait until it is done, and give what Home Assistant answers.  service: with its domain, light.turn_on.

    provider: another that has things of the house.  Raises BadArgument, CannotBeDone.
    """
    domain, _, name = service.partition(".")
    return bridge.ask(
        provider, "call", timeout_s, domain=domain, service=name, entities=[*things], data=dict(data or {}),
        response=response,
    )  # fmt: skip
