"""The volume, the last answer again, and silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Spoken, Volume, undoable
from appliance.skills.written import FALLBACK, Words

STEP = 10
"""Percent that "louder" is louder: heard, and not a shock."""
LEAST = 30
"""Percent to which "quieter" leads, -31 dB, still to be heard: less has to be asked for, or the box would look dead."""


class SoundTools:
    def __init__(
        self,
        volume: Volume,
        last_said: Callable[[], str],
        silence: Callable[[], None],
        close_microphone: Callable[[], None] = lambda: None,
        language: str = FALLBACK,
    ) -> None:
        """`last_said`: the answer before this one, empty when there is none. `silence`: ends ringing and speaking.

        close_microphone: raises CannotBeDone where none listens, or where nobody could open it again.
        """
        self._volume = volume
        self._last_said = last_said
        self._silence = silence
        self._close_microphone = close_microphone
        self._words = Words(Path(__file__).parent, language)

    def set_volume(
        self,
        direction: Literal["up", "down"] | None = None,
        level: Annotated[int, Field(ge=0, le=100, description="percent", json_schema_extra={"said": True})]
        | None = None,
    ) -> Spoken:
        """Change the volume to a level, or up or down."""
        before = self._volume.level
        if level is None:
            if direction is None:
                raise BadArgument(self._words.say("how_loud"), remedy="give a level from 0 to 100, or up or down")
            level = min(100, before + STEP) if direction == "up" else min(before, max(LEAST, before - STEP))
            if level == before:
                return self._words.say("loudest" if direction == "up" else "quietest")
        self._volume.set(level)
        undoable(lambda: self._volume.set(before))
        return self._words.say("volume", level=level)

    def change_volume(self, by: Annotated[int, Field(ge=-100, le=100, description="percent")]) -> Spoken:
        """Change the volume by so much, down below zero."""
        return self.set_volume(level=min(100, max(0, self._volume.level + by)))

    def tell_volume(self) -> Spoken:
        """Tell how loud the box is set."""
        return self._words.say("volume_is", level=self._volume.level)

    def repeat(self) -> Spoken:
        """Say the last answer again."""
        said = self._last_said()
        if not said:
            raise CannotBeDone(self._words.say("nothing_said"))
        return Spoken(said)

    def stop(self) -> Spoken:
        """Be quiet: end what is ringing or being said."""
        self._silence()
        return Spoken("")

    def mute(self) -> Spoken:
        """Close the microphone until somebody opens it again."""
        self._close_microphone()
        return Spoken("")
