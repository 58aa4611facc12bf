"""What the box tells a Wyoming peer of its parts: programs, models, languages, and whose work they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wyoming.info import (
    AsrModel,
    AsrProgram,
    Attribution,
    Info,
    Satellite,
    TtsProgram,
    TtsVoice,
    WakeModel,
    WakeProgram,
)

from appliance import __version__

BOX = Attribution("voice appliance", "")
WHISPER = Attribution("Georgi Gerganov and contributors", "https://github.com/ggml-org/whisper.cpp")
WHISPER_MODELS = Attribution("OpenAI", "https://github.com/openai/whisper")
PIPER = Attribution("Open Home Foundation", "https://github.com/OHF-Voice/piper1-gpl")
PIPER_VOICES = Attribution("Rhasspy", "https://huggingface.co/rhasspy/piper-voices")
VOICES = {
    "piper": ("Piper", PIPER, PIPER_VOICES),
    "kokoro": ("Kokoro", Attribution("hexgrad", "https://huggingface.co/hexgrad/Kokoro-82M"), None),
    "espeak": ("espeak-ng", Attribution("espeak-ng contributors", "https://github.com/espeak-ng/espeak-ng"), None),
}
"""How a voice's name begins -> what makes it, whose work that is, and whose the voice is where that is another."""
WAKE_WORD = Attribution("David Scripka", "https://github.com/dscripka/openWakeWord")


@dataclass(frozen=True)
class Model:
    """As the manifest has it."""

    name: str
    licence: str
    version: str
    """Begin of the sha256 of its file."""
    languages: Sequence[str]


def info(name: str, words: Model, voice: Model, wake: Sequence[Model]) -> Info:
    """Of the parts of the box.  name: of the box, which Home Assistant then calls each of them.

    wake: empty where it does not listen for others.
    """
    return Info(asr=[_asr(name, words)], tts=[_tts(name, voice)], wake=[_wake(name, wake)] if wake else [])


def satellite_info(name: str, room: str, wake: Sequence[Model]) -> Info:
    """Of a satellite, which Home Assistant then uses as nothing else.

    room: as Home Assistant calls it; empty for none.  wake: what the box listens for itself.
    """
    listens = [each.name for each in wake]
    made = Satellite(
        name, BOX, True, "satellite with a wake word of its own", __version__, area=room or None, has_vad=True,
        active_wake_words=listens, max_active_wake_words=len(listens), supports_trigger=False,
    )  # fmt: skip
    return Info(satellite=made, wake=[_wake(name, wake)])


def _asr(name: str, model: Model) -> AsrProgram:
    made = AsrModel(model.name, WHISPER_MODELS, True, _told(model), model.version, [*model.languages])
    return AsrProgram(name, WHISPER, True, "speech to text by whisper.cpp", __version__, [made])


def _tts(name: str, model: Model) -> TtsProgram:
    by, whose, voices = next((VOICES[kind] for kind in VOICES if model.name.startswith(kind)), VOICES["piper"])
    made = TtsVoice(model.name, voices or whose, True, _told(model), model.version, [*model.languages])
    return TtsProgram(name, whose, True, f"voice by {by}", __version__, [made], supports_synthesize_streaming=True)


def _wake(name: str, models: Sequence[Model]) -> WakeProgram:
    made = [
        WakeModel(each.name, WAKE_WORD, True, phrase(each.name), each.version, [*each.languages], phrase(each.name))
        for each in models
    ]
    return WakeProgram(name, WAKE_WORD, True, "wake words by openWakeWord", __version__, made)


def _told(model: Model) -> str:
    return f"{model.name}, {model.licence}"


def phrase(name: str) -> str:
    """What is said, of a wake word's name such as hey_jarvis."""
    return name.replace("_", " ")
