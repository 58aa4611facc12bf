"""What sets the machine's clock for the appliance, which may not: systemd/clock, behind a socket that systemd holds."""

from __future__ import annotations

import socket
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from appliance.ports import ClockSet, about_to_act

SOCKET = Path("/run/va-clock/socket")
"""As in systemd/va-clock.socket."""
PATIENCE_S = 5.0
"""A Python that starts from a slow card takes a second or two; longer than a tool may take nobody waits."""


def ask_helper(moment: datetime, path: Path = SOCKET) -> ClockSet:
    """A `ClockSetter`. Raises Cancelled where nobody waits for it any more."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE_S)
        try:
            connection.connect(str(path))
        except OSError:
            return ClockSet.NOBODY
        about_to_act()
        with suppress(OSError, ValueError):
            connection.sendall(f"{moment.isoformat(timespec='seconds')}\n".encode())
            connection.shutdown(socket.SHUT_WR)
            return ClockSet(connection.makefile().readline().strip())
    return ClockSet.REFUSED
