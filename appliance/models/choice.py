"""Which models stand behind the settings of the voice and of what is heard."""

from __future__ import annotations

from appliance.settings import Settings

AUTO = "auto"
ESPEAK = "espeak-ng"
"""No file of its own: it comes with the piper package."""
KOKORO = "kokoro/"
NETWORK = f"{KOKORO}network"
"""What all voices of Kokoro share."""
BRITISH = (f"{KOKORO}emma", f"{KOKORO}george")
_VOICES = {"en": "piper-en-us-joe", "de": "piper-de-thorsten"}
_ALL_LANGUAGES = "whisper-base"


def usual_voice(language: str) -> str:
    """The voice of `language`, quick on every board: a model, or espeak-ng where there is no other."""
    return _VOICES.get(language, ESPEAK)


def voice(settings: Settings) -> str:
    """A model, or espeak-ng."""
    chosen = settings.voice.model
    return usual_voice(settings.words.language) if chosen == AUTO else chosen


def voice_models(settings: Settings) -> list[str]:
    """Those that the voice needs: Kokoro has the usual voice beside it, for what cannot wait."""
    chosen, usual = voice(settings), usual_voice(settings.words.language)
    named = [chosen, NETWORK, usual] if chosen.startswith(KOKORO) else [chosen]
    return [name for name in named if name != ESPEAK]


def words(settings: Settings) -> str:
    """Speech to text: one that knows English alone is of no use in another language, though a profile names it."""
    chosen = settings.words.model
    return _ALL_LANGUAGES if chosen.endswith(".en") and settings.words.language != "en" else chosen
