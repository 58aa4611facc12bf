"""What the plan grammar costs for each token that is written under it, with the real model and the real tools."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from appliance import build
from appliance.audio import never
from appliance.llm.llama import LlamaCpp
from appliance.llm.sampling import GrammarGuard
from appliance.llm.snapshots import Snapshots
from appliance.ports import Usage
from appliance.reply import prompt
from appliance.reply.grammar import compile_grammar
from appliance.settings import Settings
from bench.questions import QUESTIONS

TOKENS = 32
"""Of each answer: a plan is shorter; without drafts, which an engine adds, every token is chosen by itself."""


@dataclass
class _Watch:
    """What the grammar took of a run."""

    spent_s: float = 0.0
    passed: int = 0
    """Tokens."""

    @contextmanager
    def running(self) -> Iterator[None]:
        with ExitStack() as stack:
            for name, passes in (("best", 0), ("allows", 0), ("accept", 1)):
                timed = self._timed(getattr(GrammarGuard, name), passes)
                stack.enter_context(patch.object(GrammarGuard, name, timed))
            yield

    def _timed(self, work: Callable[..., Any], passes: int) -> Callable[..., Any]:
        def timed(guard: GrammarGuard, argument: Any) -> Any:
            began_s = time.perf_counter()
            try:
                return work(guard, argument)
            finally:
                self.spent_s += time.perf_counter() - began_s
                self.passed += passes

        return timed


def measure(chosen: Settings) -> float | None:
    """Milliseconds in the grammar for each token that it let pass, the model's own time aside; None where none did."""
    watch = _Watch()
    path = build.catalog(chosen).path(chosen.thought.model)
    with build.parts(chosen, build.clock(chosen)) as parts:
        skills, name, now = parts.skills, parts.name, parts.clock.now()
    tools = skills.for_model()
    head = prompt.head(tools, (), name, True, prompts=skills.prompts)
    grammar = compile_grammar(tools, chosen.reply.steps_max)
    with TemporaryDirectory() as folder, closing(LlamaCpp(path, chosen.thought, Snapshots(Path(folder)))) as model:
        model.pin([head])
        with watch.running():
            for text in QUESTIONS["tool"]:
                line = prompt.line(text, now, chosen.place, prompt.Beside())
                list(model.generate([*head, line], grammar, TOKENS, Usage(), never))
    return round(watch.spent_s / watch.passed * 1000, 2) if watch.passed else None
