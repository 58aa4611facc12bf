"""Word to the service manager: the sd_notify protocol, which systemd promises to keep (man sd_notify)."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import MutableMapping

log = logging.getLogger(__name__)


class ServiceManager:
    """Takes its variables out of the environment: no child may speak for the service. Silent where there is none."""

    def __init__(self, environment: MutableMapping[str, str]) -> None:
        address = environment.pop("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        for_us = environment.pop("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        limit_us = environment.pop("WATCHDOG_USEC", "")
        self.watchdog_s = int(limit_us) / 1_000_000 if limit_us and for_us else None

    @property
    def is_there(self) -> bool:
        return bool(self._address)

    def tell(self, **fields: str | int) -> None:
        if not self._address:
            return
        lines = (f"{name}={' '.join(str(value).split())}" for name, value in fields.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.settimeout(1)  # the loop must not hang because its manager does
                line.connect(self._address)
                line.sendall("\n".join(lines).encode())
        except OSError as error:
            log.warning("the service manager does not listen (%s)", error)
