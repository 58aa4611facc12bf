"""A bundle of files for whoever helps the owner: how the box is, and nothing of what was said to it."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.errors import WrongUse, outcome_of

NAME = "support.tar.gz"
UNITS = ("va.service", "va-api.socket", "va-degraded.service", "va-verify.timer", "va-verify.service")
UNIT_FACTS = "Id,LoadState,UnitFileState,ActiveState,SubState,Result,NRestarts,ExecMainStatus,StateChangeTimestamp"
JOURNAL = ("journalctl", "--quiet", "--no-hostname", "--output=short-iso", "--unit=va*", "--lines=5000")
"""As in systemd/appliance, which reads it as root."""
UNREADABLE = (
    "The journal cannot be read by this user: run it as root, by the installed command: sudo appliance support\n"
)
WORDS_IN_IT = "Left out: log_words is on, so the journal holds what was said.\n"
PATIENCE_S = 20
HEAD = """\
A report of this appliance, for whoever helps its owner. It holds nothing that was said or stored, no labels of timers,
no words that the owner wrote into the settings, and no names of devices but those of their makers. In their places
stands "(set)", "(removed)" or "(left out)".

"""


@dataclass(frozen=True)
class Part:
    """One file of the bundle."""

    name: str
    what: str
    """In a line."""
    content: Callable[[], Any]
    """A text, or what is written as JSON; already without anything personal. May raise."""


def write(out: Path, parts: Sequence[Part]) -> None:
    """One that cannot be had says so. Raises WrongUse."""
    listed = "".join(f"{part.name:<16} {part.what}\n" for part in parts)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as bundle:
        _add(bundle, "README.txt", f"{HEAD}{listed}")
        for part in parts:
            _add(bundle, part.name, _text(outcome_of(part.content)))
    try:
        out.write_bytes(packed.getvalue())
        out.chmod(0o600)
    except OSError as error:
        what = f"{out} cannot be written ({error.strerror})"
        raise WrongUse(what, remedy="name another place: --out FILE.tar.gz") from None


def told_by(command: Sequence[str]) -> str:
    """What it prints; empty where it is not here, fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE_S)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def units() -> str:
    return told_by(["systemctl", "show", f"--property={UNIT_FACTS}", *UNITS]) or "No systemd answers here.\n"


def _add(bundle: tarfile.TarFile, name: str, text: str) -> None:
    """Of nobody: a header would name the user."""
    data = text.encode()
    entry = tarfile.TarInfo(f"support/{name}")
    entry.size, entry.mode = len(data), 0o644
    bundle.addfile(entry, io.BytesIO(data))


def _text(content: Any) -> str:
    if isinstance(content, Exception):
        return f"It cannot be had: {type(content).__name__}\n"
    return (
        content if isinstance(content, str) else json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n"
    )
