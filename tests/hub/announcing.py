"""Announces a service and looks for it, in a network of its own: run by test_announce.py. Prints what is found."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

from appliance.hub import announce

KIND = "_wyoming._tcp.local."


class Found(ServiceListener):
    def add_service(self, network: Zeroconf, kind: str, name: str) -> None:
        info = network.get_service_info(kind, name)
        assert info
        print("add", name.partition(".")[0], info.port, *sorted(info.parsed_addresses()), info.properties, flush=True)

    def update_service(self, network: Zeroconf, kind: str, name: str) -> None: ...

    def remove_service(self, network: Zeroconf, kind: str, name: str) -> None:
        print("remove", name.partition(".")[0], flush=True)


async def main() -> None:
    announce.LOOK_S = 0.3
    network = Zeroconf(interfaces=[sys.argv[1]])
    browser = ServiceBrowser(network, KIND, Found())
    async with announce.announced(KIND, "Kitchen box", 10_300, {"version": "1"}):
        await asyncio.sleep(3)
        async with announce.announced(KIND, "Kitchen box", 10_301):  # of another machine, say
            await asyncio.sleep(4)
        subprocess.run(["ip", "address", "add", "192.168.78.2/24", "dev", "card"], check=True)
        await asyncio.sleep(4)
    await asyncio.sleep(1)
    browser.cancel()
    network.close()


asyncio.run(main())
