"""The volume, the last answer again, and silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Spoken, Volume, undoable

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
    ) -> None:
        """`last_said`: the answer before this one, empty when there is none. `silence`: ends ringing and speaking.

        close_microphone: raises CannotBeDone where none listens, or where nobody could open it again.
        """
        self._volume = volume
        self._last_said = last_said
        self._silence = silence
        self._close_microphone = close_microphone

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
                raise BadArgument("How loud should I be?", remedy="give a level from 0 to 100, or up or down")
            level = min(100, before + STEP) if direction == "up" else min(before, max(LEAST, before - STEP))
            if level == before:
                return Spoken(f"That is as {'loud' if direction == 'up' else 'quiet'} as I go.")
        self._volume.set(level)
        undoable(lambda: self._volume.set(before))
        return Spoken(f"Volume {level} percent.")

    def change_volume(self, by: Annotated[int, Field(ge=-100, le=100, description="percent")]) -> Spoken:
        """Change the volume by so much, down below zero."""
        return self.set_volume(level=min(100, max(0, self._volume.level + by)))

    def tell_volume(self) -> Spoken:
        """Tell how loud the box is set."""
        return Spoken(f"My volume is at {self._volume.level} percent.")

    def repeat(self) -> Spoken:
        """Say the last answer again."""
        said = self._last_said()
        if not said:
            raise CannotBeDone("I have not said anything yet.")
        return Spoken(said)

    def stop(self) -> Spoken:
        """Be quiet: end what is ringing or being said."""
        self._silence()
        return Spoken("")

    def mute(self) -> Spoken:
        """Close the microphone until somebody opens it again."""
        self._close_microphone()
        return Spoken("")
