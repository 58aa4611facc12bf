"""llama.cpp in the process of serve.py, through its low-level API: a context for each head that prompts begin with.

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

from appliance.audio import Stale, never
from appliance.errors import Cancelled, ModelDamaged, PromptTooLong, WrongUse
from appliance.llm import mapped
from appliance.llm.chat_format import ChatFormat, tokenized
from appliance.llm.context import Context, common
from appliance.llm.decode import GUESSED, Writing
from appliance.llm.sampling import Grammars
from appliance.llm.snapshots import Snapshots, key_of
from appliance.ports import Grammar, Message, ModelFacts, Rates, Usage
from appliance.settings import Thought

log = logging.getLogger(__name__)

TURN_TOKENS = 600
"""The least that must be left for a turn: a line, a result of 1,200 characters, an answer."""
LINE_TOKENS = 160
"""Room that the next line wants, with what memory and tools put beside it."""
ASIDE_TOKENS, ALONE_TOKENS = 1_024, 700
"""Behind the second head: what is known of the user (1,800 characters), seven turns of 50 tokens, an answer. Behind the
third: a line of 2,000 characters, what it points to, an answer."""
PROBE_TOKENS = 32
"""Read, and then two written, to measure the board at the start: 0.4 s on 2 cores (bench/)."""


class LlamaCpp:
    """Does what LanguageModel asks for; a crash in here ends the process, so isolated.py keeps it in another one."""

    def __init__(self, path: Path, settings: Thought, snapshots: Snapshots, adapters: Sequence[Path] = ()) -> None:
        """adapters: of what it was taught (reply/taught.py), in the heads' order. Raises ModelDamaged, WrongUse."""
        quieten()
        self._path, self._settings, self._snapshots = path, settings, snapshots
        self._cuts = True
        """Whether the end of what is held can be taken away: not in a model with a recurrent state."""
        self._lock = RLock()
        params = llama_cpp.llama_model_default_params()
        params.use_extra_bufts = settings.repack
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        if not self._model:
            raise ModelDamaged(f"llama.cpp cannot load {path.name}", remedy="run: appliance models verify")
        mapped.release(path)
        self._adapters = [_adapter(self._model, each) for each in adapters]
        self._contexts: list[Context] = []
        self._contexts.append(self._context(settings.context_tokens, GUESSED))
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._format = ChatFormat(self._model, path.name)
        self._grammars = Grammars(self._vocab)
        self.rates = Rates(1.0, 1.0)
        """Until `pin` has measured them."""
        self.facts = ModelFacts(
            llama_cpp.llama_model_n_params(self._model),
            llama_cpp.llama_model_n_ctx_train(self._model),
            b"tools" in (llama_cpp.llama_model_chat_template(self._model, None) or b""),
            taught=bool(adapters),
        )

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        """Evaluate them, or fetch them from an earlier start; about 25 ms instead of 10 s (bench/). Raises WrongUse."""
        first, *others = (self._tokenize(self._format.head(head)) for head in heads)
        room = self._settings.context_tokens
        if len(first) + TURN_TOKENS > room:
            what = f"instructions and tools take {len(first)} of {room} tokens, a turn {TURN_TOKENS}"
            raise WrongUse(what, remedy="raise thought.context_tokens or offer fewer tools")
        while len(self._contexts) > 1:
            self._contexts.pop().close()
        for tokens, more in zip(others, (ASIDE_TOKENS, ALONE_TOKENS), strict=False):
            self._contexts.append(self._context(len(tokens) + more, 0))
        for context, tokens in zip(self._contexts, (first, *others), strict=True):
            self._pin(context, tokens)
        self._measure(self._contexts[0])

    def _context(self, room: int, guesses: int) -> Context:
        """Of the next head."""
        number = len(self._contexts)
        adapter = self._adapters[number] if number < len(self._adapters) else None
        return Context(self._model, self._settings, room, guesses, adapter)

    def _pin(self, context: Context, tokens: list[int]) -> None:
        context.head = []
        key = key_of(str(self._path), str(self._path.stat().st_size), llama_cpp.__version__, tokens=tokens)
        if not ((path := self._snapshots.find(key)) and context.restore(path, tokens)):
            context.evaluate(tokens, never)
            self._snapshots.keep(key, lambda draft: context.save(draft, tokens))
        context.head = tokens

    def _context_of(self, tokens: Sequence[int]) -> Context:
        """The one whose head a prompt begins with; the first for any that begins with none."""
        return max(self._contexts, key=lambda context: common(context.head, tokens))

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        """See LanguageModel."""
        with self._in_use():
            first, second = (self._tokenize(self._format.prompt(prompt)) for prompt in (one, other))
            if shared := first[: common(first, second)]:
                context = self._context_of(shared)
                if len(shared) + LINE_TOKENS + self._settings.reply_tokens <= context.room:
                    context.evaluate(shared, stale)
                elif context is self._contexts[0]:  # talk that fits no other is read behind the first head as well
                    raise PromptTooLong(f"{len(shared)} tokens come before the next line")

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Text comes whole characters at a time."""
        with self._in_use():
            tokens = self._tokenize(self._format.prompt(prompt))
        context = self._context_of(tokens)
        if len(tokens) + limit > context.room:
            raise PromptTooLong(f"the prompt has {len(tokens)} tokens")
        usage.prompt_tokens += len(tokens)
        guard = self._grammars.guard(grammar.gbnf) if grammar else None
        writing = Writing(grammar, guard, self._tokenize, self._piece)
        try:
            opening, text = writing.begin()
            guess = writing.guess() if self._cuts and context.guesses else []
            with self._in_use():
                usage.fresh_tokens += context.evaluate([*tokens, *opening], stale, guess)
            if text:
                yield text
            yield from self._write(context, writing, guess, limit, usage, stale)
        finally:
            usage.doubt = writing.doubt
            if guard:
                guard.close()

    def shown(self, prompt: Sequence[Message]) -> tuple[str, int]:
        """`prompt` exactly as the model reads it, and its tokens."""
        text = self._format.prompt(prompt)
        return text, len(self._tokenize(text))

    def _measure(self, context: Context) -> None:
        """What this board does after a head of this length; leaves the context as it was."""
        head = context.head
        probe = head[-PROBE_TOKENS:]
        if len(head) + PROBE_TOKENS + 2 > context.room:
            return
        marks = [time.monotonic()]
        for batch in (probe, probe[:1], probe[:1]):
            context.decode(batch, never)
            marks.append(time.monotonic())
        self.rates = Rates(len(probe) / (marks[1] - marks[0]), 2 / (marks[3] - marks[1]))
        self._cuts = context.cut(len(head))
        context.held = list(head)

    def _write(
        self, context: Context, writing: Writing, guess: list[int], limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """guess: tokens that are read already, and hold as far as they are chosen."""
        for _ in range(limit):
            with self._in_use():
                token = writing.choose(context.logits(len(guess)))
            usage.first_token_s = usage.first_token_s or time.monotonic()
            usage.generated_tokens += 1
            if llama_cpp.llama_vocab_is_eog(self._vocab, token):
                return
            pending, piece = writing.take(token)
            if writing.whole:
                return
            if piece:
                yield piece
            with self._in_use():
                guess = self._follow(context, pending, guess, writing, stale)

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Between `close` and what uses the model on another thread, one waits for the other. Raises Cancelled."""
        with self._lock:
            if not self._contexts:
                raise Cancelled
            yield

    def _follow(
        self, context: Context, tokens: list[int], guess: list[int], writing: Writing, stale: Stale
    ) -> list[int]:
        """Read what was chosen, and a new guess, if it is not what was guessed; returns what is left of the guess."""
        if guess[: len(tokens)] == tokens:
            return guess[len(tokens) :]
        more = writing.guess() if self._cuts and context.guesses else []
        if guess:
            context.evaluate([*context.held[: -len(guess)], *tokens], stale, more)
        else:
            context.decode([*tokens, *more], stale, 1 + len(more))
        return more

    def _tokenize(self, text: str) -> list[int]:
        return tokenized(self._vocab, text)

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(256)
        size = llama_cpp.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, False)
        return buffer.raw[: max(size, 0)]

    def close(self) -> None:
        """Waits for a decode that runs on another thread; whatever comes after it there is cancelled."""
        with self._lock:
            if self._contexts:
                self._grammars.close()
                for context in self._contexts:
                    context.close()
                llama_cpp.llama_model_free(self._model)
                self._contexts = []


def _adapter(model: Any, path: Path) -> Any:
    """llama.cpp's pointer; it goes with the model. Raises ModelDamaged."""
    if adapter := llama_cpp.llama_adapter_lora_init(model, str(path).encode()):
        return adapter
    remedy = "install the appliance again, or set thought.taught = false"
    raise ModelDamaged(f"llama.cpp cannot load {path}", remedy=remedy)


def _to_log(level: int, text: bytes, _: int) -> None:
    if level >= 3:  # ggml's warning and error levels
        log.debug("%s", text.decode(errors="replace").rstrip())


_LOG_CALLBACK = llama_cpp.llama_log_callback(_to_log)


def quieten() -> None:
    llama_cpp.llama_log_set(_LOG_CALLBACK, ctypes.c_void_p(0))
