"""Which certificate of a hub is taken: one that this system trusts, or one alone, told by its fingerprint."""

from __future__ import annotations

import hashlib
import hmac
import ssl

OTHER = "another certificate than the pinned one"


def trust(fingerprint: str) -> ssl.SSLContext:
    """fingerprint: SHA-256 in hex, colons or not; empty is whatever the system trusts."""
    if not fingerprint:
        return ssl.create_default_context()
    pinned = Pinned(ssl.PROTOCOL_TLS_CLIENT)
    pinned.check_hostname = False  # a hub is also reached by its address, and its certificate is of its own making
    pinned.verify_mode = ssl.CERT_NONE  # `_Connection` holds it against the fingerprint, before anything is sent
    pinned.sslobject_class = _Connection
    pinned.digest = bytes.fromhex(fingerprint.replace(":", ""))
    return pinned


class Pinned(ssl.SSLContext):
    digest = b""


class _Connection(ssl.SSLObject):
    def do_handshake(self) -> None:
        """Raises SSLCertVerificationError."""
        super().do_handshake()
        assert isinstance(self.context, Pinned)
        shown = hashlib.sha256(self.getpeercert(binary_form=True) or b"").digest()
        if not hmac.compare_digest(shown, self.context.digest):
            raise ssl.SSLCertVerificationError(OTHER)
