"""The settings of who speaks."""

from __future__ import annotations

from pydantic import Field

from appliance.settings_thought import Table


class Speaker(Table):
    on: bool = False
    """Whether a voice is told from another. Then what belongs to one person is not told to another voice, nor to one
    that the box does not know; what is the household's is told to everybody. What is typed is as ever."""
    likeness: float = Field(0.66, ge=0.3, le=0.95)
    """How much a voice must be like a voice print to be taken for it, 0 to 1: higher keeps more from others, and fails
    more often to know somebody (docs/measured.md, Who speaks)."""
