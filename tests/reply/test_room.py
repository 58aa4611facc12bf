"""The instructions and the tools on board fit the context of every board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import llama_cpp
import pytest

from appliance.boards import profiles
from appliance.llm.llama import TURN_TOKENS
from appliance.reply import prompt
from appliance.settings import Settings
from appliance.simulated import skill_context
from appliance.skills.loader import load


@pytest.mark.parametrize("profile", profiles())
def test_a_turn_fits_behind_the_head(model: Callable[..., Path], profile: str) -> None:
    skills = load(skill_context())
    shown = skills.for_model()[: Settings().reply.catalogue_max]
    head = prompt.head(shown, (), "Jarvis", small=True, prompts=skills.prompts)
    vocab = llama_cpp.Llama(str(model("qwen2.5-coder-0.5b")), vocab_only=True, verbose=False)
    tokens = sum(len(vocab.tokenize(message.text.encode())) + 5 for message in head)
    context = Settings.model_validate(profiles()[profile]).thought.context_tokens
    assert tokens + 2 * TURN_TOKENS < context
