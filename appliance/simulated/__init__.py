"""An in-memory adapter for every port: the shortest documentation of the port, and what logic is tested with."""

from appliance.simulated.body import (
    DeadMicrophone,
    HandSetAlarms,
    HandSetClock,
    HandSetVolume,
    RecordingSpeaker,
    ScriptedMicrophone,
    SeenLight,
)
from appliance.simulated.bridge import CannedBridge
from appliance.simulated.ears import ScriptedEars, ScriptedSpeech, ScriptedTurnEnd, ScriptedWake
from appliance.simulated.facts import MemoryFacts
from appliance.simulated.memory import MemoryItems, MemoryTimers, MemoryValues, RefusingItems
from appliance.simulated.private import AskedPrivate
from appliance.simulated.skills import skill_context
from appliance.simulated.thought import CannedModel, SlowThinker
from appliance.simulated.tools import ListedTool
from appliance.simulated.typed import QuietMicrophone, TypedEars, TypedWords
from appliance.simulated.voice import CannedSynthesizer, SlowVoice

__all__ = [
    "AskedPrivate",
    "CannedBridge",
    "CannedModel",
    "CannedSynthesizer",
    "DeadMicrophone",
    "HandSetAlarms",
    "HandSetClock",
    "HandSetVolume",
    "ListedTool",
    "MemoryFacts",
    "MemoryItems",
    "MemoryTimers",
    "MemoryValues",
    "QuietMicrophone",
    "RecordingSpeaker",
    "RefusingItems",
    "ScriptedEars",
    "ScriptedMicrophone",
    "ScriptedSpeech",
    "ScriptedTurnEnd",
    "ScriptedWake",
    "SeenLight",
    "SlowThinker",
    "SlowVoice",
    "TypedEars",
    "TypedWords",
    "skill_context",
]
