"""The instructions and the tools on board fit the context of every board."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import llama_cpp
import pytest

from appliance.boards import profiles
from appliance.llm.llama import ALONE_TOKENS, TURN_TOKENS
from appliance.ports import Exchange
from appliance.reply import prompt
from appliance.reply.apart import asked
from appliance.reply.notes import Notes
from appliance.reply.reflect import BATCH_CHARS, CALLS_MOST
from appliance.reply.side_calls import CALL_TOKENS
from appliance.settings import Settings
from appliance.simulated import skill_context
from appliance.skills.loader import load

TALK = {
    "en": ("the heron that nests by the river above the mill came back last week with two young ones", "How lovely."),
    "de": ("der Fischreiher, der oberhalb der Mühle am Fluss nistet, kam mit zwei Jungen zurück", "Wie schön."),
}


@pytest.mark.parametrize("language", TALK)
@pytest.mark.parametrize("name", ["diary", "gather"])
def test_what_is_thought_over_fits_behind_the_shortest_head(
    model: Callable[..., Path], language: str, name: str
) -> None:
    vocab = llama_cpp.Llama(str(model("qwen2.5-coder-0.5b")), vocab_only=True, verbose=False)
    heard, said = TALK[language]
    batch = [Exchange(1, "c-1", heard, said, datetime(2026, 3, 14, tzinfo=UTC))] * 50
    text = Notes(language, "Jarvis", "GB").transcript(batch)[:BATCH_CHARS]
    messages = asked(name, text=text, box="Jarvis")
    tokens = sum(len(vocab.tokenize(message.text.encode())) + 5 for message in messages)
    assert tokens + CALLS_MOST * CALL_TOKENS < ALONE_TOKENS


@pytest.mark.parametrize("profile", profiles())
def test_a_turn_fits_behind_the_head(model: Callable[..., Path], profile: str) -> None:
    skills = load(skill_context())
    shown = skills.for_model()[: Settings().reply.catalogue_max]
    head = prompt.head(shown, (), "Jarvis", small=True, prompts=skills.prompts)
    vocab = llama_cpp.Llama(str(model("qwen2.5-coder-0.5b")), vocab_only=True, verbose=False)
    tokens = sum(len(vocab.tokenize(message.text.encode())) + 5 for message in head)
    context = Settings.model_validate(profiles()[profile]).thought.context_tokens
    assert tokens + 2 * TURN_TOKENS < context
