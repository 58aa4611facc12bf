"""Messages as the text that one model reads: its own chat template, from its GGUF metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import llama_cpp
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from appliance.errors import WrongUse
from appliance.ports import Message


class ChatFormat:
    def __init__(self, model: Any, name: str) -> None:
        """model: llama.cpp's pointer. name: of the file, for the error. Raises WrongUse where there is no template."""
        template = llama_cpp.llama_model_chat_template(model, None)
        if not template:
            raise WrongUse(f"{name} has no chat template", remedy="choose an instruct model")
        vocab = llama_cpp.llama_model_get_vocab(model)
        eos = _special(vocab, llama_cpp.llama_vocab_eos(vocab))
        bos = _special(vocab, llama_cpp.llama_vocab_bos(vocab))
        text = template.decode()
        self._prompt = Jinja2ChatFormatter(text, eos, bos)
        self._head = Jinja2ChatFormatter(text, eos, bos, add_generation_prompt=False)

    def prompt(self, messages: Sequence[Message]) -> str:
        """With the assistant's turn opened."""
        return _rendered(self._prompt, messages)

    def head(self, messages: Sequence[Message]) -> str:
        """Without: more messages will follow."""
        return _rendered(self._head, messages)


def tokenized(vocab: Any, text: str, special: bool = True) -> list[int]:
    """vocab: llama.cpp's pointer.  special: marks of the chat format in `text` are that, and no words."""
    data = text.encode()
    array = (llama_cpp.llama_token * (len(data) + 8))()
    count = llama_cpp.llama_tokenize(vocab, data, len(data), array, len(array), False, special)
    return list(array[:count])


def _special(vocab: Any, token: int) -> str:
    return (llama_cpp.llama_vocab_get_text(vocab, token) or b"").decode() if token >= 0 else ""


def _rendered(formatter: Jinja2ChatFormatter, messages: Sequence[Message]) -> str:
    chat: list[Any] = [{"role": message.role, "content": message.text} for message in messages]
    return formatter(messages=chat).prompt
