"""A chat server on the LAN as the language model: llama-server, vLLM, Ollama, all that speak OpenAI's chat format.

Errors and logs name the server and what to do, never what was sent or answered: that holds the user's words, the key.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from appliance.audio import Stale
from appliance.errors import BadSettings, PromptTooLong, ToolsRefused
from appliance.llm import wire
from appliance.llm.failures import ServerFailed
from appliance.llm.stream import Exchange, Lost, NoEvents, Refusal
from appliance.ports import SMALL_PARAMETERS, Grammar, Message, ModelFacts, Rates, Tool, Usage
from appliance.reply.plan import Answer, Call

log = logging.getLogger(__name__)

CONNECT_S = 3.0
"""A server on the same network that has not accepted by then is off: Linux repeats a lost SYN after 1 s."""
CONTEXT_TOKENS = 8_192
"""Assumed of a server, which does not say: one that has fewer refuses, and that is PromptTooLong."""
ASSUMED = Rates(prefill_tps=500, decode_tps=20)
"""Until an answer was long enough to measure: a guess at the slow end of what is worth a server."""
TOKEN_CHARS = 16
"""Longest that the tokens of an answer are on average: text has 3 to 5, and a server may ignore the limit."""

OUR_WAY = {
    "stream_options": {"include_usage": True},
    "chat_template_kwargs": {"enable_thinking": False},
}
"""Sent with every request: the tokens are counted, and nobody waits for thoughts (vLLM, llama-server)."""
SPARE = ("grammar", *OUR_WAY)
"""Fields that not every server takes; one that was refused is left out for the rest of the session."""
REFUSALS = {400, 404, 422, 500, 501}
"""Statuses with which servers refuse a field (llama-server: 500 for tools without a template)."""

_TOOLS = re.compile(r"\btools?\b|tool_|\bfunctions?\b", re.IGNORECASE)
_TOO_LONG = re.compile(r"context.{0,12}(length|size|window)|exceed\w*.{0,24}context", re.IGNORECASE)


@dataclass
class Known:
    """What a model on a server has shown of itself, whatever the key: of others it says nothing."""

    native: bool = True
    """Whether it takes tools, as far as is known."""
    refused: set[str] = field(default_factory=set)
    """Fields that it does not take."""
    rates: Rates = ASSUMED


class LanModel:
    """One model on one server, asked with one key. Nothing is pinned there: servers keep what they have read."""

    def __init__(
        self,
        url: str,
        model: str,
        key: str,
        silence_s: float,
        known: Known | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`url`: with its version, such as http://server:8080/v1. `key`: empty where none is needed.

        `silence_s`: after which the server is given up, before the first piece of an answer and between two.
        `known`: shared by all that ask the same model with other keys. Raises BadSettings.
        """
        address = _address(url)
        if not (key.isascii() and key.isprintable()):
            raise BadSettings("the model server's key is not one line of plain characters", remedy="correct its file")
        self.address = f"{address.scheme}://{address.netloc.decode()}"
        self.known = known or Known()
        self._model, self._silence_s = model, silence_s
        self._client = httpx.Client(
            base_url=address,
            headers={"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {}),
            timeout=httpx.Timeout(silence_s, connect=min(silence_s, CONNECT_S)),
            limits=httpx.Limits(max_keepalive_connections=0),
            transport=transport,
            trust_env=False,  # a proxy to the internet does not lead to the LAN
            follow_redirects=False,  # what was said, and the key, go to no other host
        )

    @property
    def native(self) -> bool:
        return self.known.native

    @property
    def facts(self) -> ModelFacts:
        """A server counts as large whatever it runs: no file is here whose metadata could be read."""
        return ModelFacts(SMALL_PARAMETERS + 1, CONTEXT_TOKENS, self.native)

    @property
    def rates(self) -> Rates:
        return self.known.rates

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Raises PromptTooLong or ServerFailed. Only llama.cpp's servers obey the grammar."""
        extra = {"grammar": grammar.gbnf} if grammar else {}
        for delta in self._deltas(prompt, extra, limit, usage, stale):
            if delta.content:
                yield delta.content

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        """One answer with native tool calls. Raises ToolsRefused, PromptTooLong, ServerFailed or Cancelled.

        What tools answered is the user's next message, so that no ids need to be kept.
        """
        if not self.native:
            raise self._no_tools()
        extra = {"tools": [wire.function(tool) for tool in tools]} if tools else {}
        deltas = list(self._deltas(messages, extra, limit, usage, stale))
        drafts = wire.drafts(piece for delta in deltas for piece in delta.tool_calls)
        return Answer(
            "".join(delta.content for delta in deltas),
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
        watch, room = wire.Watch(usage), limit * TOKEN_CHARS
        try:
            for chunk in self._chunks(body | {"stream": True} | OUR_WAY | extra, stale):
                if chunk.delta.says and (watch.pieces == limit or room <= 0):
                    return
                watch.take(chunk, self._silence_s)
                if chunk.delta.says:
                    chunk.delta.content = chunk.delta.content[:room]
                    room -= len(chunk.delta.content)
                    yield chunk.delta
            watch.end()
        except Lost as lost:
            raise ServerFailed(self.address, how=str(lost)) from None
        finally:
            watch.fill_in()
            self.known.rates = watch.rates(self.known.rates)

    def _chunks(self, body: dict[str, Any], stale: Stale) -> Iterator[wire.Chunk]:
        """The answer to as much of `body` as the server takes."""
        left_out, dropped = set(self.known.refused), set[str]()
        while True:
            sent = {name: value for name, value in body.items() if name not in left_out | dropped}
            try:
                with Exchange(self._client, sent, self._silence_s) as exchange:
                    for chunk in wire.chunks(exchange.events(stale)):
                        self._learn(left_out)
                        yield chunk
                return
            except Refusal as refusal:
                left_out |= self._refused(refusal, sent)
            except NoEvents:  # llama-cpp-python says what is wrong only where nothing is streamed
                if dropped:
                    raise
                dropped = {"stream", "stream_options"}

    def _refused(self, refusal: Refusal, sent: dict[str, Any]) -> set[str]:
        """The fields to be left out; where none can be, what the refusal means is raised."""
        status, reason = refusal.status, refusal.reason
        if _TOO_LONG.search(reason):
            raise PromptTooLong(f"the prompt is too long for the model server at {self.address}")
        if "tools" in sent and status in REFUSALS and (status == 501 or _TOOLS.search(reason)):
            log.warning(
                "the model server at %s takes no tools: there it is the text protocol from now on", self.address
            )
            self.known.native = False
            raise self._no_tools()
        spare = {name for name in SPARE if name in sent and status in REFUSALS}
        named = {name for name in spare if name in reason} or (spare if status in (400, 422) else set())
        if not named:
            raise ServerFailed(self.address, status, wait_s=refusal.wait_s)
        return named

    def _learn(self, left_out: set[str]) -> None:
        """An answer came once these were left out: they are from now on."""
        if new := left_out - self.known.refused:
            log.warning("the model server at %s does not take: %s", self.address, ", ".join(sorted(new)))
            self.known.refused |= new

    def _no_tools(self) -> ToolsRefused:
        return ToolsRefused(f"the model server at {self.address} takes no tools", remedy="go on without them")


def _address(url: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL:
        address = httpx.URL()
    reachable = address.scheme in ("http", "https") and address.host and (address.port or 80) < 65_536
    if not reachable or address.userinfo or address.query:  # the latter two may hold a secret, and go into logs
        host = f" ({address.host})" if address.host else ""
        raise BadSettings(
            f"a model server's address{host} cannot be used", remedy="write it like http://server:8080/v1"
        )
    return address
