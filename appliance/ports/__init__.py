"""What the appliance needs of the world, said as small as possible. Each one's simulated adapter is its example."""

from appliance.ports.body import Button, Light
from appliance.ports.calls import WaitedCall, about_to_act, current_call
from appliance.ports.items import Item, ItemsOf, ItemStore
from appliance.ports.memory import Fact, FactKind, Known, Memory, MemoryStore, ValueStore
from appliance.ports.model import SMALL_PARAMETERS, Grammar, LanguageModel, Message, ModelFacts, Rates, Usage
from appliance.ports.service import Alarms, Attention, Ears, Ended, Manager, Mouth, Telling, Thinker, Voice
from appliance.ports.skills import KeptAlarms, Rings, Skill, SkillContext, SkillPrompt, Volume, Wording
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
from appliance.ports.timers import Clock, ClockTrust, Timer, TimerStore
from appliance.ports.tools import Effect, Followed, MemoryUse, Spoken, Tool

__all__ = [
    "SMALL_PARAMETERS",
    "SOUNDS_MIN",
    "Alarms",
    "Attention",
    "Button",
    "Clock",
    "ClockTrust",
    "Ears",
    "Effect",
    "Ended",
    "Fact",
    "FactKind",
    "Followed",
    "Grammar",
    "Item",
    "ItemStore",
    "ItemsOf",
    "KeptAlarms",
    "Known",
    "LanguageModel",
    "Light",
    "Manager",
    "Memory",
    "MemoryStore",
    "MemoryUse",
    "Message",
    "Microphone",
    "ModelFacts",
    "Mouth",
    "Rates",
    "Rings",
    "Skill",
    "SkillContext",
    "SkillPrompt",
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
    "Volume",
    "WaitedCall",
    "WakeDetector",
    "Wording",
    "about_to_act",
    "current_call",
]
