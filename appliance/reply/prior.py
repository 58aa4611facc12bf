"""How likely a line means a tool that no classifier was taught: by the lines that its skill offers for it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from appliance.language.stopwords import NOISE
from appliance.reply.understanding.relevance import among, inflected, telling

LINES_KEPT = 8
"""The newest: a line is scored several times in a turn."""


@dataclass(frozen=True)
class Lines:
    """Those of one tool, each as its telling words."""

    words: Sequence[frozenset[str]]
    weights: Mapping[str, float]
    """A word weighs more the more lines of the tool have it, and less the more tools do."""


class Prior:
    """Tool -> how much a line is like the nearest of its lines, 0 to 1; 1 where the words that tell anything are its.

    "recipe" says much where one tool offers ten lines with it, "today" says little where each has one.
    """

    def __init__(self, offers: Mapping[str, Sequence[str]]) -> None:
        self._offers = offers
        self._scored = lru_cache(LINES_KEPT)(self._score)

    def __call__(self, line: str) -> Mapping[str, float]:
        return self._scored(line)

    @cached_property
    def _tools(self) -> Mapping[str, Lines]:
        words = {tool: [_words(each) for each in lines] for tool, lines in self._offers.items()}
        counts = {tool: Counter(word for each in lines for word in each) for tool, lines in words.items()}
        tools_with = Counter(word for count in counts.values() for word in count)
        return {
            tool: Lines(lines, {word: (1 + math.log(count)) / tools_with[word] for word, count in counts[tool].items()})
            for tool, lines in words.items()
        }

    @cached_property
    def _places(self) -> Mapping[str, Sequence[tuple[str, frozenset[str]]]]:
        """Word -> the tools and lines that have it."""
        found = defaultdict[str, list[tuple[str, frozenset[str]]]](list)
        for tool, lines in self._tools.items():
            for each in lines.words:
                for word in each:
                    found[word].append((tool, each))
        return found

    def _score(self, line: str) -> Mapping[str, float]:
        found, said = dict.fromkeys(self._tools, 0.0), _words(line)
        near = [word for word in self._places if any(inflected(word, other) for other in said)]
        for tool, offered in {place for word in near for place in self._places[word]}:
            found[tool] = max(found[tool], _alike(said, offered, self._tools[tool].weights))
        return found


def prior(line: str, offers: Mapping[str, Sequence[str]]) -> Mapping[str, float]:
    """Of one line; see Prior."""
    return Prior(offers)(line)


def _alike(said: Set[str], offered: Set[str], weights: Mapping[str, float]) -> float:
    """Dice's share of the weight of the words that both have; the same word with another ending is one of them."""
    shared = math.fsum(weights[word] for word in among(offered, said))
    strange = len(said) - len(among(said, offered))
    every = math.fsum(weights[word] for word in offered)
    return 2 * shared / (every + shared + strange) if shared else 0.0


def _words(line: str) -> frozenset[str]:
    """Those that tell what it is about; all that it has, where none does."""
    words = telling(line)
    return frozenset(words - NOISE or words)
