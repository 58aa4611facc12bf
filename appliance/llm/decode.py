"""One text as it is written: which token comes next, and which ones are certain and need not be chosen."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from appliance.llm.sampling import GrammarGuard
from appliance.ports import Grammar

REPETITION = 0.4
"""Taken from a token's logit for each time it stands in this answer: greedy small models fall into loops without it.
Only in free words; a call may need the same digit five times."""
GUESSED = 24
"""Tokens read ahead of their choice at most. One costs 10 to 15 ms beside a prompt and 55 by itself (1.5B, 2 cores)."""
DOUBTED = 2
"""Tokens that tell how sure a text is: the name or number that was asked for is hardly ever longer."""
BARRED = 8
"""Tokens with the same text at their start are few: "can", "cannot", "can't" and their capitals."""


class Writing:
    def __init__(
        self,
        grammar: Grammar | None,
        guard: GrammarGuard | None,
        tokenize: Callable[[str], list[int]],
        piece: Callable[[int], bytes],
    ) -> None:
        """guard: a new walk through `grammar`.  piece: the text of a token."""
        self._grammar, self._guard, self._tokenize, self._piece = grammar, guard, tokenize, piece
        self._decoder, self._used = codecs.getincrementaldecoder("utf-8")(errors="ignore"), Counter[int]()
        self._written = ""
        self._surprises: list[float] = []
        """How unlikely each token of free words was, in nats."""

    @property
    def whole(self) -> bool:
        return bool(self._grammar and self._grammar.whole(self._written))

    @property
    def doubt(self) -> float | None:
        """See Usage."""
        most = sorted(self._surprises)[-DOUBTED:]
        return sum(most) / len(most) if most else None

    def begin(self) -> tuple[list[int], str]:
        """What it must begin with, as tokens and as text: they are read with the prompt."""
        opening = self._forced("")
        self._written = self._text(opening)
        return opening, self._written

    def guess(self) -> list[int]:
        """How it will probably go on: read with what is certain, before it is chosen token by token."""
        text = self._grammar.likely(self._written) if self._grammar else ""
        return self._tokenize(text)[:GUESSED] if text else []

    def choose(self, logits: NDArray[np.float32]) -> int:
        """The next token. `logits`: shape (vocabulary,); changed."""
        if self._grammar and self._guard and not self._grammar.free(self._written):
            token = self._guard.best(logits)
            for _ in range(BARRED):
                if not self._barred(token):  # the first word comes in one token with the blank before it
                    break
                logits[token] = -np.inf
                token = self._guard.best(logits)
            self._guard.accept(token)
        else:
            token = self._word(logits)
        self._used[token] += 1
        return token

    def take(self, token: int) -> tuple[list[int], str]:
        """The token that was chosen with those that must follow it, and the text of them all in whole characters."""
        piece = self._text([token])
        following = self._forced(self._written + piece)
        piece += self._text(following)
        self._written += piece
        return [token, *following], piece

    def _word(self, logits: NDArray[np.float32]) -> int:
        """The likeliest token of free words; of those that the grammar bars, as many as `BARRED` are passed over."""
        unchanged = logits.copy() if self._grammar and self._grammar.weighed else None
        logits[list(self._used)] -= REPETITION * np.fromiter(self._used.values(), np.float32, len(self._used))
        token = int(logits.argmax())
        for _ in range(BARRED):
            if not self._barred(token):
                break
            logits[token] = -np.inf
            token = int(logits.argmax())
        if unchanged is not None:
            self._surprises.append(float(np.logaddexp.reduce(unchanged) - unchanged[token]))
        return token

    def _barred(self, token: int) -> bool:
        text = self._written + self._piece(token).decode(errors="ignore")
        return bool(self._grammar and self._grammar.free(text) and self._grammar.barred(text))

    def _forced(self, written: str) -> list[int]:
        """What must come next, stepped past in the grammar, up to the first token that the grammar would not take."""
        if not self._grammar or not self._guard or not (text := self._grammar.forced(written)):
            return []
        taken = []
        for token in self._tokenize(text):
            if not self._guard.allows(token):
                break
            self._guard.accept(token)
            taken.append(token)
        return taken

    def _text(self, tokens: list[int]) -> str:
        return "".join(self._decoder.decode(self._piece(token)) for token in tokens)
