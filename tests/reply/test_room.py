"""The instructions and the tools on board fit the context of every board."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import llama_cpp
import pytest

from appliance.boards import profiles
from appliance.llm.llama import TURN_TOKENS
from appliance.reply import prompt
from appliance.settings import Settings
from appliance.simulated import HandSetClock, HandSetVolume, MemoryFacts, MemoryTimers
from appliance.skills import Toolbox
from appliance.skills.arithmetic.units import Converter
from appliance.skills.clock.tools import Timekeeper
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.sound.tools import SoundTools
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools


@pytest.mark.parametrize("profile", profiles())
def test_a_turn_fits_behind_the_head(model: Callable[..., Path], profile: str) -> None:
    clock = HandSetClock(datetime(2026, 5, 4, 12, tzinfo=UTC))
    timers = TimerTools(Timers(MemoryTimers(), clock, ring_s=120), clock)
    sound = SoundTools(HandSetVolume(), lambda: "", lambda: None)
    box = Toolbox(Timekeeper(clock), timers, Converter(), sound, MemoryTools(MemoryFacts(), clock, found_max=8))
    head = prompt.head(box.for_model(), "Jarvis", small=True, roles={})
    vocab = llama_cpp.Llama(str(model("qwen2.5-coder-0.5b")), vocab_only=True, verbose=False)
    tokens = sum(len(vocab.tokenize(message.text.encode())) + 5 for message in head)
    context = Settings.model_validate(profiles()[profile]).thought.context_tokens
    assert tokens + 2 * TURN_TOKENS < context
