"""The spoken requests of `requests.yaml`, checked as they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator

from bench.speakers import VOICES, Noise

FILE = Path(__file__).with_name("requests.yaml")
TALK = "talk"


class Request(BaseModel):
    """One turn. The fields are explained at the head of `requests.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    say: str = Field(min_length=1)
    voice: str
    noise: Noise | None = None
    held_out: bool = False
    before: tuple[str, ...] = ()
    expect: tuple[dict[str, dict[str, Any]], ...]

    @field_validator("voice")
    @classmethod
    def _known(cls, voice: str) -> str:
        if voice not in VOICES:
            raise ValueError(f"one of {', '.join(VOICES)}")
        return voice

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """Tool, and what must hold of its arguments."""
        return [call for step in self.expect for call in step.items()]

    @property
    def tool(self) -> str:
        """The tool it is about, or "talk"."""
        return self.calls[0][0] if self.calls else TALK


def load(file: Path = FILE) -> list[Request]:
    """Raises pydantic's ValidationError, which names the entry."""
    return [Request.model_validate(entry) for entry in yaml.safe_load(file.read_text())]
