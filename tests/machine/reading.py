"""What the language model makes of its instructions, made beforehand: an emulated box would read them for an hour.

It is the file that a box makes itself at its first start, and one that does not belong to it is never found there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playing import ROOT

ON_THE_BOX = """
mount -t tmpfs none /srv
mkdir -p /srv/va/models
mount --bind "$0" /srv/va/models
exec "$@"
"""
"""In a mount namespace of its own, with the model where it will lie on the box: the file is named after that too."""
READ_S = 3_600


def read(folder: Path, store: Path, settings: Mapping[str, Mapping[str, Any]]) -> Path:
    """The file, for a box with these settings."""
    config, state = folder / "config.toml", folder / "state"
    lines = ['models = "/srv/va/models"']
    for name, table in settings.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    config.write_text("\n".join(lines))
    command = [sys.executable, "-m", "appliance", "prompts", "--config", str(config), "--state", str(state), "hello"]
    apart = ["unshare", "--mount", "sh", "-ec", ON_THE_BOX, str(store)]
    subprocess.run([*apart, *command], cwd=ROOT, check=True, capture_output=True, timeout=READ_S)
    (made,) = (state / "snapshots").glob("*.kv")
    return made
