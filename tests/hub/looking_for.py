"""Looks for such services for so many seconds, and prints what is found: `looking_for.py SECONDS`."""

from __future__ import annotations

import sys
import time

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf


class Found(ServiceListener):
    def add_service(self, network: Zeroconf, kind: str, name: str) -> None:
        info = network.get_service_info(kind, name, 5_000)
        assert info
        print("add", name.partition(".")[0], info.port, *sorted(info.parsed_addresses()), info.properties, flush=True)

    def update_service(self, network: Zeroconf, kind: str, name: str) -> None: ...

    def remove_service(self, network: Zeroconf, kind: str, name: str) -> None:
        print("remove", name.partition(".")[0], flush=True)


network = Zeroconf()
browser = ServiceBrowser(network, "_wyoming._tcp.local.", Found())
print("looking", flush=True)
time.sleep(float(sys.argv[1]))
browser.cancel()
network.close()
