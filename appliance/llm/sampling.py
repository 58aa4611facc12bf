"""Greedy choice of the next token under a grammar, at next to no cost.

Masking a 151 000-token vocabulary with the stock grammar sampler costs more than the model itself (27 ms a token
without, 61-74 ms with: docs/design/facts.md). So the likeliest token is taken first and only that one is shown to the
grammar; the rest of the vocabulary is asked only when it is refused. The outcome is the same as masking everything.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from appliance.errors import TurnFailed

LIKELY = 64
"""Tokens tried together when the first is refused, before the whole vocabulary; about 1 ms (bench/)."""
KEPT = 8
"""Compiled grammars: the plan's, and those of a few shortlists."""
WRONG_SCHEMA = "a tool's schema is wrong: leave out the tool that was added last"


class Grammars:
    """Compiled grammars of one vocabulary: parsing the catalogue's takes longer than writing a token (bench/)."""

    def __init__(self, vocab: Any) -> None:
        self._vocab = vocab
        self._compiled: dict[str, Any] = {}

    def guard(self, gbnf: str) -> GrammarGuard:
        """A new walk through the grammar. Raises TurnFailed when it does not compile."""
        if (compiled := self._compiled.pop(gbnf, None)) is None:
            if len(self._compiled) >= KEPT:  # the one that was not asked for the longest
                llama_cpp.llama_sampler_free(self._compiled.pop(next(iter(self._compiled))))
            compiled = self._compile(gbnf)
        self._compiled[gbnf] = compiled
        return GrammarGuard(llama_cpp.llama_sampler_clone(compiled))

    def _compile(self, gbnf: str) -> Any:
        sampler = llama_cpp.llama_sampler_init_grammar(self._vocab, gbnf.encode(), b"root")
        if not sampler:
            raise TurnFailed("the plan grammar does not compile", remedy=WRONG_SCHEMA)
        return sampler

    def close(self) -> None:
        for sampler in self._compiled.values():
            llama_cpp.llama_sampler_free(sampler)
        self._compiled.clear()


class GrammarGuard:
    """One walk through one grammar: which tokens may come next. Use once, then close."""

    def __init__(self, sampler: Any) -> None:
        self._sampler = sampler

    def best(self, logits: NDArray[np.float32]) -> int:
        """The likeliest token the grammar allows. `logits`: shape (vocabulary,)."""
        first = int(logits.argmax())
        if self._allowed([first]):
            return first
        likely = np.argpartition(logits, -LIKELY)[-LIKELY:]
        for candidates in (likely, np.arange(len(logits))):
            ordered = candidates[np.argsort(logits[candidates])[::-1]]
            if allowed := self._allowed(ordered.tolist()):
                return allowed[0]
        raise TurnFailed("the grammar allows no token at all", remedy=WRONG_SCHEMA)

    def accept(self, token: int) -> None:
        """Step past a token that `best` gave or `allows` said yes to; any other ends the process."""
        llama_cpp.llama_sampler_accept(self._sampler, token)

    def allows(self, token: int) -> bool:
        return bool(self._allowed([token]))

    def _allowed(self, tokens: Sequence[int]) -> list[int]:
        """Those of `tokens` that may come next, in their order."""
        data = (llama_cpp.llama_token_data * len(tokens))()
        for slot, token in zip(data, tokens, strict=True):
            slot.id, slot.logit = token, 0.0
        candidates = llama_cpp.llama_token_data_array(data=data, size=len(tokens), selected=-1, sorted=False)
        llama_cpp.llama_sampler_apply(self._sampler, ctypes.byref(candidates))
        return [int(slot.id) for slot in data[: candidates.size] if slot.logit != -np.inf]

    def close(self) -> None:
        if self._sampler:
            llama_cpp.llama_sampler_free(self._sampler)
            self._sampler = None
