"""Finds a hub in the home by the name that it announces with multicast DNS (hub/announce.py)."""

from __future__ import annotations

from zeroconf import InterfaceChoice, IPVersion, Zeroconf
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from appliance.bridge.trouble import Lost

SERVICE = "_voice-appliance._tcp.local."
FIND_S = (1.5, 1.5, 2.0)
"""Of each attempt, in which it is asked for once more; Wi-Fi loses some of what goes to all."""


async def find(name: str) -> str:
    """Its address, such as https://192.168.1.20:8770. Raises Lost.

    Asked by IPv4, through the network that the kernel takes: to list those that there are needs AF_NETLINK, which the
    bridge's jail does not give.
    """
    try:
        asking = AsyncZeroconf(interfaces=InterfaceChoice.Default, ip_version=IPVersion.V4Only)
    except OSError as error:
        raise Lost("not_let_out" if isinstance(error, PermissionError) else "no_hub", str(error)) from None
    try:
        info = await _found(asking.zeroconf, name)
    finally:
        await asking.async_close()
    scheme = "https" if info.properties.get(b"tls") == b"1" else "http"
    return f"{scheme}://{info.parsed_addresses()[0]}:{info.port}"


async def _found(asking: Zeroconf, name: str) -> AsyncServiceInfo:
    """Raises Lost."""
    for patience_s in FIND_S:
        info = AsyncServiceInfo(SERVICE, f"{name}.{SERVICE}")
        # Anew each time: an address that stands before its server in a packet (0.154) is found in the cache alone.
        if await info.async_request(asking, patience_s * 1_000) and info.parsed_addresses():
            return info
    raise Lost("no_hub", name)
