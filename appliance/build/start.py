"""The start: every model is loaded and used once, and the box goes on without those that cannot be used."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import Any, TypeVar

import yaml

from appliance.audio import Utterance, never, silence
from appliance.build.adapters import Adapters
from appliance.build.behind import Late
from appliance.errors import ModelLost, PartMissing
from appliance.ports import Ears, Synthesizer, Thinker, Transcriber
from appliance.ports.speaker import SpeakerId
from appliance.service.pairing import ButtonPairing
from appliance.settings_file import Source

log = logging.getLogger(__name__)

T = TypeVar("T")

CLOCK_WAIT_S = 180
"""After the board was switched on: in which a time server is found and asked; a judgement."""


@dataclass(frozen=True)
class Started:
    """What belongs to a start beside its models."""

    well: Callable[[], None] = lambda: None
    """Called once all is loaded."""
    mistake: str = ""
    """What is wrong with the owner's settings, where older ones are in use."""
    source: Source = field(default_factory=Source)
    """Where they come from."""


class Start(Adapters):
    """The parts that a thread of their own brings while timers ring already."""

    started = Started()
    has_page = False
    """Whether the hub may ask this service."""
    pairing: ButtonPairing | None = None
    """What lets devices in by the button, where the hub or another may ask this service."""
    managed = False
    """Whether a service manager started this process, and does so again when it ends (Restart=always of va.service)."""

    @cached_property
    def _late_voice(self) -> Late[Synthesizer]:
        return Late(lambda: self._there("voice", self.synthesizer))

    @cached_property
    def _late_words(self) -> Late[Transcriber]:
        return Late(lambda: self._there("words", self.transcriber))

    @cached_property
    def _late_ears(self) -> Late[Ears]:
        return Late(lambda: self.listener)

    @cached_property
    def _late_speaker_id(self) -> Late[SpeakerId]:
        return Late(lambda: self._there("speaker", self.speaker_id))

    def _who(self, utterance: Utterance) -> str:
        """Whose voice an utterance is; empty for one that nobody knows."""
        self.heard_phrases.hear(utterance.samples)
        return self._late_speaker_id.get().who(utterance.samples).name

    @cached_property
    def _late_engine(self) -> Late[Thinker]:
        return Late(lambda: self.engine)

    def _there(self, name: str, part: T) -> T:
        """It could be loaded, perhaps after its model was brought again."""
        self._lacks.pop(name, None)
        return part

    def _warm_up(self) -> None:
        """Use every model once, and what reads long tables, so that the first turn is as fast as the others."""
        with self._without_llm():
            _ = self.local_llm  # which is being loaded, in another process, while these are
        with self._without("voice"):
            self._late_voice.get()  # which has spoken once to learn how loud it is
        self._late_ears.get()
        with self._without("words"):
            self._late_words.get().transcribe(Utterance(silence(1)), never)
        if self.settings.speaker.on:
            with self._without("speaker"):
                self._late_speaker_id.get().who(silence(1))
        self.converter.convert_units(1, "mile", "kilometre")  # pint's definitions: 0.15 s
        with self._without_llm():
            _ = self._no_llm or self.local_llm.facts
        self._late_engine.get()

    @contextmanager
    def _without_llm(self) -> Iterator[None]:
        """Likewise the language model: what needs none is done without."""
        try:
            yield
        except (PartMissing, ModelLost) as error:
            if not self._anyway:
                raise
            self._no_llm = error
            log.error("%s", error)

    def _llm_lack(self) -> str:
        return (
            str(wording(self.settings.words.language)["no_llm"])
            if isinstance(self._no_llm, PartMissing) and self.llm.trouble
            else ""
        )

    def _mistake(self) -> str:
        """What to tell of settings that cannot be used."""
        return str(wording(self.settings.words.language)["mistake"]) if self.started.mistake else ""

    def _not_set_up(self) -> str:
        """What to tell of a box that nobody has chosen anything for, and where that can be done."""
        if not self.has_page or self.started.source.set_up:
            return ""
        hub = self.settings.hub
        host = hub.name or f"{socket.gethostname()}.local"
        return str(wording(self.settings.words.language)["not_set_up"]).format(host=host, port=hub.port)

    def _other_lacks(self) -> str:
        """What to tell of models beside the language model that cannot be used."""
        words = wording(self.settings.words.language)
        parts = words["and"].join(words["parts"][part] for part in self._lacks)
        return words["lacks"].format(parts=parts) if parts else ""

    def _other_voice(self) -> str:
        """What to tell where another voice than the chosen speaks."""
        return str(wording(self.settings.words.language)["other_voice"]) if self.voices.told else ""

    def _language_lack(self) -> str:
        from appliance.reply.phrases import language_lack

        return language_lack(self.settings.words.language)

    def _clock_doubt(self) -> str | None:
        """What to tell of a clock that may be wrong; None as long as a time server may be about to set it."""
        from appliance.language.clock_times import spoken_time
        from appliance.language.dates import spoken_date
        from appliance.skills.clock import phrases

        if self.clock.monotonic() < CLOCK_WAIT_S:
            return None
        if self.clock.trusted:
            return ""
        now, language = self.clock.now(), self.settings.words.language
        return phrases(language)["unset"].format(time=spoken_time(now, language), date=spoken_date(now, language))


def wording(language: str) -> dict[str, Any]:
    """What the box says of itself; in English where there is nothing in that language."""
    table = yaml.safe_load(resources.files("appliance.build").joinpath("wording.yaml").read_text("utf-8"))
    return dict(table.get(language, table["en"]))
