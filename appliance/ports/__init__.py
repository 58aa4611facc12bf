"""What the appliance needs of the world, said as small as possible. Each one's simulated adapter is its example."""

from appliance.ports.body import Button, Light
from appliance.ports.memory import Fact, FactKind, Known, Memory, MemoryStore, ValueStore
from appliance.ports.model import SMALL_PARAMETERS, Grammar, LanguageModel, Message, ModelFacts, Rates, Usage
from appliance.ports.service import Alarms, Attention, Ears, Manager, Mouth, Telling, Thinker, Voice
from appliance.ports.sound import (
    SOUNDS_MIN,
    Microphone,
    SoundOf,
    Speaker,
    SpeechDetector,
    Synthesizer,
    Transcriber,
    Transcript,
    TurnEndDetector,
    WakeDetector,
)
from appliance.ports.timers import Clock, Timer, TimerStore
from appliance.ports.tools import Effect, Spoken, Tool

__all__ = [
    "SMALL_PARAMETERS",
    "SOUNDS_MIN",
    "Alarms",
    "Attention",
    "Button",
    "Clock",
    "Ears",
    "Effect",
    "Fact",
    "FactKind",
    "Grammar",
    "Known",
    "LanguageModel",
    "Light",
    "Manager",
    "Memory",
    "MemoryStore",
    "Message",
    "Microphone",
    "ModelFacts",
    "Mouth",
    "Rates",
    "SoundOf",
    "Speaker",
    "SpeechDetector",
    "Spoken",
    "Synthesizer",
    "Telling",
    "Thinker",
    "Timer",
    "TimerStore",
    "Tool",
    "Transcriber",
    "Transcript",
    "TurnEndDetector",
    "Usage",
    "ValueStore",
    "Voice",
    "WakeDetector",
]
