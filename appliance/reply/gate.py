"""Whether memory need not be searched, because what was asked is in front of the model already. No model call."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.reply.understanding.relevance import READ_MAX_CHARS, words


def skip_recall(query: str, results: Sequence[str], covered: float) -> bool:
    """results: what tools answered in this conversation.  covered: share of the question's words that they must hold,
    0 to 1 (reply.md 6). False, which means search, whenever there is any doubt."""
    wanted = set(words(query))
    held = {word for result in results for word in words(result[:READ_MAX_CHARS])}
    return bool(wanted) and len(wanted & held) >= covered * len(wanted)
