"""Which voice speaks: the one of the settings, or else the next that can be used, and what is told of that."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from appliance.errors import BadSettings, PartMissing
from appliance.models import choice
from appliance.models.registry import Catalog
from appliance.ports import Synthesizer
from appliance.settings import Settings

log = logging.getLogger(__name__)

_KINDS = {
    "piper-en": "English, by Piper",
    "piper-de": "German, by Piper",
    choice.KOKORO: "English, by Kokoro: for a PC",
    choice.ESPEAK: "any language, by espeak-ng: it sounds like a machine",
}
"""How a name begins -> what is told of it."""


def told_of(settings: Settings, catalog: Catalog) -> list[str]:
    """A line for each voice: its name, what it is, whether it is here; the one of the settings with a star."""
    network = catalog.rows([choice.NETWORK])[0].state
    lines = []
    for name in catalog.voices():
        state = "here" if name == choice.ESPEAK else catalog.rows([name])[0].state
        if name.startswith(choice.KOKORO) and state == "here":
            state = network
        kind = next((told for begin, told in _KINDS.items() if name.startswith(begin)), "by Piper")
        lines.append(f"{'*' if name == choice.voice(settings) else ' '} {name:<18} {state:<8} {kind}")
    return lines


class Voices:
    """Makes the voice. `told` is why another one than the chosen speaks; empty when that one does."""

    def __init__(self, settings: Settings, catalog: Catalog, tell: Callable[[str], None]) -> None:
        self._settings, self._catalog, self._tell = settings, catalog, tell
        self._instead = ""
        self._slow: Callable[[], bool] = lambda: False

    def make(self, anyway: bool) -> Synthesizer:
        """`anyway`: instead of one that cannot be used another of the language, espeak-ng last.

        Raises BadSettings, PartMissing."""
        self._check(choice.voice(self._settings))
        failed: list[PartMissing] = []
        for name in self._names():
            try:
                made = self._one(name)
            except PartMissing as error:
                failed.append(error)
                if anyway:
                    log.error("going on without this: %s", error)
                    continue
                raise
            self._instead = f"{name} speaks, for {failed[0]}" if failed else ""
            return made
        raise failed[0]

    def _check(self, name: str) -> None:
        known = self._catalog.voices()
        if name not in known:
            raise BadSettings(f"there is no voice {name!r}", remedy=f"choose one of: auto, {', '.join(known)}")

    @property
    def told(self) -> str:
        if self._slow():
            usual = choice.usual_voice(self._settings.words.language)
            return f"{usual} speaks, for this board is too slow for {choice.voice(self._settings)}"
        return self._instead

    def _names(self) -> Iterator[str]:
        usual = choice.usual_voice(self._settings.words.language)
        return iter(dict.fromkeys((choice.voice(self._settings), usual, choice.ESPEAK)))

    def _one(self, name: str) -> Synthesizer:
        voice = self._settings.voice
        if name == choice.ESPEAK:
            from appliance.tts.espeak import EspeakVoice

            return EspeakVoice(self._settings.words.language, voice.speed)
        self._tell(f"loading {name}")
        if name.startswith(choice.KOKORO):
            return self._kokoro(name)
        from appliance.tts.piper import Piper

        onnx, config = (self._catalog.path(name, key) for key in ("onnx", "json"))
        return Piper(onnx, config, voice.threads, voice.speed)

    def _kokoro(self, name: str) -> Synthesizer:
        """With the usual voice beside it, for what cannot wait."""
        from appliance.tts.kokoro import Kokoro
        from appliance.tts.kokoro_phonemes import AMERICAN, BRITISH
        from appliance.tts.pair import Pair

        if self._settings.words.language != "en":
            raise PartMissing(f"{name} speaks English alone", remedy='set voice.model = "auto"')
        voice, accent = self._settings.voice, BRITISH if name in choice.BRITISH else AMERICAN
        network, style = self._catalog.path(choice.NETWORK), self._catalog.path(name)
        slow = Kokoro(network, style, accent, voice.threads, voice.speed)
        pair = Pair(slow, self._one(choice.usual_voice(self._settings.words.language)))
        self._slow = lambda: pair.too_slow
        return pair
