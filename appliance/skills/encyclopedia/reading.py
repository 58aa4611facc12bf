"""How a question and a text are read: the words that tell what it is about, titles, sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import islice

from appliance.language.stopwords import common

LEAD_CHARS = 260
"""Some 18 s of speech."""
_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
_SENTENCE_END = re.compile(
    r"(?<=[^\W\d_][^\W\d_])[.!?][\"”»’)]*\s+(?=[\"“«‘(¿¡]?[^\W_])|(?<=\d)[.!?]\s+(?=[A-ZÀ-Þ])|\n+"
)
"""Not behind one letter: "T. S. Eliot", "c. 1500"."""
_ABBREVIATED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|St|Sr|Jr|vs|ca|no|approx|etc|bzw|usw|Nr|Sra?|Mme|al)[.]$", re.IGNORECASE)


class Question:
    def __init__(self, text: str, language: str, asides: Collection[str] = ()) -> None:
        """asides: words that people put around a question, beside the language's common ones."""
        self.text = text
        self.words = tuple(dict.fromkeys(_words(text)))
        """Each once, casefolded and without accents, in their order."""
        untelling = common(language) | {*asides}
        self.telling = tuple(word for word in self.words if word not in untelling) or self.words
        """Those that say what it is about; all of them, where none does."""


def _words(text: str) -> list[str]:
    return _WORD.findall(_bare(text).replace("'s ", " ").replace("’s ", " "))


def title_key(title: str) -> str:
    """What a title is known by, whatever its case, accents and marks."""
    return " ".join(_words(title))


def without_brackets(title: str) -> str:
    """ "Mercury (planet)" is Mercury."""
    return _BRACKETS.sub("", title) or title


def sentences(text: str) -> Iterator[str]:
    """Of the text, each without the blanks around it."""
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        piece = text[begin : end.end()].strip()
        if piece and not _ABBREVIATED.search(piece):
            yield piece
            begin = end.end()
    if rest := text[begin:].strip():
        yield rest


def lead(text: str) -> str:
    """The first sentence of an article, and the second where both are short: each is said in full."""
    first, *others = islice(sentences(text), 2)
    both = " ".join([first, *others])
    return both if len(both) <= LEAD_CHARS else first


def _bare(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
