"""The settings of this box, read once from one TOML file.

A profile (`profiles.toml`) lays a board's values over the defaults; the file lays its own over the profile.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from pydantic import ValidationError

from appliance.boards import detect_profile, profiles
from appliance.errors import BadSettings, WrongUse
from appliance.settings import APP, Settings

LAST_GOOD = "settings.good.toml"
"""In the state folder: the settings that the box last started well with."""
SYSTEM_CONFIG = Path("/etc/voice-appliance/config.toml")
_SECRET = re.compile(r"key|token|password|secret", re.IGNORECASE)
"""Settings name files for these; whoever writes one in their place must not read it in the journal."""


def load(file: Path | None = None, profile: str | None = None, state: Path | None = None) -> Settings:
    """The settings from `file` (or the environment's, the system's, the user's, or none), each argument overriding it.

    Raises BadSettings naming the file, the key, the value and what is allowed.
    """
    path = _place(file)
    values = _read(path) if path else {}
    name = profile or values.get("profile") or detect_profile()
    if not isinstance(name, str) or name not in profiles():
        raise WrongUse(f"there is no profile {name!r}", remedy=f"choose one of: {', '.join(profiles())}")
    values = _merge(_merge(profiles()[name], values), {"profile": name})
    if models := os.environ.get("VOICE_APPLIANCE_MODELS"):
        values["models"] = models
    if state:
        values["state"] = state
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        given = "(not shown)" if _SECRET.search(str(first["loc"][-1])) else repr(first["input"])
        raise BadSettings(
            f"{path or 'settings'}: {key} = {given}: {first['msg']}",
            remedy="correct it; docs/settings.md lists the settings",
        ) from None


def load_or_last_good(file: Path | None, profile: str | None, state: Path | None) -> tuple[Settings, str]:
    """As `load`; where the file is wrong, those that `keep_good` kept, with what is wrong. Raises BadSettings."""
    try:
        return load(file, profile, state), ""
    except BadSettings as error:
        folder = state or Path(os.environ.get("STATE_DIRECTORY") or Settings().state)  # as systemd gives it
        good = folder / LAST_GOOD
        if not good.exists():
            raise
        return load(good, profile, state), str(error)


def keep_good(file: Path | None, state: Path) -> None:
    """Keep the file that the box has started well with, in its state folder. Raises OSError."""
    path, good = _place(file), state / LAST_GOOD
    if path and not (good.exists() and good.read_bytes() == path.read_bytes()):
        (draft := good.with_suffix(".new")).write_bytes(path.read_bytes())
        draft.chmod(0o600)
        draft.replace(good)


def _place(file: Path | None) -> Path | None:
    """Where the settings are; None where nobody wrote any."""
    if not file and (named := os.environ.get("VOICE_APPLIANCE_CONFIG")):
        file = Path(named)
    return file or next((p for p in (SYSTEM_CONFIG, user_config_path(APP) / "config.toml") if p.exists()), None)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise BadSettings(f"{path} cannot be read ({error.strerror})", remedy="name a settings file that can") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path} is not valid TOML: {error}", remedy="correct that line") from None


def _merge(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    tables = {key for key, value in over.items() if isinstance(value, dict) and isinstance(under.get(key), dict)}
    return under | over | {key: _merge(under[key], over[key]) for key in tables}
