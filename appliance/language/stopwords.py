"""Words that say nothing of what a text is about."""

from __future__ import annotations

from collections.abc import Collection

from bm25s import stopwords

_OF_LANGUAGE: dict[str, Collection[str]] = {
    "en": (*stopwords.STOPWORDS_EN, *stopwords.STOPWORDS_EN_PLUS),
    "de": stopwords.STOPWORDS_GERMAN,
    "es": stopwords.STOPWORDS_SPANISH,
    "fr": stopwords.STOPWORDS_FRENCH,
}

COMMON = frozenset((*stopwords.STOPWORDS_EN, *stopwords.STOPWORDS_GERMAN, "user")) - {"bin", "hat"}
"""In what is said to the box, in English or German; "bin" and "hat" are things in English."""

NOISE = frozenset(
    (*stopwords.STOPWORDS_EN_PLUS, "get", "gets", "getting", "got", "make", "makes", "going", "could", "would")
)
"""English words that are about nothing, though what a line asks for may hang on them."""

EMPTY = COMMON | NOISE
"""Both: words without which a text still says what it is about."""


def common(language: str) -> frozenset[str]:
    """Of the language; none of one that is not known here."""
    return frozenset(_OF_LANGUAGE.get(language, ()))
