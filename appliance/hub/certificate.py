"""The certificate of a box that no authority knows: it makes its own, and whoever uses it pins the fingerprint."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from appliance.errors import WrongUse

CERTIFICATE, KEY = "tls.crt", "tls.key"
VALID = timedelta(days=10 * 365)
"""It is pinned, so a new one would have to be pinned on each client."""
_MARGIN = timedelta(days=2)
"""Before now: a box without a clock starts in the past."""
_REMEDY = "look at hub.folder, or remove both files, and the hub makes new ones"


def certificate_in(folder: Path, names: Sequence[str]) -> tuple[Path, Path]:
    """The files of the certificate and of its key; made where neither is there. Raises WrongUse."""
    certificate, key = folder / CERTIFICATE, folder / KEY
    if certificate.exists() != key.exists():
        raise WrongUse(f"of {certificate} and {key} one is missing", remedy=_REMEDY)
    if not key.exists():
        try:
            _make(certificate, key, names)
        except OSError as error:
            raise WrongUse(f"no certificate can be made in {folder} ({error.strerror})", remedy=_REMEDY) from None
    return certificate, key


def fingerprint(certificate: Path) -> str:
    """SHA-256, as browsers show it. Raises WrongUse."""
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes()).fingerprint(hashes.SHA256())
    except (OSError, ValueError):
        raise WrongUse(f"{certificate} cannot be read", remedy=_REMEDY) from None
    return found.hex(":").upper()


def _make(certificate: Path, key: Path, names: Sequence[str]) -> None:
    """Raises OSError."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0][:64])])
    now = datetime.now(UTC)
    known = [x509.DNSName(each) for each in dict.fromkeys([*names, "localhost"])]
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _MARGIN)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName(known), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(private, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for path, content in ((key, secret), (certificate, signed.public_bytes(pem))):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
