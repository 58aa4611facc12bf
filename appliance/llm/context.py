"""What llama.cpp has read: one sequence of tokens, of which no known beginning is evaluated twice."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from appliance.audio import Stale, never
from appliance.errors import Cancelled, TurnFailed, WrongUse
from appliance.settings import Thought

ABORTED = 2
"""llama_decode's answer after its abort callback said yes (llama.h)."""
LONG_BATCH = 4
"""Tokens from which the abort callback is worth its calls into Python, 600 in a batch and 0.7 ms together (135M, 2 Xeon
cores, 2026-11-22): below, a batch takes hardly longer than a token."""


class Context:
    def __init__(self, model: Any, settings: Thought, room: int, guesses: int, adapter: Any = None) -> None:
        """model: llama.cpp's pointer.  room: tokens that it can hold.  guesses: of those, read ahead of their choice at
        most; each takes a vocabulary of logits, 0.6 MB.  adapter: llama.cpp's pointer, of what the model was taught.
        Raises WrongUse.
        """
        self.room, self.guesses, self._batch_tokens = room, guesses, settings.batch_tokens
        self.head: list[int] = []
        """What every prompt begins with that is for this context. It is read without the adapter, as it was when the
        adapter was made; all that comes behind it is read and written with it."""
        self._adapter, self._adapted = adapter, False
        self.held: list[int] = []
        self._stale: Stale = never
        self._abort_callback = llama_cpp.ggml_abort_callback(lambda _: self._stale())
        self._context = llama_cpp.llama_init_from_model(model, self._params(settings))
        if not self._context:
            raise WrongUse("not enough memory for the model's context", remedy="lower thought.context_tokens")
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._vocab_size = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(model))

    def evaluate(self, tokens: list[int], stale: Stale, guess: Sequence[int] = ()) -> int:
        """Make it hold exactly `tokens`, then `guess`; returns how many of `tokens` had to be evaluated.

        At least the last one is evaluated, for its logits. A model whose memory cannot be cut starts afresh.
        """
        shared = min(common(self.held, tokens), len(tokens) - 1)
        if not self.cut(shared):
            llama_cpp.llama_memory_clear(self._memory, True)
            shared = 0
        self.held = self.held[:shared]
        step = self._batch_tokens - len(guess)
        while (start := len(self.held)) < len(tokens):
            end = min(start + step, len(tokens))
            end = len(self.head) if start < len(self.head) < end else end  # an adapter is for whole batches
            last = guess if end == len(tokens) else ()
            self.decode([*tokens[start:end], *last], stale, 1 + len(last))
        return len(tokens) - shared

    def decode(self, tokens: list[int], stale: Stale, outputs: int = 1) -> None:
        """Read `tokens` behind what is held. outputs: of so many at the end the logits are wanted.

        Raises Cancelled, TurnFailed.
        """
        if stale():
            raise Cancelled
        self._adapt()
        self._stale = stale
        watch = len(tokens) >= LONG_BATCH
        if watch:
            llama_cpp.llama_set_abort_callback(self._context, self._abort_callback, None)
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        batch = llama_cpp.llama_batch_get_one(array, len(tokens))
        batch.logits = (ctypes.c_int8 * len(tokens))(*(place >= len(tokens) - outputs for place in range(len(tokens))))
        status = llama_cpp.llama_decode(self._context, batch)
        if watch:
            llama_cpp.llama_set_abort_callback(self._context, _NO_CALLBACK, None)
        if status:
            self.cut(len(self.held))
        if status == ABORTED:
            raise Cancelled
        if status:
            raise TurnFailed(f"llama.cpp could not decode (status {status})", remedy="lower thought.context_tokens")
        self.held += tokens

    def _adapt(self) -> None:
        """Have the adapter, if there is one, in use behind the head, and nowhere else."""
        if not self._adapter:
            return
        behind = bool(self.head) and self.held[: len(self.head)] == self.head
        if behind != self._adapted:
            adapters = (llama_cpp.llama_adapter_lora_p_ctypes * 1)(self._adapter)
            llama_cpp.llama_set_adapters_lora(self._context, adapters, int(behind), (ctypes.c_float * 1)(1.0))
            self._adapted = behind

    def cut(self, length: int) -> bool:
        """Take away what llama.cpp holds behind `length` tokens; false where a model's memory cannot be cut there."""
        return bool(llama_cpp.llama_memory_seq_rm(self._memory, 0, length, -1))

    def logits(self, back: int = 0) -> NDArray[np.float32]:
        """Of the token after the last one that was read, or after one that is `back` before it; shape (vocabulary,)."""
        pointer = llama_cpp.llama_get_logits_ith(self._context, -1 - back)
        return np.ctypeslib.as_array(pointer, shape=(self._vocab_size,))

    def save(self, draft: Path, tokens: list[int]) -> bool:
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        return bool(llama_cpp.llama_state_seq_save_file(self._context, str(draft).encode(), 0, array, len(tokens)))

    def restore(self, path: Path, tokens: list[int]) -> bool:
        """Hold `tokens` again, as they were saved; false, and nothing is held, where the file does not fit."""
        array, count = (llama_cpp.llama_token * len(tokens))(), ctypes.c_size_t()
        read = llama_cpp.llama_state_seq_load_file(
            self._context, str(path).encode(), 0, array, len(tokens), ctypes.byref(count)
        )
        if not read or list(array[: count.value]) != tokens:
            llama_cpp.llama_memory_clear(self._memory, True)
            self.held = []
            return False
        self.held = list(tokens)
        return True

    def close(self) -> None:
        if self._context:
            llama_cpp.llama_free(self._context)
            self._context = None

    def _params(self, settings: Thought) -> Any:
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = self.room
        params.n_batch = params.n_ubatch = settings.batch_tokens
        params.n_seq_max, params.n_outputs_max = 1, 1 + self.guesses
        params.n_threads, params.n_threads_batch = settings.threads, settings.threads_batch
        params.flash_attn_type = int(settings.flash_attention)  # 0 is off; the default would choose by itself
        params.no_perf = True
        return params


_NO_CALLBACK = llama_cpp.ggml_abort_callback()


def common(first: Sequence[int], second: Sequence[int]) -> int:
    """Length of the longest common prefix."""
    for index, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return index
    return min(len(first), len(second))
