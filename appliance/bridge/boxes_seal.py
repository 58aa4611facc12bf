"""What boxes of one house tell each other is sealed with the house key: nobody else can write it, or change it.

It is not hidden: who is in the network can read it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

MAC_BYTES = 16
"""Of HMAC-SHA256: as much of it as RFC 2104 (5) lets nobody guess."""
LEAST_KEY = 32
"""Characters of a house key, which `secrets.token_hex` makes with 64."""


class Seal:
    def __init__(self, key: str) -> None:
        self._key = hashlib.sha256(key.encode()).digest()

    def closed(self, told: dict[str, Any], about: bytes = b"") -> bytes:
        """`told` as it is sent.  about: what both ends know, and only this message is to be good for."""
        body = json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode()
        return self._mac(body, about) + body

    def opened(self, packet: bytes, about: bytes = b"") -> dict[str, Any] | None:
        """What `closed` was given; None where nobody with the key made it, for this."""
        mac, body = packet[:MAC_BYTES], packet[MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(body, about)):
            return None
        read = json.loads(body)
        return read if isinstance(read, dict) else None

    def key_for(self, about: bytes) -> bytes:
        """32 bytes that only who has the house key can know, and that are another for each `about`."""
        return hmac.digest(self._key, about, "sha256")

    def _mac(self, body: bytes, about: bytes) -> bytes:
        lengths = len(about).to_bytes(4, "big")
        return hmac.digest(self._key, lengths + about + body, "sha256")[:MAC_BYTES]
