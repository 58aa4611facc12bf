"""A line that corrects itself: "five minutes, no wait, six"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from appliance.thought.quantities import Quantities

_REPLACED_MORE = 3
"""A correction replaces at most so many words more than it has itself; each attempt costs a match, 1 to 3 ms."""


class Repairs:
    def __init__(self, words: str, quantities: Quantities) -> None:
        """words: a regular expression of what takes something back."""
        self._repair = re.compile(rf"(?:[\s,.]+(?:{words}))+[\s,.]+", re.IGNORECASE)
        self._quantities = quantities

    def slip(self, text: str) -> tuple[str, str] | None:
        """What was said, and what stands behind the last words that take something back."""
        found = list(self._repair.finditer(text))
        return (text[: found[-1].start()].strip(" ,.?!"), text[found[-1].end() :].strip(" ,")) if found else None

    def readings(self, text: str) -> Iterator[str]:
        """What may have been meant by a line that corrects itself: as little of its beginning replaced as will do."""
        if not (slip := self.slip(text)):
            return
        said, meant = slip
        words = self._quantities.in_digits(said).split()
        if re.fullmatch(r"[0-9.]+", self._quantities.in_digits(meant).strip(" .?!")):
            numbers = [at for at, word in enumerate(words) if word[0].isdigit()]
            if numbers:
                yield " ".join([*words[: numbers[-1]], meant.strip(" .?!"), *words[numbers[-1] + 1 :]])
            return
        least = max(0, len(words) - len(meant.split()) - _REPLACED_MORE)
        first = self._quantities.in_digits(meant).casefold().split()[:1]
        begun_again = [at for at in range(least, len(words)) if [words[at].casefold()] == first]
        for kept in range((begun_again or [len(words) - 1])[-1], least, -1):
            yield " ".join([*words[:kept], meant])
