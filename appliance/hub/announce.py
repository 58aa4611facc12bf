"""Told to the local network: what is served here, and where (mDNS, as Bonjour and Avahi speak it)."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import ifaddr
from zeroconf import Error, InterfaceChoice
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from appliance.retries import Retries

log = logging.getLogger(__name__)

LOOK_S = 15.0
"""Between two looks at the addresses of this machine: a lead is plugged in, a router gives another address."""
LONGEST_NAME = 63
"""Bytes of a name in the DNS (RFC 1035, 2.3.4)."""

EVERYBODY = ("224.0.0.251", 5_353)
"""Where multicast DNS is spoken (RFC 6762, 3)."""

Addresses = Callable[[], frozenset[str]]


def addresses() -> frozenset[str]:
    """Of this machine, in digits, but for those that nobody else reaches."""
    found = {ip.ip if isinstance(ip.ip, str) else ip.ip[0] for card in ifaddr.get_adapters() for ip in card.ips}
    return frozenset(each for each in found if not ipaddress.ip_address(each).is_loopback)


def own_address() -> frozenset[str]:
    """The one from which this machine speaks to everybody, by IPv4: to list all of them needs AF_NETLINK, which not
    every jail gives. Raises OSError where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaking:
        speaking.connect(EVERYBODY)
        return frozenset({speaking.getsockname()[0]})


@asynccontextmanager
async def announced(
    kind: str,
    name: str,
    port: int,
    told: Mapping[str, str] | None = None,
    addresses: Addresses = addresses,
    interfaces: InterfaceChoice = InterfaceChoice.All,
) -> AsyncIterator[None]:
    """While this is entered, whoever looks for `kind` finds `name` at `port`, at the addresses that this machine has.

    kind: such as "_wyoming._tcp.local.".  name: a number is put behind it where another machine has it already.
    told: what stands beside it (TXT records).  interfaces: Default, with `own_address`, asks for no list of
    them. A network that is not there, or not yet, is no error.
    """
    once = partial(_once, kind, _label(name), port, dict(told or {}), interfaces)
    task = asyncio.create_task(_keep(name, once, addresses))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _keep(
    name: str, once: Callable[[frozenset[str]], AbstractAsyncContextManager[None]], addresses: Addresses
) -> None:
    """Again whenever the addresses change."""
    retries = Retries(LOOK_S, LOOK_S)
    while True:
        try:
            here = addresses()
            if here:
                async with once(here):
                    while addresses() == here:
                        await asyncio.sleep(LOOK_S)
        except (OSError, Error) as error:
            if retries.failed(f"{type(error).__name__} {error}", 0).is_news:
                log.warning("%s is not announced to the network (%s)", name, error or type(error).__name__)
        await asyncio.sleep(LOOK_S)


@asynccontextmanager
async def _once(
    kind: str, name: str, port: int, told: dict[str, str], interfaces: InterfaceChoice, here: frozenset[str]
) -> AsyncIterator[None]:
    """Raises OSError, zeroconf.Error."""
    host = f"va-{uuid.getnode():012x}.local."  # of no other machine: addresses of two under one name would be mixed
    served = AsyncServiceInfo(
        kind, f"{name}.{kind}", port=port, properties=told, server=host, parsed_addresses=sorted(here)
    )
    network = AsyncZeroconf(interfaces=interfaces)
    try:
        await network.async_register_service(served, allow_name_change=True)
        log.info("%s is announced to the network", served.name)
        yield
    finally:
        await network.async_unregister_all_services()
        await network.async_close()


def _label(name: str) -> str:
    """A name as the DNS takes it: dots would part it."""
    return name.replace(".", "-").encode()[:LONGEST_NAME].decode(errors="ignore") or "voice-appliance"
