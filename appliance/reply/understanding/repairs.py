"""A line that corrects itself: "five minutes, no wait, six"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from appliance.language.quantities import Quantities

_REPLACED_MORE = 3
"""A correction replaces at most so many words more than it has itself; each attempt costs a match, 1 to 3 ms."""
_NUMBER = r"\d+(?:\.\d+)?"
_COUNTED = re.compile(rf"(?P<number>{_NUMBER}) (?P<unit>[^\W\d_]+)")


class Repairs:
    def __init__(self, data: dict[str, str], hesitation: str, quantities: Quantities) -> None:
        """`data`: the section of that name in sentences/*.yaml.  hesitation: a regular expression of "um" and such."""
        self._repair = re.compile(rf"(?:[\s,.]+(?:{data['between']}))+[\s,.]+", re.IGNORECASE)
        self._bare = re.compile(rf"[\s,.]+(?:{data['bare']})[\s,.]+", re.IGNORECASE)
        self._wordy = re.compile(rf"{data['wordy']}\b", re.IGNORECASE)
        self._lead = re.compile(rf"(?:{data['leads']})\s+", re.IGNORECASE)
        self._explained = re.compile(rf"^(?:{data['reasons']})\b[^,.;]+[,.;]\s*(?:{data['instead']})\s+", re.IGNORECASE)
        """Why it was a slip, before what was meant: "we have got some, make it ..."."""
        self._hesitating = re.compile(rf"[\s,.]+(?:{hesitation})$", re.IGNORECASE)
        self._verbs = frozenset(data["verbs"].split())
        self._quantities = quantities

    def passes_words(self, text: str) -> bool:
        """Whether it begins as an order to pass words on or to keep them: what takes something back may be of them."""
        return self._wordy.match(text) is not None

    def slip(self, text: str) -> tuple[str, str] | None:
        """What was said, and what stands behind the last words that take something back."""
        if not (found := list(self._repair.finditer(text))):
            return None
        meant = self._explained.sub("", text[found[-1].end() :], count=1)
        return text[: found[-1].start()].strip(" ,.?!"), meant.strip(" ,")

    def mended(self, text: str) -> str:
        """The line as it was meant, where that is plain; else as it is.

        An order that begins anew takes the place of the one before; a number that of the last one in the same unit; a
        name for a thing, a lamp, a list that of the one that ends in the same word.
        """
        if not (slip := self.slip(text)):
            return text
        bare = self._bare.fullmatch([*self._repair.finditer(text)][-1][0]) is not None
        said, meant = self._hesitating.sub("", slip[0]), self._lead.sub("", slip[1], count=1)
        if len(meant.split()) > 1 and (kept := self._before_anew(said, meant, bare)) is not None:
            return kept + meant
        said, meant = self._quantities.in_digits(said), self._quantities.in_digits(meant)
        return self._renumbered(said, meant) or self._renamed(said, meant) or text

    def _before_anew(self, said: str, meant: str, bare: bool) -> str | None:
        """What stands before the order that `meant` begins anew; None where it is no order.

        bare: only a word stands between them that may be one of a message, which begins like an order then.
        """
        verb = meant.casefold().split()[0]
        if verb not in self._verbs:
            return None
        same = list(re.finditer(rf"\b{re.escape(verb)}\b", said, re.IGNORECASE))
        if same:
            return said[: same[-1].start()]
        worded = bare and self.passes_words(said) and not self.passes_words(meant)
        return "" if self._begins(said) and not worded else None

    def _begins(self, text: str) -> bool:
        return (text.casefold().split() or [""])[0] in self._verbs

    def _renumbered(self, said: str, meant: str) -> str:
        """ "10 minutes for the pizza", "12 minutes": both with the same word behind the number."""
        new = _COUNTED.fullmatch(meant.strip(" .?!"))
        places = list(re.finditer(rf"{_NUMBER}(?= {re.escape(new['unit'])}\b)", said, re.IGNORECASE)) if new else []
        return said[: places[-1].start()] + new["number"] + said[places[-1].end() :] if new and places else ""

    def _renamed(self, said: str, meant: str) -> str:
        """ "turn the bedroom light on", "the bathroom light": what ends in the same word is replaced, word for word."""
        for chunk in reversed(re.split(r",\s*", meant.strip(" .?!"))):
            words = chunk.split()
            found = re.search(rf"\b{re.escape(words[-1])}\b", said, re.IGNORECASE) if len(words) > 1 else None
            if not found:
                continue
            before = said[: found.start()].split()
            kept = max(len(before) - len(words) + 1, 1 if self._begins(said) else 0)
            rest = meant[meant.rindex(chunk) + len(chunk) :].strip(" .?!,")
            return " ".join(filter(None, [*before[:kept], chunk, said[found.end() :].strip(), rest]))
        return ""

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
