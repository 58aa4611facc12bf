"""Which tools a line may be about, when there are too many to show the model all of them."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from appliance.errors import ApplianceError, Cancelled
from appliance.language.meanings import Meanings
from appliance.language.stopwords import NOISE
from appliance.ports import Tool
from appliance.reply.understanding.relevance import best_first, word_scores, words

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

OF_WORDS = 0.06
"""What BM25 counts beside the cosine of the meanings, which is 1 at most (bench/router.py, as the following)."""
OF_SERVER = 0.5
"""What the best tool of a server counts for each of its tools: "next" is about trains where a station was named."""
LEAST, SHARE = 0.4, 0.5
"""The least score, and the least share of the best one: of 16 tools 11 are left, and the same ones are right."""
SERVER_ENDS = "__"
"""Behind the name of a server in the names of its tools."""

_JOINTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


class Router:
    """Ranks a catalogue against a line. Not thread-safe."""

    def __init__(
        self,
        strategy: Strategy,
        limit: int,
        pick: Callable[[str, Sequence[Tool]], Sequence[str]] | None = None,
        meanings: Meanings | None = None,
    ) -> None:
        """`limit`: tools on a shortlist; from 1.  meanings: for the strategy `hybrid`, of the language of the tools.

        `pick` names tools for a line, by one model call: for the strategy `llm`, which goes by keywords where it is not
        given, raises ApplianceError, or finds nothing.
        """
        self._strategy, self._limit, self._pick, self.meanings = strategy, limit, pick, meanings
        self._vectors = lru_cache(1)(self._vectors_of)

    def matches(self, query: str, tools: Sequence[Tool], picks: Picks, by_words: bool = False) -> list[str]:
        """Names, best first; none when nothing matches, which is never kept.

        by_words: only what shares a word with the line, or one that is spelt much like it.

        picks: those of the conversation, to be added to. They hold what was said, and end with it.
        """
        if self._strategy == "all":
            return [tool.name for tool in tools]
        key = (query, *(tool.name for tool in tools))
        if key not in picks:
            found = self._best(query.strip(), tools, by_words)[: self._limit]
            if not found:
                return []
            picks[key] = tuple(found)
            if len(picks) > PICKS_KEPT:
                picks.popitem(last=False)
        picks.move_to_end(key)
        return list(picks[key])

    def _best(self, text: str, tools: Sequence[Tool], by_words: bool) -> list[str]:
        documents = [_document(tool) for tool in tools]
        if not text or not documents:
            return []
        if found := self._by_model(text, tools):
            return found
        telling = [word for word in words(text) if word not in NOISE]
        scores = self._by_words(telling, documents)
        if telling and self._strategy == "hybrid" and self.meanings and not by_words:
            scores = self._by_meaning(self.meanings.of(text), scores, tuple(tools))
        return _names(best_first(scores), tools)

    def _by_words(self, telling: Sequence[str], documents: Sequence[str]) -> list[float]:
        close = _close(telling, documents) if self._strategy == "hybrid" else []
        return word_scores(" ".join([*telling, *close]), documents)

    def _by_meaning(self, line: NDArray[np.float32], of_words: Sequence[float], tools: tuple[Tool, ...]) -> list[float]:
        """One score for each tool; 0 where it is not near enough."""
        own = [float(score) for score in self._vectors(tools) @ line + OF_WORDS * np.asarray(of_words)]
        best = defaultdict[str, float](float)
        for tool, score in zip(tools, own, strict=True):
            best[_server(tool)] = max(best[_server(tool)], score)
        best[""] = 0.0
        scores = [score + OF_SERVER * best[_server(tool)] for tool, score in zip(tools, own, strict=True)]
        least = max(LEAST, SHARE * max(scores))
        return [score if score >= least else 0.0 for score in scores]

    def _vectors_of(self, tools: tuple[Tool, ...]) -> NDArray[np.float32]:
        """Shape (tools, dimensions)."""
        assert self.meanings
        return np.stack([self.meanings.of(_document(tool)) for tool in tools])

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


def _server(tool: Tool) -> str:
    """The server that brings it; empty for a tool of the box."""
    server, mark, _ = tool.name.partition(SERVER_ENDS)
    return server if mark else ""


def _names(order: Sequence[int], tools: Sequence[Tool]) -> list[str]:
    return [tools[index].name for index in order]


def _close(said: Sequence[str], documents: Sequence[str]) -> list[str]:
    """For each word that no document holds, the two closest that one does."""
    held = {word for document in documents for word in words(document)}
    choice = sorted(word for word in held if len(word) >= SHORTEST_WORD)
    strange = [word for word in dict.fromkeys(said) if word not in held and len(word) >= SHORTEST_WORD]
    return [near for word in strange[:CORRECTED_MAX] for near in get_close_matches(word, choice, 2, SIMILAR)]
