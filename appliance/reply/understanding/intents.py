"""Which tools a line calls for, by a linear classifier over its words and letters: 0.3 ms, and no model call.

The words of a stranger are never all in a list; a classifier also goes by parts of words and by their order. What it
learnt from stands in the skills' offers; models/training/make_intents.py teaches it, and models/cards/intents.md says
how good it is.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from appliance.language.digits import NUMBER

BUCKETS = 1 << 16
"""Of features, by hash: twice as many as suffice; with 2^15 one unseen line in 100 fewer is right (make_intents.py)."""
LETTERS = (3, 4, 5)
"""Lengths of the parts of words."""
STRANGE = "?"
"""Stands for a word that nobody taught."""
NONE = "none"
"""Stands for no tool, behind them all."""
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|#")


@dataclass(frozen=True)
class Intents:
    tools: tuple[str, ...]
    """NONE is the last of them, where lines for all tools were taught."""
    weights: NDArray[np.int8]
    """Shape (tools, BUCKETS); to be multiplied by `scale`."""
    scale: NDArray[np.float32]
    """Shape (tools,), as `bias`."""
    bias: NDArray[np.float32]
    known: NDArray[np.bool_]
    """Shape (BUCKETS,): of the words that were said in two of the lines it learnt from, see `features`."""

    def read(self, line: str) -> dict[str, float]:
        """Tool -> how likely the line calls for it, 0 to 1; each by itself, so that a line may call for two.

        NONE, where that was taught: that it calls for none, and only wants to be answered.
        """
        if set(tokens(line)) <= {"#"}:  # of nothing, or a bare number, nothing is likely
            return dict.fromkeys(self.tools, 0.0)
        found = features(line, self.known)
        columns = np.fromiter(found, np.intp, len(found))
        values = np.fromiter(found.values(), np.float32, len(found))
        scores = self.scale * (self.weights[:, columns] @ values) + self.bias
        return {tool: float(likely) for tool, likely in zip(self.tools, 1 / (1 + np.exp(-scores)), strict=True)}

    def strange(self, line: str) -> bool:
        """Whether it holds a word that no line did."""
        return not all(word == "#" or self.known[_bucket(word)] for word in tokens(line))


def features(line: str, known: NDArray[np.bool_]) -> dict[int, float]:
    """Bucket -> weight of a line's words, pairs of words and parts of words; each kind has a length of 1 together.

    known: buckets of words. What stands before and behind a word that is in none of them counts as well: whoever asks
    "what flavours do X come in" names a thing, whatever it is called.
    """
    words = tokens(line)
    pairs = _pairs(words)
    strange = [word if known[_bucket(word)] else STRANGE for word in words]
    around = [f"~{pair}" for pair in _pairs(strange) if STRANGE in pair]
    parts = [
        f"/{word[at : at + size]}"
        for word in (f"_{each}_" for each in words)
        for size in LETTERS
        for at in range(max(1, len(word) - size + 1))
    ]
    found = defaultdict[int, float](float)
    for kind in ([*words, *pairs, *around, *(word for word in strange if word == STRANGE)], parts):
        for bucket, weight in _unit(kind).items():
            found[bucket] += weight
    return dict(found)


def tokens(line: str) -> list[str]:
    """The words of a line; a number is `#`."""
    return _TOKEN.findall(NUMBER.sub("#", line.casefold().replace("’", "'")))


def buckets(words: Iterable[str]) -> NDArray[np.bool_]:
    """Which of the buckets hold any of the words."""
    held = np.zeros(BUCKETS, np.bool_)
    held[[_bucket(word) for word in words]] = True
    return held


def _pairs(words: list[str]) -> list[str]:
    return [f"{first} {second}" for first, second in zip(["<", *words], [*words, ">"], strict=True)]


def _bucket(text: str) -> int:
    return zlib.crc32(text.encode()) % BUCKETS


def _unit(kind: Iterable[str]) -> dict[int, float]:
    counts = Counter(map(_bucket, kind))
    weights = {bucket: 1 + math.log(count) for bucket, count in counts.items()}
    length = math.hypot(*weights.values()) or 1.0
    return {bucket: weight / length for bucket, weight in weights.items()}


@cache
def intents(language: str) -> Intents | None:
    """None for a language that nothing was taught in."""
    path = resources.files("appliance.reply").joinpath("intents", f"{language}.npz")
    if not path.is_file():
        return None
    with path.open("rb") as file, np.load(file) as data:
        known = np.unpackbits(data["known"]).astype(np.bool_)
        return Intents(tuple(data["tools"].tolist()), data["weights"], data["scale"], data["bias"], known)
