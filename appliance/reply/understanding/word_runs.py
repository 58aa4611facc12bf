"""The words of a line, and runs of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple


class Word(NamedTuple):
    plain: str
    """In lower case."""
    said: str
    """As heard, with the comma after it."""


def runs(words: Sequence[Word], most: int, fits: Callable[[str], bool]) -> Iterator[list[Word]]:
    """Every run of 1 to `most` words that all fit."""
    for start in range(len(words)):
        for end in range(start, min(start + most, len(words))):
            if not fits(words[end].plain):
                break
            yield [*words[start : end + 1]]


def as_said(run: Sequence[Word]) -> str:
    """With 6:30 as it was written."""
    return " ".join(word.said for word in run).rstrip(",").replace(" colon ", ":")
