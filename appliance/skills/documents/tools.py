"""Searching the owner's documents, and telling which there are."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.language.lists import spoken_list
from appliance.ports import Spoken
from appliance.skills.documents.folder import called
from appliance.skills.documents.index import LEFT_OUT, WAITING, File, Found, Index
from appliance.skills.written import Words

log = logging.getLogger(__name__)

MOST_FOUND = 4
"""Passages of an answer: what a pass of a small model reads of a result at most (reply.digest_batch_chars)."""
MOST_NAMED = 5
_WORD = re.compile(r"(?<!\w)[a-z]{1,3} ?\d+(?!\w)|[^\W_]+")
"""Letters with a number behind them, such as F28, are one word: a line may have it as "F 28", and so may a document."""
_CODE = re.compile(r"[a-z]{1,3} ?\d+")

Query = Annotated[str, Field(max_length=200, description="what to look for, in a few words")]
Document = Annotated[str, Field(max_length=100, description="name of one document, if said")]


class DocumentTools:
    def __init__(self, index: Index, words: Words) -> None:
        self._index, self._words = index, words
        self._noise = frozenset(words.phrases["noise"])
        self._kinds = frozenset(words.phrases["kinds"])

    def search_documents(self, query: Query, document: Document = "") -> str:
        """Look something up in the user's own documents and manuals."""
        named, asked = self._telling(document, self._kinds), self._telling(query)
        try:
            files = self._index.files()
            if named and not self._index.search(_names(named), 1):
                return self._with_rest(self._words.say("no_document", document=document), files)
            found = next(filter(None, (self._index.search(way, MOST_FOUND) for way in _ways(asked, named))), [])
        except (sqlite3.Error, OSError) as error:
            log.error("the documents cannot be searched: %s", error)
            raise CannotBeDone(self._words.say("not_now")) from None
        if not found:
            return self._with_rest(self._words.say("nothing", query=query), files)
        return "\n".join(map(self._told, found))

    def list_documents(self, each: bool = False) -> str:
        """Tell which documents there are, and which cannot be read."""
        try:
            files = self._index.files()
        except (sqlite3.Error, OSError) as error:
            log.error("the documents cannot be listed: %s", error)
            raise CannotBeDone(self._words.say("not_now")) from None
        if each and files:
            return "\n".join(map(self._line, files))
        read = [file for file in files if file.state not in (LEFT_OUT, WAITING)]
        left_out = [file for file in files if file.state == LEFT_OUT]
        said = self._words.say("have", count=len(read)) if len(read) != 1 else self._words.say("have_one")
        if left_out:
            names = [self._words.say("left_out_one", name=called(file.path), why=self._why(file)) for file in left_out]
            said = Spoken(f"{said} {self._words.say('left_out', each=self._some(names))}")
        return self._with_rest(said, files)

    def _some(self, names: Sequence[str]) -> str:
        more = len(names) - MOST_NAMED
        rest = [self._words.say("more", count=more)] if more > 0 else []
        return spoken_list([*names[:MOST_NAMED], *rest], self._words.language)

    def _with_rest(self, said: Spoken, files: Sequence[File]) -> Spoken:
        """With how much of it is not read yet."""
        waiting = sum(file.state == WAITING for file in files)
        if files and not waiting:
            return said
        return Spoken(f"{said} {self._words.say('reading', count=waiting) if files else self._words.say('not_begun')}")

    def _told(self, found: Found) -> str:
        key = "says_on" if found.page else "says_under" if found.part else "says"
        return f"{self._words.begin(key, name=found.name, page=found.page, part=found.part)}\n{found.text}"

    def _line(self, file: File) -> str:
        """For a terminal."""
        states = self._words.phrases["states"]
        pages = states["pages"].format(pages=file.pages) if file.pages else ""
        return f"{file.path}: {states[file.state]}{pages}{': ' + self._why(file) if file.why else ''}"

    def _why(self, file: File) -> str:
        return str(self._words.phrases["why"][file.why])

    def _telling(self, text: str, besides: frozenset[str] = frozenset()) -> list[str]:
        """The words of it that say what it is about; all of them where none does."""
        without = self._noise | besides
        words = [*dict.fromkeys(_WORD.findall(text.casefold()))]
        bare = (word.partition(" ")[2] if word.partition(" ")[0] in without else word for word in words)
        return [*filter(None, bare)] or words


def _ways(asked: Sequence[str], named: Sequence[str]) -> list[str]:
    """What to search for, in the words of FTS5: first what holds all that was asked, then what holds any of it."""
    within = f" AND {_names(named)}" if named else ""
    return [f"({sign.join(map(_quoted, asked))}){within}" for sign in (" AND ", " OR ") if asked]


def _names(words: Sequence[str]) -> str:
    return f"name : ({' AND '.join(map(_quoted, words))})"


def _quoted(word: str) -> str:
    """As FTS5 reads it; a code in both ways in which it is written."""
    letters, digits = re.findall(r"[^\W\d]+|\d+", word) if _CODE.fullmatch(word) else ("", "")
    return f'("{letters}{digits}" OR "{letters} {digits}")' if digits else f'"{word}"'
