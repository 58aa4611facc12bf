"""Says by multicast DNS, in the home alone, that there is a hub: nodes find it by its name (bridge/hub_finding.py)."""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from zeroconf import InterfaceChoice, IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

SERVICE = "_voice-appliance._tcp.local."
LABEL_BYTES = 63
"""Of a name (RFC 6763)."""
ANYWHERE = ("10.255.255.255", 9)
"""Nothing is sent there: the kernel says which of its addresses it would be sent from."""


@asynccontextmanager
async def announced(name: str, port: int, tls: bool, addresses: Sequence[str] = ()) -> AsyncIterator[str]:
    """As long as the block runs. Gives the name, with a number behind it where another hub has it already.

    addresses: of IPv4, where the hub is reached; without any, the one that the home's network is reached from.
    Raises OSError where there is no network, or multicast is not allowed.
    """
    info = AsyncServiceInfo(
        SERVICE,
        f"{_label(name)}.{SERVICE}",
        port=port,
        properties={"tls": "1" if tls else "0", "api": "v0"},
        parsed_addresses=[*(addresses or [_address()])],
    )
    told = AsyncZeroconf(interfaces=InterfaceChoice.Default, ip_version=IPVersion.V4Only)
    try:
        await (await told.async_register_service(info, allow_name_change=True))
        yield info.name.removesuffix(f".{SERVICE}")
    finally:
        await told.async_unregister_all_services()
        await told.async_close()


def _label(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9 _-]+", "-", name).strip("- ") or socket.gethostname()
    return plain.encode()[:LABEL_BYTES].decode()


def _address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ANYWHERE)
        return str(probe.getsockname()[0])
