"""The settings of this box, read once from one TOML file.

A profile (`profiles.toml`) lays a board's values over the defaults, a sound hat (`hats.toml`) its own over those of the
body, what was chosen on the hub's page (choices_file.py) its own over both, and the file its own over all.
"""

from __future__ import annotations

import logging
import os
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_state_path
from pydantic import ValidationError

from appliance.boards import detect_profile, hats, profiles
from appliance.choices_file import Choices
from appliance.errors import BadSettings, WrongUse, first_fault
from appliance.settings import APP, Settings
from appliance.settings_choices import Kept, as_settings, fixed_in, off_in

log = logging.getLogger(__name__)

LAST_GOOD = "settings.good.toml"
"""In the state folder: the settings that the box last started well with."""
SYSTEM_CONFIG = Path("/etc/voice-appliance/config.toml")
_SECRET = re.compile(r"key|token|password|secret", re.IGNORECASE)
"""Settings name files for these; whoever writes one in their place must not read it in the journal."""


@dataclass(frozen=True)
class Source:
    """Where the settings of this box come from: the arguments of a command line, each of which overrides."""

    file: Path | None = None
    """None: the environment's, the system's, the user's, or none."""
    profile: str | None = None
    state: Path | None = None

    def load(self, kept: Kept | None = None) -> Settings:
        """kept: in place of what was chosen on the page. Raises BadSettings naming the file, the key, the value and
        what is allowed."""
        values = self._written()
        chosen = as_settings(self.choices.kept if kept is None else kept, values)
        try:
            return self._valid(chosen, values)
        except ValidationError as error:
            if not kept and chosen and (without := self._without_choices(values)):
                log.error("what was chosen on the page is passed over: %s", first_fault(error, "settings"))
                return without
            raise _bad(_place(self.file), error) from None

    def _written(self) -> dict[str, Any]:
        """What the settings file says; nothing where there is none. Raises BadSettings."""
        path = _place(self.file)
        return _read(path) if path else {}

    @property
    def choices(self) -> Choices:
        """What was chosen on the page."""
        folder = self.state or self._state_in_file() or user_state_path(APP)
        return Choices(Path(str(folder)))

    def _state_in_file(self) -> str:
        try:
            return str(self._written().get("state") or "")
        except BadSettings:
            return os.environ.get("STATE_DIRECTORY") or ""  # as systemd gives it

    def fixed(self) -> set[str]:
        """Names of the choices that the settings file makes. Raises BadSettings."""
        return fixed_in(self._written())

    def off(self) -> set[str]:
        """Names of the skills that the settings file switches off. Raises BadSettings."""
        return set(off_in(self._written()))

    @property
    def set_up(self) -> bool:
        """Whether anybody ever chose anything, on the page or in the settings file."""
        try:
            return self.choices.there or bool(self.fixed() or self.off())
        except BadSettings:
            return True  # with a mistake

    def _without_choices(self, values: dict[str, Any]) -> Settings | None:
        try:
            return self._valid({}, values)
        except ValidationError:
            return None  # it is the file that is wrong

    def _valid(self, chosen: dict[str, Any], values: dict[str, Any]) -> Settings:
        """Raises WrongUse, ValidationError."""
        name = self.profile or values.get("profile") or detect_profile()
        if not isinstance(name, str) or name not in profiles():
            raise WrongUse(f"there is no profile {name!r}", remedy=f"choose one of: {', '.join(profiles())}")
        beneath = _merge(_merge(profiles()[name], {"body": _hat(values)}), chosen)
        values = _merge(_merge(beneath, values), {"profile": name})
        if off := chosen.get("skills", {}).get("off"):
            values["skills"] = {**values["skills"], "off": off}
        if models := os.environ.get("VOICE_APPLIANCE_MODELS"):
            values["models"] = models
        if self.state:
            values["state"] = self.state
        return Settings.model_validate(values)


def load(file: Path | None = None, profile: str | None = None, state: Path | None = None) -> Settings:
    """See Source. Raises BadSettings."""
    return Source(file, profile, state).load()


def _bad(path: Path | None, error: ValidationError) -> BadSettings:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    given = "(not shown)" if _SECRET.search(str(first["loc"][-1])) else repr(first["input"])
    return BadSettings(
        f"{path or 'settings'}: {key} = {given}: {first['msg']}",
        remedy="correct it; docs/settings.md lists the settings",
    )


def load_or_last_good(source: Source) -> tuple[Settings, str]:
    """As `load`; where the file is wrong, those that `keep_good` kept, with what is wrong. Raises BadSettings."""
    try:
        return source.load(), ""
    except BadSettings as error:
        folder = source.state or Path(os.environ.get("STATE_DIRECTORY") or Settings().state)  # as systemd gives it
        good = folder / LAST_GOOD
        if not good.exists():
            raise
        return replace(source, file=good).load(), str(error)


def keep_good(file: Path | None, state: Path) -> None:
    """Keep the file that the box has started well with, in its state folder. Raises OSError."""
    path, good = _place(file), state / LAST_GOOD
    if path and not (good.exists() and good.read_bytes() == path.read_bytes()):
        (draft := good.with_suffix(".new")).write_bytes(path.read_bytes())
        draft.chmod(0o600)
        draft.replace(good)


def _hat(values: dict[str, Any]) -> dict[str, Any]:
    """What the hat that `values` name lays over the profile's pins; an unknown one is found by Settings."""
    body = values.get("body")
    name = body.get("hat") if isinstance(body, dict) else None
    return hats().get(name, {}) if isinstance(name, str) else {}


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
