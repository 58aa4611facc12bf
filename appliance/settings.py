"""Every setting of the appliance, its unit, its range and its one default. Read once, from one TOML file.

A profile (`profiles.toml`) lays a board's values over the defaults; the file lays its own over the profile.
"""

from __future__ import annotations

import os
import tomllib
from datetime import datetime, tzinfo
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from platformdirs import user_cache_path, user_config_path, user_state_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from appliance.errors import BadSettings, WrongUse

SYSTEM_CONFIG = Path("/etc/voice-appliance/config.toml")
APP = "voice-appliance"


class _Room(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sound(_Room):
    microphone: str = ""
    """Part of the capture device's name; empty is the system's default."""
    speaker: str = ""
    """Part of the playback device's name; empty is the system's default."""
    retry_s: float = Field(2.0, ge=0.1, le=60)
    """Seconds between attempts to reopen a device that vanished."""


class Ears(_Room):
    wake_words: list[str] = Field(["hey_jarvis"], min_length=1)
    """Roles `wake/<name>` of the model manifest."""
    wake_threshold: float = Field(0.5, gt=0, lt=1)
    """Score from which a frame counts (openWakeWord's recommendation)."""
    wake_patience: int = Field(2, ge=1, le=10)
    """80 ms frames over the threshold in a row."""
    speech_threshold: float = Field(0.5, gt=0, lt=1)
    """silero probability from which a frame is speech (silero's default)."""
    lead_in_ms: int = Field(300, ge=0, le=2_000)
    """Sound kept from before the first speech frame."""
    quiet_min_ms: int = Field(150, ge=100, le=2_000)
    """Quiet after which work on the utterance begins, for nothing; the shortest gap between people is 200 ms."""
    turn_end_quiet_ms: int = Field(400, ge=100, le=2_000)
    """Quiet before the turn-end model may end the turn. It costs no time, for transcribing takes as long; at 200 ms
    4 of 67 spoken requests were cut at a comma (bench/results, eval of 2026-11-21)."""
    quiet_max_ms: int = Field(800, ge=200, le=5_000)
    """Quiet that ends a turn whatever the turn-end model says."""
    turn_end_threshold: float = Field(0.5, gt=0, lt=1)
    """Smart-Turn probability from which a turn is finished (its model card)."""
    utterance_max_s: float = Field(15, ge=1, le=60)
    start_timeout_s: float = Field(5, ge=1, le=60)
    """Seconds after the wake word within which speech must start."""
    follow_up_s: float = Field(3, ge=0, le=60)
    """Seconds after an answer in which no wake word is needed; 0 is off."""
    follow_up_question_s: float = Field(8, ge=0, le=60)
    """The same after an answer that ends in a question."""
    overheard_max_s: float = Field(2, ge=0.5, le=5)
    """Longest utterance that may be "stop" while the box is busy."""


class Words(_Room):
    model: str = "whisper-base"
    language: str = Field("en", min_length=2, max_length=3)
    threads: int = Field(2, ge=1, le=16)


class Thought(_Room):
    model: str = "qwen2.5-coder-1.5b"
    context_tokens: int = Field(4_096, ge=1_024, le=131_072)
    threads: int = Field(2, ge=1, le=64)
    threads_batch: int = Field(2, ge=1, le=64)
    """Threads while a prompt is read."""
    batch_tokens: int = Field(256, ge=32, le=2_048)
    """Tokens read between two looks at the stop signal."""
    repack: bool = True
    """Lay the weights out anew for this CPU: 1.9 times the prefill on ARM (performance.md 3.7), 0.6 times on x86."""
    steps_max: int = Field(5, ge=1, le=8)
    """Steps in one plan (spec/reply.md 4)."""
    reply_tokens: int = Field(96, ge=16, le=1_024)
    """Longest answer, in tokens: about 20 s of speech."""
    sentences_max: int = Field(3, ge=1, le=20)
    """Longest answer, in sentences: one that answers, one that explains, at most one quip (spec/reply.md 3)."""
    conversation_gap_s: float = Field(300, ge=1)
    """Turns further apart than this belong to two conversations (spec/reply.md 0)."""
    deadline_s: float = Field(30, ge=1, le=600)
    """A turn that has said nothing by then ends with an apology."""
    question_max_chars: int = Field(2_000, ge=100, le=20_000)


class Voice(_Room):
    model: str = "piper-en-us-joe"
    threads: int = Field(2, ge=1, le=16)
    speed: float = Field(1.0, ge=0.5, le=2.0)
    """2 is twice as fast."""
    ring_max_s: float = Field(120, ge=5, le=3_600)
    """A timer that nobody stops falls silent after this."""


class Settings(_Room):
    profile: str = "desktop"
    place: str = ""
    """Where the box stands, as a person would say it; empty is unknown."""
    timezone: str = ""
    """IANA name such as Europe/Berlin; empty is the system's."""
    log_words: bool = False
    """Whether the journal may hold what was said."""
    state: Path = Field(default_factory=lambda: user_state_path(APP))
    """Folder of the database and the model snapshots."""
    models: Path = Field(default_factory=lambda: user_cache_path(APP) / "models")
    """Folder of the model store."""
    sound: Sound = Sound()
    ears: Ears = Ears()
    words: Words = Words()
    thought: Thought = Thought()
    voice: Voice = Voice()

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        if name:
            try:
                ZoneInfo(name)
            except (OSError, ValueError, KeyError):
                raise ValueError("an IANA zone such as Europe/Berlin") from None
        return name

    @property
    def database(self) -> Path:
        return self.state / "appliance.db"

    @property
    def zone(self) -> tzinfo:
        if self.timezone:
            return ZoneInfo(self.timezone)
        local = datetime.now().astimezone().tzinfo
        assert local is not None
        return local


@lru_cache
def profiles() -> dict[str, dict[str, Any]]:
    """Name of each board profile -> the values it lays over the defaults."""
    return tomllib.loads(resources.files("appliance").joinpath("profiles.toml").read_text())


def detect_profile(board: Path = Path("/proc/device-tree/model")) -> str:
    """The profile of the board this runs on; `desktop` where no board says what it is."""
    try:
        model = board.read_bytes().decode(errors="replace")
    except OSError:
        return "desktop"
    if "Jetson" in model:
        return "jetson"
    return "pi5" if "Raspberry Pi 5" in model else "pi4" if "Raspberry Pi" in model else "desktop"


def load(file: Path | None = None, profile: str | None = None, state: Path | None = None) -> Settings:
    """The settings from `file` (or the system's, or the user's, or none), each argument overriding it.

    Raises BadSettings naming the file, the key, the value and what is allowed.
    """
    path = file or next((p for p in (SYSTEM_CONFIG, user_config_path(APP) / "config.toml") if p.exists()), None)
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
        raise BadSettings(
            f"{path or 'settings'}: {key} = {first['input']!r}: {first['msg']}",
            remedy="correct it; `appliance doctor` lists the settings in force",
        ) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise BadSettings(f"{path} cannot be read ({error.strerror})", remedy="name a settings file that can") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path} is not valid TOML: {error}", remedy="correct that line") from None


def _merge(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        known = merged.get(key)
        merged[key] = _merge(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
