"""What is written down for one language, in a folder of YAML files."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, where PyYAML was built with it, takes a sixth of the time."""


@cache
def written_for(language: str, folder: str) -> dict[str, Any] | None:
    """The content of `<folder>/<language>.yaml`, beside this module; None for a language without such a file.

    Not to be changed: it is read once.
    """
    path = resources.files("appliance.reply").joinpath(folder, f"{language}.yaml")
    if not path.is_file():
        return None
    return dict(yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER))
