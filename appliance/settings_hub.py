"""Settings of the hub, the server for programs and people in the home; settings.py tells of the rest."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_state_path
from pydantic import Field

from appliance.settings_thought import APP, Table


class Hub(Table):
    port: int = Field(8_770, ge=1, le=65_535)
    """Where it listens if no service manager opens its port; va-hub.socket has its own."""
    address: str = Field("127.0.0.1", pattern=r"^[0-9A-Fa-f.:]{2,45}$")
    """Likewise, as an address of this machine; 0.0.0.0 is all of IPv4."""
    name: str = Field("", pattern=r"^[A-Za-z0-9.-]*$", max_length=253)
    """By which browsers call it, such as kitchen.lan. It is also reached as localhost, by any of its addresses, and by
    the name of this machine, alone or with .local or .lan behind it; no other name is answered."""
    announce: bool = False
    """Whether the bridge tells the home where the hub is (mDNS: _voice-appliance._tcp), under the first part of `name`
    or the name of this machine, with `port`; docs/reference.md (The hub) says what that needs."""
    folder: Path = Field(default_factory=lambda: user_state_path(APP) / "hub")
    """Of its tokens' hashes and its certificate, readable by its user only."""
    core_socket: Path = Path("/run/va/hub.sock")
    """Where the appliance answers it."""
    tls: bool = False
    """Whether it is reached by https alone: with a certificate that it makes itself at its first start, or with the
    files tls.crt and tls.key that you put into its folder."""
    per_minute: int = Field(120, ge=1, le=100_000)
    """Requests of one token, on the long run; half as many may come at once."""
