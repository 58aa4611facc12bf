"""Which tools a line may be about, when there are too many to show the model all of them."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Literal

from appliance.errors import ApplianceError, Cancelled
from appliance.ports import Tool
from appliance.reply.understanding.relevance import NOISE, rank, words

log = logging.getLogger(__name__)

Strategy = Literal["hybrid", "all", "keyword", "llm"]

Picks = OrderedDict[tuple[str, ...], tuple[str, ...]]
"""A line and the names of a catalogue -> what was picked."""

PICKS_KEPT = 64
"""The newest; a pick costs the strategy `llm` a model call."""
SIMILAR = 0.8
"""difflib's ratio from which a word is another one misheard or inflected: whether/weather 0.86, lamps/lamp 0.89."""
SHORTEST_WORD = 4
"""Characters; shorter ones are all alike."""
CORRECTED_MAX = 24
"""Words of one line that are looked for under another spelling; 24 take 50 ms (x86) among 1,000 words."""

_JOINTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


class Router:
    """Ranks a catalogue against a line. Not thread-safe."""

    def __init__(
        self, strategy: Strategy, limit: int, pick: Callable[[str, Sequence[Tool]], Sequence[str]] | None = None
    ) -> None:
        """`limit`: tools on a shortlist; from 1.

        `pick` names tools for a line, by one model call: for the strategy `llm`, which goes by keywords where it is not
        given, raises ApplianceError, or finds nothing.
        """
        self._strategy, self._limit, self._pick = strategy, limit, pick

    def matches(self, query: str, tools: Sequence[Tool], picks: Picks) -> list[str]:
        """Names, best first; none when nothing matches, which is never kept.

        picks: those of the conversation, to be added to. They hold what was said, and end with it.
        """
        if self._strategy == "all":
            return [tool.name for tool in tools]
        key = (query, *(tool.name for tool in tools))
        if key not in picks:
            found = self._best(query.strip(), tools)[: self._limit]
            if not found:
                return []
            picks[key] = tuple(found)
            if len(picks) > PICKS_KEPT:
                picks.popitem(last=False)
        picks.move_to_end(key)
        return list(picks[key])

    def _best(self, text: str, tools: Sequence[Tool]) -> list[str]:
        documents = [_document(tool) for tool in tools]
        if not text or not documents:
            return []
        if found := self._by_model(text, tools):
            return found
        telling = [word for word in words(text) if word not in NOISE]
        close = _close(telling, documents) if self._strategy == "hybrid" else []
        return _names(rank(" ".join([*telling, *close]), documents), tools)

    def _by_model(self, text: str, tools: Sequence[Tool]) -> list[str]:
        """Empty where the strategy has no model, or the model no answer."""
        if self._strategy != "llm" or self._pick is None:
            return []
        known = {tool.name for tool in tools}
        try:
            return [name for name in dict.fromkeys(self._pick(text, tools)) if name in known]
        except Cancelled:
            raise
        except ApplianceError as error:
            log.warning("router: %s; going by keywords", error)
            return []


def _document(tool: Tool) -> str:
    """What a tool is found by: its name and its parameters' names as words, and its description."""
    names = (_JOINTS.sub(" ", name) for name in (tool.name, *tool.schema.get("properties", {})))
    return " ".join([*names, tool.description])


def _names(order: Sequence[int], tools: Sequence[Tool]) -> list[str]:
    return [tools[index].name for index in order]


def _close(said: Sequence[str], documents: Sequence[str]) -> list[str]:
    """For each word that no document holds, the two closest that one does."""
    held = {word for document in documents for word in words(document)}
    choice = sorted(word for word in held if len(word) >= SHORTEST_WORD)
    strange = [word for word in dict.fromkeys(said) if word not in held and len(word) >= SHORTEST_WORD]
    return [near for word in strange[:CORRECTED_MAX] for near in get_close_matches(word, choice, 2, SIMILAR)]
