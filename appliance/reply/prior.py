"""How likely a line means a tool that no classifier was taught: by the lines that its skill offers for it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from appliance.reply.understanding.relevance import NOISE, among, telling

KEPT = 4_096
"""Lines whose words are kept: more than the skills of an owner offer."""


def prior(line: str, offers: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Tool -> how much `line` is like the nearest of its lines, 0 to 1; 1 where the words that tell anything are its.

    A word weighs more the more lines of a tool have it, and less the more tools do: "recipe" says much where one tool
    offers ten lines with it, "today" says little where each has one.
    """
    words = {tool: [_words(each) for each in lines] for tool, lines in offers.items()}
    counts = {tool: Counter(word for each in lines for word in each) for tool, lines in words.items()}
    tools_with = Counter(word for count in counts.values() for word in count)
    said = _words(line)
    found = {}
    for tool, lines in words.items():
        weights = {word: (1 + math.log(number)) / tools_with[word] for word, number in counts[tool].items()}
        found[tool] = max((_alike(said, each, weights) for each in lines), default=0.0)
    return found


def _alike(said: Set[str], offered: Set[str], weights: Mapping[str, float]) -> float:
    """Dice's share of the weight of the words that both have; the same word with another ending is one of them."""
    shared = math.fsum(weights[word] for word in among(offered, said))
    strange = len(said) - len(among(said, offered))
    every = math.fsum(weights[word] for word in offered)
    return 2 * shared / (every + shared + strange) if shared else 0.0


@lru_cache(KEPT)
def _words(line: str) -> frozenset[str]:
    """Those that tell what it is about; all that it has, where none does."""
    words = telling(line)
    return frozenset(words - NOISE or words)
