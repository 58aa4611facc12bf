"""What a common model server does with a prompt: a slot keeps its last tokens, and reads only what differs from them.

Through llama.cpp's own calls, with the appliance's thread, batch and attention settings, so that what is compared is
the order of the prompts and nothing else. Outputs have a fixed length; what is written plays no part.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np

from appliance.errors import ModelDamaged, TurnFailed, WrongUse
from appliance.llm.chat_format import tokenized
from appliance.settings import Thought

CELLS_STEP = 256
"""llama.cpp rounds a context up to so many cells."""


@dataclass(frozen=True)
class Cost:
    """Of one call."""

    prompt_tokens: int
    fresh_tokens: int
    generated_tokens: int
    read_s: float
    write_s: float

    @property
    def total_s(self) -> float:
        return self.read_s + self.write_s


def kept(held: Sequence[int], prompt: Sequence[int]) -> int:
    """How many tokens of `prompt` need not be read again: the longest common prefix, but never the last one."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(held, prompt, strict=False)))
    return min(common, len(prompt) - 1)


class Model:
    """Weights that several slots share."""

    def __init__(self, path: Path, settings: Thought) -> None:
        self.settings = settings
        params = llama_cpp.llama_model_default_params()
        params.use_extra_bufts = settings.repack
        self.handle = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        if not self.handle:
            raise ModelDamaged(f"llama.cpp cannot load {path.name}", remedy="run: appliance models verify")
        self.vocab = llama_cpp.llama_model_get_vocab(self.handle)
        self.vocab_size = llama_cpp.llama_vocab_n_tokens(self.vocab)

    def tokens(self, text: str) -> list[int]:
        """Without any special ones."""
        return tokenized(self.vocab, text, special=False)

    def close(self) -> None:
        if self.handle:
            llama_cpp.llama_model_free(self.handle)
            self.handle = None


class Slot:
    """One context with one sequence."""

    def __init__(self, model: Model, cells: int) -> None:
        """`cells`: tokens of the longest prompt with its output."""
        self._model, self.held = model, list[int]()
        self._context = llama_cpp.llama_init_from_model(model.handle, _params(model.settings, cells))
        if not self._context:
            raise WrongUse("not enough memory for a slot of the reference", remedy="measure it with a smaller model")
        self._memory = llama_cpp.llama_get_memory(self._context)

    def call(self, prompt: Sequence[int], output_tokens: int) -> Cost:
        """Read `prompt` behind what it shares with the last one, then write exactly `output_tokens`."""
        began_s = time.monotonic()
        fresh = self._read(prompt)
        read_s = time.monotonic()
        for number in range(output_tokens):
            token = self._likeliest()
            if number < output_tokens - 1:
                self._decode([token])
        return Cost(len(prompt), fresh, output_tokens, read_s - began_s, time.monotonic() - read_s)

    def adopt(self, other: Slot, count: int) -> None:
        """Hold the first `count` tokens that `other` holds, as if they had been read here."""
        size = llama_cpp.llama_state_seq_get_size(other._context, 0)
        state = (ctypes.c_uint8 * size)()
        llama_cpp.llama_state_seq_get_data(other._context, state, size, 0)
        llama_cpp.llama_memory_clear(self._memory, True)
        taken = llama_cpp.llama_state_seq_set_data(self._context, state, size, 0)
        self.held = list(other.held) if taken else []
        self._cut(count)

    def _read(self, prompt: Sequence[int]) -> int:
        shared = self._cut(kept(self.held, prompt))
        step = self._model.settings.batch_tokens
        for start in range(shared, len(prompt), step):
            self._decode(prompt[start : start + step])
        return len(prompt) - shared

    def _cut(self, count: int) -> int:
        """Hold only the first `count` tokens, or none where the model's memory cannot be cut; returns how many."""
        if not llama_cpp.llama_memory_seq_rm(self._memory, 0, count, -1):
            llama_cpp.llama_memory_clear(self._memory, True)
            count = 0
        self.held = self.held[:count]
        return len(self.held)

    def _decode(self, tokens: Sequence[int]) -> None:
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        status = llama_cpp.llama_decode(self._context, llama_cpp.llama_batch_get_one(array, len(tokens)))
        if status:
            raise TurnFailed(f"llama.cpp could not decode (status {status})", remedy="free some memory")
        self.held += tokens

    def _likeliest(self) -> int:
        pointer = llama_cpp.llama_get_logits_ith(self._context, -1)
        return int(np.ctypeslib.as_array(pointer, shape=(self._model.vocab_size,)).argmax())

    def close(self) -> None:
        if self._context:
            llama_cpp.llama_free(self._context)
            self._context = None


def _params(settings: Thought, cells: int) -> Any:
    """As the appliance's own context has them (llm/llama.py)."""
    params = llama_cpp.llama_context_default_params()
    params.n_ctx = -(-cells // CELLS_STEP) * CELLS_STEP
    params.n_batch = params.n_ubatch = settings.batch_tokens
    params.n_seq_max = params.n_outputs_max = 1
    params.n_threads, params.n_threads_batch = settings.threads, settings.threads_batch
    params.flash_attn_type = int(settings.flash_attention)
    params.no_perf = True
    return params
