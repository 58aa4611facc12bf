"""A key or a password of a server, from its file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from appliance.errors import BadSettings


def read_key(path: Path, setting: str) -> str:
    """The one line of a file that only its owner may read. Raises BadSettings, with the name of `setting`."""
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            key = file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not text"
        raise BadSettings(f"the key file {path} cannot be read ({why})", remedy=f"correct {setting}") from None
    if stat.S_IMODE(mode) & 0o077:
        raise BadSettings(f"the key file {path} can be read by others", remedy=f"run: chmod 600 {path}")
    if not key:
        raise BadSettings(f"the key file {path} is empty", remedy="write the key or the password into it")
    return key
