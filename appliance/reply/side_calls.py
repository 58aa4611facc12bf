"""What the model is asked beside the turn: nothing of it is spoken, and nothing of it stays in the prompt."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf

from appliance.audio import Stale, never
from appliance.errors import ModelChanged
from appliance.ports import Grammar, LanguageModel, Message, Tool, Usage
from appliance.reply import prompt
from appliance.reply.grammar import compile_grammar
from appliance.reply.plan import Call, parse
from appliance.reply.turn import Turn

THOUGHT_TOKENS = 64
"""Of an `analyse` step: three short sentences."""
CALL_TOKENS = 44
"""Of a call with one text in it: the grammar lets it have 120 characters."""

_NAME = re.compile(r"\w+")

Begun = Callable[[Sequence[Message]], list[Message]]
"""Everything before the turn, with what is known of the user."""


class SideCalls:
    def __init__(self, model: LanguageModel, begun: Begun, apart: Callable[[], list[Message]]) -> None:
        """apart: what a text is read behind that has nothing to do with any turn."""
        self._model, self._begun, self._apart = model, begun, apart

    def words(self, turn: Turn, text: str, limit: int, ends_s: float = inf) -> str:
        """What the model makes of a text, at most `limit` tokens. Raises Cancelled when it is not done by `ends_s`,
        on the monotonic clock."""
        turn.record.model.calls += 1

        def stale() -> bool:
            return turn.stale() or time.monotonic() >= ends_s

        written = self._written(lambda: self._behind(turn, text), None, limit, turn.usage, stale)
        return written.removeprefix("say ")

    def analyse(self, call: Call, turn: Turn) -> str:
        """An `analyse` step: thoughts that nobody hears; left out when time is short."""
        if not turn.budget.affords("analyse", THOUGHT_TOKENS):
            turn.took_branch("left_out")
            return prompt.note("enough")
        question = prompt.instruction("analyse", question=str(call.arguments.get("question", turn.line.text)))
        return self.words(turn, prompt.results(turn.unread, question), THOUGHT_TOKENS)

    def pick(self, heard: str, tools: Sequence[Tool]) -> list[str]:
        """The router's `llm` strategy: the names that the model writes down."""
        text = prompt.instruction("pick", heard=heard, tools=prompt.catalogue(tools))
        written = self._written(lambda: [Message("user", text)], None, THOUGHT_TOKENS, Usage(), never)
        named = set(_NAME.findall(written))
        return [tool.name for tool in tools if tool.name in named]

    def choose(
        self, known: Sequence[Message], asked: Sequence[Message], choices: Sequence[prompt.Choice], stale: Stale
    ) -> Call | None:
        """The model's pick behind the conversation so far and what is `asked`."""
        grammar = compile_grammar(choices, 1, speech=False)
        return parse(self._written(lambda: [*self._begun(known), *asked], grammar, THOUGHT_TOKENS, Usage(), stale))

    def calls(self, asked: Sequence[Message], choices: Sequence[prompt.Choice], most: int, stale: Stale) -> list[Call]:
        """What the model calls of `choices` for what is `asked` by itself, so many times at most. Raises Cancelled."""
        grammar = compile_grammar(choices, most, speech=False)
        written = self._written(lambda: [*self._apart(), *asked], grammar, most * CALL_TOKENS, Usage(), stale)
        return [call for call in map(parse, written.splitlines()) if call]

    def _written(
        self, prompt: Callable[[], list[Message]], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> str:
        """What the model writes; `prompt` is built anew for each that takes over."""
        while True:
            with suppress(ModelChanged):
                return "".join(self._model.generate(prompt(), grammar, limit, usage, stale))

    def _behind(self, turn: Turn, text: str) -> list[Message]:
        return [*self._begun(turn.known.profile), *turn.messages, Message("user", text)]
