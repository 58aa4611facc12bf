"""The form in which a model reads messages, on the vocabulary of a real file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llama_cpp
import pytest

from appliance.errors import WrongUse
from appliance.llm import chat_format
from appliance.llm.chat_format import ChatFormat
from appliance.llm.llama import quieten
from appliance.ports import Message

TALK = [Message("system", "Be brief."), Message("user", "hello"), Message("system", "-> 5"), Message("user", "and now")]
NO_SYSTEM = """{{ bos_token }}{% for message in messages %}{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}\
{{ raise_exception('roles must alternate') }}{% endif %}{{ message.content }}{% endfor %}"""


@pytest.fixture(scope="module")
def vocabulary(model: Callable[..., Path]) -> Iterator[Any]:
    quieten()
    params = llama_cpp.llama_model_default_params()
    params.vocab_only = True
    loaded = llama_cpp.llama_model_load_from_file(str(model("smollm2-135m")).encode(), params)
    yield loaded
    llama_cpp.llama_model_free(loaded)


def with_template(monkeypatch: pytest.MonkeyPatch, text: bytes | None) -> None:
    monkeypatch.setattr(llama_cpp, "llama_model_chat_template", lambda model, name: text)


def test_own_template_comes_first(vocabulary: Any) -> None:
    own = ChatFormat(vocabulary, "it").prompt(TALK)
    assert own.startswith("<|im_start|>system\nBe brief.<|im_end|>")
    assert own.endswith("<|im_start|>user\nand now<|im_end|>\n<|im_start|>assistant\n")


@pytest.mark.parametrize(
    "template",
    [
        None,
        NO_SYSTEM.encode(),
        b"{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}",
    ],
)
def test_family_stands_in_for_no_template_or_one_without_instructions(
    vocabulary: Any, monkeypatch: pytest.MonkeyPatch, template: bytes | None
) -> None:
    own = ChatFormat(vocabulary, "it")
    with_template(monkeypatch, template)
    family = ChatFormat(vocabulary, "it")
    assert family.prompt(TALK) == own.prompt(TALK)
    assert family.head(TALK) == own.head(TALK)


def test_unknown_family_is_refused_with_a_remedy(vocabulary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with_template(monkeypatch, None)
    monkeypatch.setattr(chat_format, "FAMILIES", {"<start_of_turn>": chat_format.FAMILIES["<start_of_turn>"]})
    with pytest.raises(WrongUse, match=r"it has no chat template") as error:
        ChatFormat(vocabulary, "it")
    assert "instruct" in error.value.remedy


def test_gemma_reads_instructions_in_turns_of_the_user(vocabulary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with_template(monkeypatch, chat_format.FAMILIES["<start_of_turn>"].encode())
    form = ChatFormat(vocabulary, "it")
    assert form.head(TALK[:1]).endswith("<start_of_turn>user\nBe brief.<end_of_turn>\n")
    assert form.prompt(TALK).startswith(form.head(TALK[:1]))
    assert form.prompt(TALK).endswith("<start_of_turn>model\n")
