"""The Wi-Fi of the box, through what NetworkManager obeys (systemd/wifi): networks, one of them joined, and kept.

A network that is joined is gone back from after a minute, unless somebody who reaches the box then has it kept.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError

from appliance import json_lines
from appliance.hub.gate import Call
from appliance.hub.problems import Problem
from appliance.hub.running import Tell
from appliance.hub.shapes import Done, Strict

SOCKET = Path("/run/va-wifi/socket")
"""As in systemd/va-wifi.socket."""
LIST_S, JOIN_S = 30.0, 100.0
"""The helper gives up before: a scan takes some 10 s, a network is joined within 45."""
BY_HAND = "on the box: sudo nmtui"
ONCE_MORE = "try again in a moment"
PROBLEMS: dict[str, tuple[int, str, str]] = {
    "no_manager": (503, "NetworkManager does not run on the box", "start it: sudo systemctl start NetworkManager"),
    "no_device": (409, "the box has no Wi-Fi", "plug in a Wi-Fi adapter, or use a network cable"),
    "off": (
        409,
        "the Wi-Fi of the box is switched off",
        "on the box: sudo nmcli radio wifi on; a Raspberry Pi needs its country first: sudo raspi-config",
    ),
    "absent": (409, "the network was not found", "look for it again, nearer to the router"),
    "password": (409, "the network does not take that password", "type it again"),
    "refused": (409, "the network could not be joined", f"try again, or {BY_HAND}"),
    "slow": (504, "NetworkManager did not answer in time", ONCE_MORE),
    "busy": (409, "a network is being joined already", "try again in two minutes"),
    "nothing": (409, "no network waits to be kept", "join one first"),
    "wrong": (422, "the box takes no such name or password", "a password has 8 to 63 characters"),
}
"""What the helper answers in place of a result -> status, what is wrong, remedy."""


class Network(Strict):
    name: str
    signal: int = Field(ge=0, le=100)
    """Percent."""
    kind: Literal["open", "password", "other"]
    """What it asks for; `other` cannot be joined from here."""
    joined: bool


class Networks(Strict):
    networks: list[Network]


class JoinNetwork(Strict):
    network: str = Field(min_length=1, max_length=32)
    password: SecretStr = Field(SecretStr(""), max_length=64)
    """It goes to NetworkManager, and is kept nowhere else. Empty for an open network."""


class Joined(Strict):
    joined: str
    """To be kept within a minute (`/api/v0/wifi/keep`), or the box goes back to the network from before."""


async def networks(call: Call, tell: Tell) -> Networks:
    try:
        return Networks.model_validate(await _asked(call, {"do": "list"}, LIST_S))
    except ValidationError:
        raise _broke() from None


async def join(call: Call, tell: Tell) -> Joined:
    body: JoinNetwork = call.body
    asked = {"do": "join", "network": body.network, "password": body.password.get_secret_value()}
    await _asked(call, asked, JOIN_S)
    return Joined(joined=body.network)


async def keep(call: Call, tell: Tell) -> Done:
    await _asked(call, {"do": "keep"}, LIST_S)
    return Done()


async def _asked(call: Call, asked: dict[str, Any], within_s: float) -> dict[str, Any]:
    """What the helper answers. Raises Problem."""
    try:
        async with asyncio.timeout(within_s):
            told = await _exchanged(call.hub.wifi, asked)
    except TimeoutError:
        raise Problem.of_kind("slow", "the Wi-Fi of the box did not answer in time", "look, and try again") from None
    except ValueError:
        raise _broke() from None
    except OSError:
        detail = "the box cannot set its Wi-Fi from here: it has no NetworkManager, or not the part that asks it"
        raise Problem(503, detail, f"see: systemctl status va-wifi.socket; or {BY_HAND}", kind="missing") from None
    if "error" in told:
        status, detail, remedy = PROBLEMS.get(str(told["error"]), PROBLEMS["refused"])
        raise Problem(status, detail, remedy, kind=f"wifi_{told['error']}")
    return told


async def _exchanged(path: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """Raises OSError, ValueError."""
    reader, writer = await asyncio.open_unix_connection(str(path))
    try:
        writer.write(json_lines.line(asked))
        writer.write_eof()
        return json_lines.value(await reader.read(json_lines.MOST_BYTES))
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _broke() -> Problem:
    return Problem(500, "the Wi-Fi of the box answers nonsense", f"see: journalctl -u 'va-wifi@*'; or {BY_HAND}")
