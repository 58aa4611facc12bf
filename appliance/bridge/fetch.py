"""One thing out of the web, from a server that may hang, flood or lie: it is timed, counted, and never unpacked."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpx

from appliance.bridge.trouble import Lost

logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs each address, and what is searched for stands in it

CONNECT_S = 3.0
"""For one address of a server to take a connection."""
MOST_PORT = 65_535
DISCARD = 9
"""A port that is never sent anything."""
HOME_BITS = 48
"""Of a home's IPv6 addresses that are the same: providers give a /48 or a /56 (RIPE-690), so it is no more."""
HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; voice-appliance)",
    "Accept-Encoding": "identity",  # a few kB can be packed that fill the memory
}
EMBEDDING = tuple(map(IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""Addresses that lead to one of IPv4 which stands in them: mapped, NAT64, 6to4, Teredo."""

Address = IPv4Address | IPv6Address
MayReach = Callable[[Address], bool]


@dataclass(frozen=True)
class Fetched:
    status: int
    kind: str
    """The media type, such as text/html; empty where none is told."""
    charset: str
    """As the server tells it; empty where it does not."""
    content: bytes
    cut: bool
    """There was more."""


def anywhere(address: Address) -> bool:
    return True


def is_public(address: Address) -> bool:
    """Whether it is one of the internet: not of this machine, of the home, of a group, nor of no use."""
    return address.is_global and not address.is_multicast and not any(address in network for network in EMBEDDING)


def address_of(text: str, base: httpx.URL | None = None) -> httpx.URL:
    """Of a page. base: what it is relative to, where it is. Raises Lost where it is none of the web."""
    try:
        url = base.join(text) if base else httpx.URL(text)
        is_one = url.scheme in ("http", "https") and bool(url.host) and "%" not in url.host
    except (httpx.InvalidURL, ValueError) as error:
        raise Lost("nonsense", type(error).__name__) from None
    if not is_one or url.userinfo or (url.port or 0) > MOST_PORT:
        raise Lost("nonsense", "an address that is none of the web")
    return url


def of_the_internet(address: Address) -> bool:
    """Whether it is public, and not of this home either, whose machines have public addresses where it has IPv6."""
    return is_public(address) and not is_at_home(address)


def is_at_home(address: Address) -> bool:
    """Whether this machine would reach it from one of its own network. Nothing is sent."""
    if address.version == 4:
        return False
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((str(address), DISCARD))
        except OSError:
            return False
        own = IPv6Network((probe.getsockname()[0], HOME_BITS), strict=False)
    return address in own


async def fetch(
    url: str, within_s: float, most_bytes: int, redirects: int = 0, may_reach: MayReach = anywhere
) -> Fetched:
    """redirects: how many are followed.  may_reach: asked of each address before it is connected to, and no other is.

    Raises Lost.
    """
    try:
        async with asyncio.timeout(within_s), _client() as client:
            return await _followed(client, address_of(url), most_bytes, redirects, may_reach)
    except (TimeoutError, httpx.TimeoutException):
        raise Lost("no_answer") from None
    except httpx.NetworkError as error:
        raise Lost("not_let_out" if _is_forbidden(error) else "no_server") from None
    except (httpx.HTTPError, UnicodeError) as error:
        raise Lost("nonsense", type(error).__name__) from None


async def _followed(
    client: httpx.AsyncClient, url: httpx.URL, most_bytes: int, redirects: int, may_reach: MayReach
) -> Fetched:
    for _ in range(redirects + 1):
        async with _answered(client, url, may_reach) as response:
            if not response.has_redirect_location:
                return await _read(response, most_bytes)
            url = address_of(response.headers["Location"], url)
    raise Lost("nonsense", "too many redirects")


@asynccontextmanager
async def _answered(client: httpx.AsyncClient, url: httpx.URL, may_reach: MayReach) -> AsyncIterator[httpx.Response]:
    """From the first address that takes a connection. The name is resolved once: what was checked is reached."""
    found = [address for address in await _addresses(url) if may_reach(address)]
    if not found:
        raise Lost("private")
    response = await _first(client, url, found)
    try:
        yield response
    finally:
        await response.aclose()


async def _first(client: httpx.AsyncClient, url: httpx.URL, addresses: list[Address]) -> httpx.Response:
    *others, last = addresses
    for address in others:
        try:
            return await client.send(_request(client, url, address), stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            continue
    return await client.send(_request(client, url, last), stream=True)


def _request(client: httpx.AsyncClient, url: httpx.URL, address: Address) -> httpx.Request:
    """To that address; the certificate has to be of the name."""
    named = {"Host": url.netloc.decode("ascii")}
    extensions = {"sni_hostname": url.raw_host.decode("ascii")}
    return client.build_request("GET", url.copy_with(host=str(address)), headers=named, extensions=extensions)


async def _addresses(url: httpx.URL) -> list[Address]:
    """Each once, in the order in which they are to be tried. Raises Lost."""
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            url.raw_host.decode("ascii"), port, type=socket.SOCK_STREAM
        )
    except (OSError, UnicodeError) as error:
        raise Lost("no_server", type(error).__name__) from None
    return [*dict.fromkeys(ip_address(str(place[4][0])) for place in found)]


async def _read(response: httpx.Response, most_bytes: int) -> Fetched:
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise Lost("nonsense", "a packed answer")
    content = bytearray()
    async for piece in response.aiter_raw():
        content += piece
        if len(content) > most_bytes:
            break
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().casefold()
    charset = response.charset_encoding or ""
    return Fetched(response.status_code, kind, charset, bytes(content[:most_bytes]), len(content) > most_bytes)


def _client() -> httpx.AsyncClient:
    times = httpx.Timeout(None, connect=CONNECT_S)  # whoever fetches has a time for all of it
    return httpx.AsyncClient(verify=_certificates(), trust_env=False, timeout=times, headers=HEADERS)


@cache
def _certificates() -> ssl.SSLContext:
    """The system's; SSL_CERT_FILE in the environment names others."""
    return ssl.create_default_context()


def _is_forbidden(error: BaseException) -> bool:
    """Whether the unit's IPAddressDeny= kept it."""
    return any(isinstance(each, PermissionError) for each in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
