"""The words of what is kept, as they are compared."""

from __future__ import annotations

import re
import unicodedata

ALL = {"the", "user", "me", "myself", "us", "everything", "all", "you", "know", "known", "about"}
"""A topic of nothing but these is whatever there is."""
NAMED = 3
"""Facts named in one question: more cannot be kept in mind while listening."""

SHORTEST_WORDS = 3
"""Of a line that tells or asks something: shorter ones are a yes, a stop, or nothing by themselves."""


def words_of(text: str) -> set[str]:
    """Without accents and case; those of three letters or more, if there are any."""
    letters = "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))
    words = set(re.findall(r"[^\W_]+", letters.casefold()))
    return {word for word in words if len(word) >= 3} or words
