"""A chat server on the LAN as the language model: llama-server, vLLM, Ollama, all that speak OpenAI's chat format.

Errors and logs name the server and what to do, never what was sent or answered: that holds the user's words, the key.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Any

import httpx

from appliance.audio import Stale
from appliance.errors import BadSettings, PromptTooLong, TurnFailed
from appliance.llm import wire
from appliance.llm.stream import Exchange, Lost, Refusal
from appliance.ports import SMALL_PARAMETERS, Grammar, Message, ModelFacts, Rates, Tool, Usage
from appliance.reply.plan import Answer, Call

log = logging.getLogger(__name__)

CONNECT_S = 3.0
"""A server on the same network that has not accepted by then is off: Linux repeats a lost SYN after 1 s."""
CONTEXT_TOKENS = 8_192
"""Assumed of a server, which does not say: one that has fewer refuses, and that is PromptTooLong."""
ASSUMED = Rates(prefill_tps=500, decode_tps=20)
"""Until an answer was long enough to measure: a guess at the slow end of what is worth a server."""

SPARE = ("grammar", "stream_options")
"""Fields that not every server takes; one that was refused is left out for the rest of the session."""
REFUSALS = {400, 404, 422, 500, 501}
"""Statuses with which servers refuse a field (llama-server: 500 for tools without a template)."""
WHY = {401: "refused the key", 403: "refused the key", 404: "has no such model", 429: "has too much to do"}

_TOOLS = re.compile(r"\btools?\b|tool_|\bfunctions?\b", re.IGNORECASE)
_TOO_LONG = re.compile(r"context.{0,12}(length|size|window)|exceed\w*.{0,24}context", re.IGNORECASE)


class ToolsRefused(TurnFailed):
    """The server takes no tools: go on with the text protocol."""


class LanModel:
    """Implements LanguageModel."""

    def __init__(
        self, url: str, model: str, key: str, timeout_s: float, transport: httpx.BaseTransport | None = None
    ) -> None:
        """`url`: with its version, such as http://server:8080/v1. `key`: empty where none is needed.

        `timeout_s`: silence after which the server is given up, before the first piece of an answer and between two.
        Raises BadSettings.
        """
        address = _address(url)
        if not (key.isascii() and key.isprintable()):
            raise BadSettings("the model server's key is not one line of plain characters", remedy="correct its file")
        self._server = f"{address.scheme}://{address.netloc.decode()}"
        self._model, self._timeout_s = model, timeout_s
        self._client = httpx.Client(
            base_url=address,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S)),
            limits=httpx.Limits(max_keepalive_connections=0),
            transport=transport,
            trust_env=False,  # a proxy to the internet does not lead to the LAN
        )
        self._refused: set[str] = set()
        self._rates = ASSUMED
        self.native = True
        """Whether the server takes tools, as far as is known."""

    @property
    def facts(self) -> ModelFacts:
        """A server counts as large whatever it runs: no file is here whose metadata could be read."""
        return ModelFacts(SMALL_PARAMETERS + 1, CONTEXT_TOKENS, self.native)

    @property
    def rates(self) -> Rates:
        return self._rates

    @property
    def trouble(self) -> str:
        """Never known before it is asked."""
        return ""

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        """Nothing: servers keep the prompts that they have seen."""

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        """Nothing: it would keep the server from others."""

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Raises PromptTooLong or TurnFailed. Only llama.cpp's servers obey the grammar."""
        extra = {"grammar": grammar.gbnf} if grammar else {}
        for delta in self._deltas(prompt, extra, limit, usage, stale):
            if delta.content:
                yield delta.content

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        """One answer with native tool calls. Raises ToolsRefused, PromptTooLong, TurnFailed or Cancelled.

        What tools answered is the user's next message, so that no ids need to be kept.
        """
        extra = {"tools": [wire.function(tool) for tool in tools]} if tools else {}
        deltas = list(self._deltas(messages, extra, limit, usage, stale))
        drafts = wire.drafts(piece for delta in deltas for piece in delta.tool_calls or ())
        return Answer(
            "".join(delta.content or "" for delta in deltas),
            tuple(Call(draft.name, draft.arguments) for draft in drafts if draft.arguments is not None),
            tuple(draft.name for draft in drafts if draft.arguments is None),
        )

    def close(self) -> None:
        self._client.close()

    def _deltas(
        self, prompt: Sequence[Message], extra: dict[str, Any], limit: int, usage: Usage, stale: Stale
    ) -> Iterator[wire.Delta]:
        """What the answer is made of: a piece is a token or more, so there are at most `limit`."""
        body = {"model": self._model, "messages": wire.messages(prompt), "max_tokens": limit, "temperature": 0}
        body |= {"stream": True, "stream_options": {"include_usage": True}, **extra}
        watch = wire.Watch(usage)
        try:
            for chunk in self._chunks(body, stale):
                watch.report = chunk.usage or watch.report
                if not (chunk.delta.content or chunk.delta.tool_calls):
                    continue
                if watch.pieces == limit:
                    return
                watch.piece()
                yield chunk.delta
        finally:
            watch.fill_in()
            self._rates = watch.rates(self._rates)

    def _chunks(self, body: dict[str, Any], stale: Stale) -> Iterator[wire.Chunk]:
        """The answer to as much of `body` as the server takes."""
        while True:
            sent = {name: value for name, value in body.items() if name not in self._refused}
            try:
                with Exchange(self._client, sent, self._timeout_s) as exchange:
                    yield from wire.chunks(exchange.events(stale))
                return
            except Lost as lost:
                raise self._failure(str(lost)) from None
            except Refusal as refusal:
                self._give_way(refusal, sent)

    def _give_way(self, refusal: Refusal, sent: dict[str, Any]) -> None:
        """Leave out from now on what the server refused; where nothing can be, raise what the refusal means."""
        status, reason = refusal.status, refusal.reason
        if _TOO_LONG.search(reason):
            raise PromptTooLong("the prompt is too long for the model server")
        if "tools" in sent and status in REFUSALS and (status == 501 or _TOOLS.search(reason)):
            self.native = False
            raise ToolsRefused(f"the model server takes no tools (status {status})", remedy="go on without them")
        spare = [name for name in SPARE if name in sent and status in REFUSALS]
        named = [name for name in spare if name in reason] or (spare if status in (400, 422) else [])
        if not named:
            raise self._failure(f"{WHY.get(status, 'failed')} (status {status})")
        log.warning("the model server at %s does not take: %s", self._server, ", ".join(named))
        self._refused.update(named)

    def _failure(self, what: str) -> TurnFailed:
        return TurnFailed(f"the model server {what}", remedy=f"check the model server at {self._server}")


def _address(url: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL:
        address = httpx.URL()
    reachable = address.scheme in ("http", "https") and address.host and (address.port or 80) < 65_536
    if not reachable or address.userinfo or address.query:  # the latter two may hold a secret, and go into logs
        raise BadSettings("the model server's address cannot be used", remedy="write it like http://server:8080/v1")
    return address
