"""What a sentence takes as any words: what goes on a list, a note. Only some words it does not take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from hassil.models import MatchEntity
from hassil.recognize import RecognizeResult

TEXT = "text"
"""The list of a sentence that any words fit, but for those of no_text."""
_COLON = re.compile(r"(?<=\d) colon (?=\d\d)")
"""As 7:30 is matched (`rewrites` of sentences/*.yaml)."""


class FreeTexts:
    def __init__(self, barred: Mapping[str, str], compounds: str, joints: str) -> None:
        """barred: argument -> words that are in no text for it.  compounds: endings of words that are not either.

        joints: words that no text begins with, such as "and".
        """
        self.barred = {argument: frozenset(words.split()) for argument, words in barred.items()}
        self._compounds, self._joints = tuple(compounds.split()), frozenset(re.findall(r"\w+", joints))

    def put(self, results: Iterable[RecognizeResult], words: Sequence[tuple[str, str]]) -> Iterator[RecognizeResult]:
        """With what was said for each free text; without those in which one of them cannot be one.

        words: those of the line, as they were matched and as they were said, with the comma behind.
        """
        begins = {begin: at for at, begin in enumerate(accumulate((len(plain) + 1 for plain, _ in words), initial=0))}
        for result in results:
            if all(self._put(each, begins, words) for each in result.entities_list if each.is_wildcard):
                yield result

    def _put(self, entity: MatchEntity, begins: Mapping[int, int], words: Sequence[tuple[str, str]]) -> bool:
        at = begins.get(entity.text_span[0] if entity.text_span else -1, len(words))
        run = words[at : at + len(entity.text.split())]
        plain_words = [plain for plain, _ in run]
        if plain_words != entity.text.split() or not self._fits(entity.name, plain_words):
            return False
        entity.value = _COLON.sub(":", " ".join(said for _, said in run).rstrip(","))
        return True

    def is_compound(self, word: str) -> bool:
        return word.endswith(self._compounds) and word not in self._compounds

    def _fits(self, argument: str, words: Sequence[str]) -> bool:
        barred = self.barred.get(argument)
        known = barred is None or not any(word in barred or word.endswith(self._compounds) for word in words)
        return known and words[0] not in self._joints
