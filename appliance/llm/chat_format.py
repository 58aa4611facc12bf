"""Messages as the text that one model reads: its own chat template, or that of its family where it has none of use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import llama_cpp
from jinja2 import TemplateError
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from appliance.errors import WrongUse
from appliance.ports import Message

FAMILIES = {
    "<|im_start|>": """\
{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}""",
    "<start_of_turn>": """\
{{ bos_token }}{% for message in messages %}<start_of_turn>{{ "model" if message.role == "assistant" else "user" }}
{{ message.content }}<end_of_turn>
{% endfor %}{% if add_generation_prompt %}<start_of_turn>model
{% endif %}""",
}
"""A token that marks a family -> its chat template: ChatML, and Gemma's, which has no system role."""

PROBE = (Message("system", "head"), Message("user", "line"), Message("system", "result"), Message("user", "next"))
"""What the engine writes: instructions at the head and between two lines of the user."""


class ChatFormat:
    def __init__(self, model: Any, name: str) -> None:
        """model: llama.cpp's pointer. name: of the file, for the error. Raises WrongUse where no template fits it."""
        vocab = llama_cpp.llama_model_get_vocab(model)
        eos = _special(vocab, llama_cpp.llama_vocab_eos(vocab))
        bos = _special(vocab, llama_cpp.llama_vocab_bos(vocab))
        own = (llama_cpp.llama_model_chat_template(model, None) or b"").decode()
        families = [text for token, text in FAMILIES.items() if len(tokenized(vocab, token)) == 1]
        for text in (own, *families):
            self._prompt = Jinja2ChatFormatter(text, eos, bos)
            self._head = Jinja2ChatFormatter(text, eos, bos, add_generation_prompt=False)
            if self._fits():
                return
        raise WrongUse(f"{name} has no chat template that can be used", remedy="choose an instruct model")

    def _fits(self) -> bool:
        """Some templates refuse or drop instructions between two lines."""
        try:
            text = self.prompt(PROBE)
        except (TemplateError, ValueError):
            return False
        return all(message.text in text for message in PROBE)

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
