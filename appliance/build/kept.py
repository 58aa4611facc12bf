"""What the box keeps: its database, and the values in it, made when they are first asked for."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.ports import Clock, PrivateMode, ValueStore
from appliance.ports.speaker import Prints
from appliance.service.quiet import QuietHours
from appliance.settings import Settings

if TYPE_CHECKING:
    from appliance.body.volume import Volume
    from appliance.memory.facts import SqliteMemory
    from appliance.memory.store import Store

SNAPSHOTS = "snapshots"
"""The folder in `state` of what the model has read."""


VOICES = "voices"
"""Likewise of the voice prints."""


def prints_in(state: Path) -> Prints:
    """The voice prints of a state folder."""
    from appliance.memory.voice_prints import VoicePrints
    from appliance.models.registry import SPEAKER

    return VoicePrints(state / VOICES, SPEAKER)


class Kept:
    def __init__(self, settings: Settings, clock: Clock, stack: ExitStack) -> None:
        self.settings, self.clock, self._stack = settings, clock, stack

    @cached_property
    def quiet_hours(self) -> QuietHours:
        return QuietHours(self.settings.voice.quiet_from, self.settings.voice.quiet_until, self.clock)

    @property
    def brightness(self) -> float:
        """Of the light, 0 to 1, as the hour has it."""
        body = self.settings.body
        return body.light_brightness * (body.light_quiet if self.quiet_hours.now() else 1)

    @cached_property
    def memory(self) -> SqliteMemory:
        from appliance.language.meanings import meanings
        from appliance.language.stopwords import NOISE, common
        from appliance.memory.facts import SqliteMemory

        language, memory = self.settings.words.language, self.settings.memory
        found_by = meanings(language) if memory.vectors == "auto" else None
        return SqliteMemory(self._store, memory.exchanges_max, found_by, common(language) | NOISE)

    @cached_property
    def volume(self) -> Volume:
        from appliance.body.volume import Volume

        return Volume(self.values, self.quiet_hours.now)

    @cached_property
    def values(self) -> ValueStore:
        from appliance.memory.values import SqliteValues

        return SqliteValues(self._store)

    @cached_property
    def private(self) -> PrivateMode:
        from appliance.memory.private import KeptPrivateMode

        return KeptPrivateMode(self.values, self.clock)

    @cached_property
    def voice_prints(self) -> Prints:
        return prints_in(self.settings.state)

    @cached_property
    def mute(self) -> ValueStore:
        """Holds whether the box is muted, and nothing else."""
        from appliance.memory.mute import MuteMarker
        from appliance.service.muting import MUTED

        mute = MuteMarker(self.settings.database, self.values)
        mute.begin(MUTED)
        return mute

    @cached_property
    def _store(self) -> Store:
        from appliance.memory.erase import resume
        from appliance.memory.store import Store

        news = resume(*self._memories, language=self.settings.words.language)
        settings, caches = self.settings, [self.settings.state / SNAPSHOTS]
        store = self._stack.enter_context(Store(settings.database, language=settings.words.language, caches=caches))
        store.tell(news)
        return store

    @property
    def _memories(self) -> tuple[Path, ...]:
        """What a factory reset erases."""
        state = self.settings.state
        return self.settings.database, state / SNAPSHOTS, state / VOICES
