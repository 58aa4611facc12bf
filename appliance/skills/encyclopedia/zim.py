"""A ZIM file: which of its articles may hold an answer, and their sentences that are about it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing
from functools import lru_cache
from itertools import combinations, islice
from pathlib import Path

from libzim.reader import Archive, Entry, Item
from libzim.search import Query, Search, Searcher
from libzim.suggestion import SuggestionSearcher

from appliance.errors import ApplianceError, PartMissing, explained
from appliance.skills.encyclopedia import passages
from appliance.skills.encyclopedia.html import text_of
from appliance.skills.encyclopedia.passages import Article, Passage
from appliance.skills.encyclopedia.reading import Question, sentences, title_key, without_brackets

log = logging.getLogger(__name__)

ARTICLES = 5
"""That are read for one question."""
TITLES = 3
"""Of them, at most, that the question names by their titles."""
TITLE_WORDS = 6
SUGGESTED = 5
"""Titles looked at for a run of words: of several with the same beginning the right one may not be the first."""
COUNTED = 10_000
"""Words whose number of articles is kept: the index goes through all of a common word's to count them, 70 ns each."""
READ_CHARS = 40_000
"""Of an article, from its beginning: 40 ms of a desktop core. Longer than nine in ten articles of Wikipedia."""
ITEM_BYTES = 50_000_000
"""A page that says it is longer is not opened: libzim unpacks it whole."""


class Zim:
    def __init__(self, path: Path) -> None:
        """Raises PartMissing where it cannot be used."""
        self.path = path
        with self._told():
            self._archive = Archive(path)
            self.full_text = bool(self._archive.has_fulltext_index)
            self.articles = int(self._archive.article_count)
            self._count = lru_cache(COUNTED)(self._holding)
            keys = set(self._archive.metadata_keys)
            self._metadata = {
                name: self._archive.get_metadata(name).decode("utf-8", "replace")
                for name in ("Title", "License", "Source", "Creator", "Date", "Language")
                if name in keys
            }

    @property
    def title(self) -> str:
        return self._metadata.get("Title") or self.path.stem

    @property
    def licence(self) -> str:
        return self._metadata.get("License", "")

    @property
    def source(self) -> str:
        return self._metadata.get("Source") or self._metadata.get("Creator", "")

    @property
    def date(self) -> str:
        return self._metadata.get("Date", "")

    def check(self) -> None:
        """Compare the file with the checksum within it: every byte is read. Raises PartMissing."""
        with self._told():
            whole = self._archive.check()
        if not whole:
            raise self._unusable("its checksum is wrong")

    def best(self, question: Question, language: str) -> list[Passage]:
        """Sentences of its articles that hold a word of the question, best first. Raises PartMissing."""
        with self._told():
            counts = self._counts(question)
            found = [self._read(entry) for entry in self._entries(question, counts)]
        with closing(sqlite3.connect(":memory:")) as database:
            passages.create(database, language)
            passages.fill(database, found, sentences)
            each = passages.best(database, question.telling, self._weigh(counts))
        # BM25 knows how rare a word is in the few articles read alone: it breaks ties.
        return sorted(each, key=lambda passage: -passage.covered)

    def _weigh(self, counts: Mapping[str, int]) -> passages.Weigh:
        """By how many articles of the file hold a word; without full text nobody knows, and those read have to do."""
        every = max(self.articles, *counts.values(), 0)
        return (lambda word, _, __: passages.rarity(word, counts[word], every)) if counts else passages.rarity

    def _counts(self, question: Question) -> dict[str, int]:
        """Word -> how many articles hold it, as the index of the file estimates; empty without one."""
        if not self.full_text:
            return {}
        return {word: self._count(word) for word in question.telling}

    def _holding(self, word: str) -> int:
        return int(_search(Searcher(self._archive), [word]).getEstimatedMatches())

    def _entries(self, question: Question, counts: dict[str, int]) -> list[Entry]:
        paths = dict.fromkeys(islice(self._titled(question), TITLES))
        for path in self._matching(counts):
            paths.setdefault(path)
            if len(paths) == ARTICLES:
                break
        entries = {each.path: each for each in (_whole(self._archive.get_entry_by_path(path)) for path in paths)}
        return [*entries.values()]

    def _titled(self, question: Question) -> Iterator[str]:
        """Paths of the articles whose titles stand in the question, the longest first."""
        searcher, telling = SuggestionSearcher(self._archive), set(question.telling)
        runs = [question.words[begin:end] for begin, end in combinations(range(len(question.words) + 1), 2)]
        likely = [run for run in runs if len(run) <= TITLE_WORDS and {run[0], run[-1]} & telling]
        for run in sorted(likely, key=len, reverse=True):
            name = " ".join(run)
            for path in searcher.suggest(name).getResults(0, SUGGESTED):
                if title_key(without_brackets(self._archive.get_entry_by_path(path).title)) == name:
                    yield path

    def _matching(self, counts: dict[str, int]) -> Iterator[str]:
        """Paths by full text. The index gives articles that hold all words: the commonest is left out until some do."""
        words = sorted((word for word, count in counts.items() if count), key=lambda word: counts[word])
        searcher = Searcher(self._archive)
        while words:
            yield from _search(searcher, words).getResults(0, ARTICLES)
            words.pop()

    def _read(self, entry: Entry) -> Article:
        item = entry.get_item()
        return Article(entry.title, "", _text(item)[:READ_CHARS] if item.size <= ITEM_BYTES else "")

    def _told(self) -> AbstractContextManager[None]:
        """libzim raises RuntimeError, and others, for whatever is wrong with a file."""
        return explained(lambda error: self._unusable(str(error)), log, logging.DEBUG)

    def _unusable(self, why: str) -> ApplianceError:
        line = " ".join(why.split())[:120]
        return PartMissing(f"{self.path.name} cannot be used ({line})", remedy="download it again; see library list")


def _search(searcher: Searcher, words: list[str]) -> Search:
    return searcher.search(Query().set_query(" ".join(words)))


def _whole(entry: Entry) -> Entry:
    return entry.get_redirect_entry() if entry.is_redirect else entry


def _text(item: Item) -> str:
    kind = item.mimetype.partition(";")[0]
    if kind == "text/html":
        return text_of(bytes(item.content))
    return bytes(item.content).decode("utf-8", "replace") if kind == "text/plain" else ""
