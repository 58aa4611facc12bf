"""Which words of a text are about a question: BM25, Lucene's way. Costs no model call."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Sequence

import bm25s

from appliance.language.stopwords import COMMON

READ_MAX_CHARS = 200_000
"""The most of a text that is looked at: 0.1 s of one desktop core. Longer ones are cut here, unread."""
PIECE_MAX_CHARS = 300
"""A long sentence. A line without any full stop, such as JSON, is broken here."""
LEAD_PRIOR = 0.3
"""Share of the best score that the first piece gets for being a title or a lead."""
SHARE_AFTER, SHARE_BEFORE = 0.5, 0.25
"""Shares of its score that a piece lends to the next one and the one before: "It was built in 1889" names nothing."""
GAP = " … "

# It sets itself to DEBUG: every question would write lines into the journal.
logging.getLogger(bm25s.__name__).setLevel(logging.WARNING)

_WORD = re.compile(r"[^\W_]{3,}")
_SENTENCE = re.compile(r"[^\n]*?(?:[.!?…][\"'”’»)\]]*(?=\s)|[。！？]|\n|\Z)\s*")


def words(text: str) -> list[str]:
    """Runs of three or more letters or digits of any script, casefolded; `get_weather` is two words."""
    return _WORD.findall(text.casefold())


def telling(text: str) -> set[str]:
    """Those words of it that say what it is about."""
    return set(words(text)) - COMMON


def shared(one: str, other: str) -> set[str]:
    """Words of three or more letters that both hold."""
    return set(words(one)) & set(words(other))


def inflected(one: str, other: str) -> bool:
    """The same word, as far as its ending goes."""
    return one.startswith(other) or other.startswith(one)


def among(these: Iterable[str], those: Collection[str]) -> list[str]:
    """Those of `these` words that stand among `those`, as far as endings go."""
    return [word for word in these if any(inflected(word, other) for other in those)]


def rank(query: str, documents: Sequence[str]) -> list[int]:
    """Indices of the documents that share words with `query`, best first; of equals the earlier one first."""
    return best_first(word_scores(query, documents))


def best_first(scores: Sequence[float]) -> list[int]:
    """Indices of the scores above 0, the highest first; of equals the earlier one first."""
    return sorted((index for index, score in enumerate(scores) if score > 0), key=lambda index: -scores[index])


def readable(text: str) -> str:
    """`text` as far as anything looks at it, with the mark of a cut where there is more: the rest costs no time."""
    return text if len(text) <= READ_MAX_CHARS else text[:READ_MAX_CHARS] + GAP


def cut(text: str, query: str, limit_chars: int) -> str:
    """At most `limit_chars` of `text`: the sentences or lines closest to `query`, in the order of the text.

    limit_chars: 0 or more. Room that is left goes to the beginning; " … " stands for what is left out.
    """
    if len(text) <= limit_chars:
        return text
    parts = pieces(text[:READ_MAX_CHARS], max(1, min(PIECE_MAX_CHARS, limit_chars - 2 * len(GAP))))
    kept = _chosen(parts, _weights(query, parts), limit_chars - len(GAP))
    end = len(parts) if len(text) <= READ_MAX_CHARS else None
    return _joined(parts, kept, end) if kept else text[:limit_chars]


def pieces(text: str, longest_chars: int = PIECE_MAX_CHARS) -> list[str]:
    """Lines, or sentences within them, with the blanks behind them: joined they are `text` again.

    longest_chars: at least 1; what is longer is broken, at a blank or a comma where there is one.
    """
    return [part for sentence in _SENTENCE.findall(text) for part in _broken(sentence, longest_chars)]


def _broken(sentence: str, longest_chars: int) -> list[str]:
    parts = []
    while len(sentence) > longest_chars:
        at = max(sentence.rfind(mark, longest_chars // 2, longest_chars) for mark in " ,;\t") + 1 or longest_chars
        parts.append(sentence[:at])
        sentence = sentence[at:]
    return [*parts, sentence] if sentence else parts


def word_scores(query: str, documents: Sequence[str]) -> list[float]:
    """One per document; 0 when it shares no word with `query`."""
    wanted = set(words(query))
    # Any other word counts for the length only, so they may all be one: a third of the time.
    tokens = [[word if word in wanted else "" for word in words(document)] for document in documents]
    present = sorted(wanted.intersection(*[set().union(*tokens)])) if tokens else []
    if not present:
        return [0.0] * len(documents)
    index = bm25s.BM25(method="lucene")
    index.index(tokens, show_progress=False)
    return [float(score) for score in index.get_scores(present)]


def _weights(query: str, parts: Sequence[str]) -> list[float]:
    scores = word_scores(query, parts)
    before, after = [0.0, *scores[:-1]], [*scores[1:], 0.0]
    weights = [
        score + SHARE_AFTER * earlier + SHARE_BEFORE * later
        for score, earlier, later in zip(scores, before, after, strict=True)
    ]
    weights[0] += LEAD_PRIOR * max(scores)
    return weights


def _chosen(parts: Sequence[str], weights: Sequence[float], room: int) -> list[int]:
    """Indices in the order of the text. Each is counted with a gap, so that gaps never break the limit."""
    kept = []
    for index in sorted(range(len(parts)), key=lambda index: -weights[index]):
        cost = len(parts[index]) + len(GAP)
        if cost <= room:
            kept.append(index)
            room -= cost
    return sorted(kept)


def _joined(parts: Sequence[str], kept: Sequence[int], end: int | None) -> str:
    """end: the index behind the last piece; None when the text goes on behind it."""
    out = GAP if kept[0] > 0 else ""
    for index, following in zip(kept, [*kept[1:], end], strict=True):
        out += parts[index] if following == index + 1 else parts[index].rstrip() + GAP
    return out.strip()
