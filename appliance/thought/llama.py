"""llama.cpp in the process of serve.py, through its low-level API: one sequence, no known prefix is evaluated twice.

The high-level class keeps a logits buffer of batch x vocabulary (300 MB here) and hides the sequence calls that pinning
needs, so it is not used. Not thread-safe: one worker thread owns the model.
"""

from __future__ import annotations

import ctypes
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from appliance.audio import Stale, never
from appliance.errors import Cancelled, ModelDamaged, PromptTooLong, TurnFailed, WrongUse
from appliance.ports import Grammar, Message, ModelFacts, Rates, Usage
from appliance.settings import Thought
from appliance.thought import pages
from appliance.thought.chat_format import ChatFormat
from appliance.thought.sampling import Grammars
from appliance.thought.snapshots import Snapshots, key_of
from appliance.thought.writing import GUESSED, Writing

log = logging.getLogger(__name__)

ABORTED = 2
"""llama_decode's answer after its abort callback said yes (llama.h)."""
TURN_TOKENS = 600
"""The least that must be left for a turn: a line, a result of 1,200 characters, an answer."""
PROBE_TOKENS = 32
"""Read, and then two written, to measure the board at the start: 0.4 s on 2 cores (bench/)."""
LONG_BATCH = 4
"""Tokens from which the abort callback is worth its calls into Python, 600 in a batch and 0.7 ms together (135M, 2 Xeon
cores, 2026-11-22): below, a batch takes hardly longer than a token."""


class LlamaCpp:
    """Does what LanguageModel asks for; a crash in here ends the process, so isolated.py keeps it in another one."""

    def __init__(self, path: Path, settings: Thought, snapshots: Snapshots) -> None:
        _quieten()
        self._path, self._settings, self._snapshots = path, settings, snapshots
        self._held: list[int] = []
        self._cuts = True
        """Whether the end of what is held can be taken away: not in a model with a recurrent state."""
        self._lock = RLock()
        self._stale: Stale = never
        params = llama_cpp.llama_model_default_params()
        params.use_extra_bufts = settings.repack
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        if not self._model:
            raise ModelDamaged(f"llama.cpp cannot load {path.name}", remedy="run: appliance models verify")
        pages.release(path)
        self._context = llama_cpp.llama_init_from_model(self._model, self._context_params())
        if not self._context:
            raise WrongUse("not enough memory for the model's context", remedy="lower thought.context_tokens")
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._vocab_size = llama_cpp.llama_vocab_n_tokens(self._vocab)
        self._format = ChatFormat(self._model, path.name)
        self._grammars = Grammars(self._vocab)
        self.rates = Rates(1.0, 1.0)
        """Until `pin` has measured them."""
        self.facts = ModelFacts(
            llama_cpp.llama_model_n_params(self._model),
            llama_cpp.llama_model_n_ctx_train(self._model),
            b"tools" in (llama_cpp.llama_model_chat_template(self._model, None) or b""),
        )

    def pin(self, head: Sequence[Message]) -> None:
        """Evaluate `head`, or fetch it from an earlier start; about 25 ms instead of 10 s (bench/). Raises WrongUse."""
        tokens, room = self._tokenize(self._format.head(head)), self._settings.context_tokens
        if len(tokens) + TURN_TOKENS > room:
            what = f"instructions and tools take {len(tokens)} of {room} tokens, a turn {TURN_TOKENS}"
            raise WrongUse(what, remedy="raise thought.context_tokens or offer fewer tools")
        key = key_of(str(self._path), str(self._path.stat().st_size), llama_cpp.__version__, tokens=tokens)
        if not ((path := self._snapshots.find(key)) and self._restore(path, tokens)):
            self._evaluate(tokens, never)
            self._snapshots.keep(key, lambda draft: self._save(draft, tokens))
        self._measure(tokens)

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        """See LanguageModel."""
        with self._in_use():
            first, second = (self._tokenize(self._format.prompt(prompt)) for prompt in (one, other))
            if shared := first[: _common(first, second)]:
                self._evaluate(shared, stale)

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Text comes whole characters at a time."""
        with self._in_use():
            tokens = self._tokenize(self._format.prompt(prompt))
        if len(tokens) + limit > self._settings.context_tokens:
            raise PromptTooLong(f"the prompt has {len(tokens)} tokens", remedy="start a new conversation")
        usage.prompt_tokens += len(tokens)
        guard = self._grammars.guard(grammar.gbnf) if grammar else None
        writing = Writing(grammar, guard, self._tokenize, self._piece)
        try:
            opening, text = writing.begin()
            guess = writing.guess() if self._cuts else []
            with self._in_use():
                usage.fresh_tokens += self._evaluate([*tokens, *opening], stale, guess)
            if text:
                yield text
            yield from self._write(writing, guess, limit, usage, stale)
        finally:
            if guard:
                guard.close()

    def shown(self, prompt: Sequence[Message]) -> tuple[str, int]:
        """`prompt` exactly as the model reads it, and its tokens."""
        text = self._format.prompt(prompt)
        return text, len(self._tokenize(text))

    def _measure(self, head: list[int]) -> None:
        """What this board does after a head of this length; leaves the sequence as it was."""
        probe = head[-PROBE_TOKENS:]
        if len(head) + PROBE_TOKENS + 2 > self._settings.context_tokens:
            return
        marks = [time.monotonic()]
        for batch in (probe, probe[:1], probe[:1]):
            self._decode(batch, never)
            marks.append(time.monotonic())
        self.rates = Rates(len(probe) / (marks[1] - marks[0]), 2 / (marks[3] - marks[1]))
        self._cuts = bool(llama_cpp.llama_memory_seq_rm(self._memory, 0, len(head), -1))
        self._held = list(head)

    def _write(self, writing: Writing, guess: list[int], limit: int, usage: Usage, stale: Stale) -> Iterator[str]:
        """guess: tokens that are read already, and hold as far as they are chosen."""
        for _ in range(limit):
            with self._in_use():
                token = writing.choose(self._logits(len(guess)))
            usage.first_token_s = usage.first_token_s or time.monotonic()
            usage.generated_tokens += 1
            if llama_cpp.llama_vocab_is_eog(self._vocab, token):
                return
            pending, piece = writing.take(token)
            if piece:
                yield piece
            with self._in_use():
                guess = self._follow(pending, guess, writing, stale)

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Between `close` and what uses the model on another thread, one waits for the other. Raises Cancelled."""
        with self._lock:
            if not self._context:
                raise Cancelled
            yield

    def _follow(self, tokens: list[int], guess: list[int], writing: Writing, stale: Stale) -> list[int]:
        """Read what was chosen, and a new guess, if it is not what was guessed; returns what is left of the guess."""
        if guess[: len(tokens)] == tokens:
            return guess[len(tokens) :]
        more = writing.guess() if self._cuts else []
        if guess:
            self._evaluate([*self._held[: -len(guess)], *tokens], stale, more)
        else:
            self._decode([*tokens, *more], stale, 1 + len(more))
        return more

    def _logits(self, back: int = 0) -> NDArray[np.float32]:
        """Of the token after the last one that was read, or after one that is `back` before it; shape (vocabulary,)."""
        pointer = llama_cpp.llama_get_logits_ith(self._context, -1 - back)
        return np.ctypeslib.as_array(pointer, shape=(self._vocab_size,))

    def _evaluate(self, tokens: list[int], stale: Stale, guess: Sequence[int] = ()) -> int:
        """Make the sequence hold exactly `tokens`, then `guess`; returns how many of `tokens` had to be evaluated.

        At least the last one is evaluated, for its logits. A model whose memory cannot be cut starts afresh.
        """
        shared = min(_common(self._held, tokens), len(tokens) - 1)
        if not llama_cpp.llama_memory_seq_rm(self._memory, 0, shared, -1):
            llama_cpp.llama_memory_clear(self._memory, True)
            shared = 0
        self._held = self._held[:shared]
        step = self._settings.batch_tokens - len(guess)
        for start in range(shared, len(tokens), step):
            last = guess if start + step >= len(tokens) else ()
            self._decode([*tokens[start : start + step], *last], stale, 1 + len(last))
        return len(tokens) - shared

    def _decode(self, tokens: list[int], stale: Stale, outputs: int = 1) -> None:
        """outputs: of so many tokens at the end the logits are wanted."""
        if stale():
            raise Cancelled
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
            llama_cpp.llama_memory_seq_rm(self._memory, 0, len(self._held), -1)
        if status == ABORTED:
            raise Cancelled
        if status:
            raise TurnFailed(f"llama.cpp could not decode (status {status})", remedy="lower thought.context_tokens")
        self._held += tokens

    def _save(self, draft: Path, tokens: list[int]) -> bool:
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        return bool(llama_cpp.llama_state_seq_save_file(self._context, str(draft).encode(), 0, array, len(tokens)))

    def _restore(self, path: Path, tokens: list[int]) -> bool:
        array, count = (llama_cpp.llama_token * len(tokens))(), ctypes.c_size_t()
        read = llama_cpp.llama_state_seq_load_file(
            self._context, str(path).encode(), 0, array, len(tokens), ctypes.byref(count)
        )
        if not read or list(array[: count.value]) != tokens:
            llama_cpp.llama_memory_clear(self._memory, True)
            return False
        self._held = list(tokens)
        return True

    def _tokenize(self, text: str) -> list[int]:
        data = text.encode()
        room = len(data) + 8
        array = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(self._vocab, data, len(data), array, room, False, True)
        return list(array[:count])

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(256)
        size = llama_cpp.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, False)
        return buffer.raw[: max(size, 0)]

    def _context_params(self) -> Any:
        params, settings = llama_cpp.llama_context_default_params(), self._settings
        params.n_ctx = settings.context_tokens
        params.n_batch = params.n_ubatch = settings.batch_tokens
        params.n_seq_max, params.n_outputs_max = 1, 1 + GUESSED
        params.n_threads, params.n_threads_batch = settings.threads, settings.threads_batch
        params.flash_attn_type = int(settings.flash_attention)  # 0 is off; the default would choose by itself
        params.no_perf = True
        self._abort_callback = llama_cpp.ggml_abort_callback(lambda _: self._stale())
        return params

    def close(self) -> None:
        """Waits for a decode that runs on another thread; whatever comes after it there is cancelled."""
        with self._lock:
            if self._context:
                self._grammars.close()
                llama_cpp.llama_free(self._context)
                llama_cpp.llama_model_free(self._model)
                self._context = None


_NO_CALLBACK = llama_cpp.ggml_abort_callback()


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """Length of the longest common prefix."""
    for index, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return index
    return min(len(first), len(second))


def _to_log(level: int, text: bytes, _: int) -> None:
    if level >= 3:  # ggml's warning and error levels
        log.debug("%s", text.decode(errors="replace").rstrip())


_LOG_CALLBACK = llama_cpp.llama_log_callback(_to_log)


def _quieten() -> None:
    llama_cpp.llama_log_set(_LOG_CALLBACK, ctypes.c_void_p(0))
