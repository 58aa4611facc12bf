"""Names and their values in a file that its owner alone may read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from appliance.bridge.trouble import Lost


def secret_lines(path: Path | None, sign: str) -> dict[str, str]:
    """Of lines such as NAME=value, for the sign "="; of no file, none. Raises Lost, which holds no value."""
    if path is None:
        return {}
    try:
        with path.open(encoding="utf-8") as file:
            mode, lines = os.fstat(file.fileno()).st_mode, file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Lost("no_file", f"{path}: {error.strerror if isinstance(error, OSError) else 'not text'}") from None
    if stat.S_IMODE(mode) & 0o077:
        raise Lost("no_file", f"others can read {path}: chmod 600")
    parts = [line.partition(sign) for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not all(found for _, found, _ in parts):
        raise Lost("no_file", f"{path} has a line without {sign!r}")
    return {name.strip(): value.strip() for name, _, value in parts}
