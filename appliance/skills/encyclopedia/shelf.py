"""All that can be looked up: the summaries of the box, and the ZIM files of its owner."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.errors import ApplianceError
from appliance.language.meanings import meanings
from appliance.language.stopwords import common
from appliance.skills.encyclopedia.passages import Article, Passage
from appliance.skills.encyclopedia.reading import Question
from appliance.skills.encyclopedia.summaries import Summaries

if TYPE_CHECKING:
    from appliance.skills.encyclopedia.zim import Zim

log = logging.getLogger(__name__)

COVERED = 0.4
"""Share of the weight of a question's words from which its best passages are about it: 94 of the 113 passages with an
answer to the quiz are, and of 120 questions about things that do not exist 31 (`python -m bench.library`)."""
LOOKED_AT = 5
"""Of the best passages: one that is about it is among them, or none is."""
OF_COVERED = 0.5
"""What `Passage.covered` counts beside the cosine of the meanings of question and passage. With both, 400 characters
hold the answer to 119 of 300 questions; in the order of BM25 to 104 (2026-11-28; 0.3 to 1 give 117 to 119)."""
SUFFIX = ".zim"


@dataclass(frozen=True)
class Source:
    """Where a passage is from. No name: the summaries of the box."""

    name: str = ""
    licence: str = ""


@dataclass(frozen=True)
class Found:
    passage: Passage
    source: Source


class ZimFiles:
    """Those of a folder, opened when they are first asked for, and again when they change."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._open: dict[tuple[Path, int, int], Zim | None] = {}
        """None: one that cannot be used, which was logged."""

    def paths(self) -> list[Path]:
        try:
            return sorted(self._folder.glob(f"*{SUFFIX}")) if self._folder else []
        except OSError:
            return []

    def all(self) -> list[Zim]:
        """Those that can be used."""
        now = {(path, stat.st_size, stat.st_mtime_ns): path for path in self.paths() for stat in [path.stat()]}
        self._open = {key: self._open[key] if key in self._open else _opened(path) for key, path in now.items()}
        return [zim for zim in self._open.values() if zim]


def _opened(path: Path) -> Zim | None:
    """libzim and lxml are 12 MB of memory, which a box without ZIM files has no use for."""
    try:
        made: Zim = import_module(f"{__package__}.zim").Zim(path)
        return made
    except ApplianceError as error:
        log.error("%s", error)
        return None


class Shelf:
    def __init__(self, summaries: Summaries, files: ZimFiles, language: str, asides: Sequence[str] = ()) -> None:
        """asides: words that people put around a question."""
        self._summaries, self._files, self._language, self._asides = summaries, files, language, asides

    @property
    def there(self) -> bool:
        return bool(self._files.paths()) or self._summaries.there

    def prepare(self) -> None:
        """Make the index, where none fits: else the first question waits for it. Raises ApplianceError."""
        if self._summaries.there:
            self._summaries.prepare()

    def named(self, name: str) -> Article | None:
        """What is called so in the summaries; what an owner's file says is for the model to read (tools.py)."""
        about_something = set(Question(name, self._language).telling) - common(self._language)
        return self._summaries.named(name) if about_something and self._summaries.there else None

    def find(self, text: str) -> list[Found]:
        """Passages that are about a question, best first; none where nothing is. Raises ApplianceError."""
        question = Question(text, self._language, self._asides)
        if not question.telling:
            return []
        each = [(source, found) for source, found in self._searched(question) if _about(found) >= COVERED]
        each.sort(key=lambda one: -_about(one[1]))
        return [Found(passage, source) for source, found in each for passage in self._near(text, found)]

    def _near(self, text: str, found: Sequence[Passage]) -> Sequence[Passage]:
        """Those nearest in meaning first, too; as they are in a language without a table of meanings."""
        table = meanings(self._language)
        if table is None:
            return found
        asked = table.of(text)
        near = {each: float(asked @ table.of(f"{each.title} {each.text}")) for each in found}
        return sorted(found, key=lambda each: -near[each] - OF_COVERED * each.covered)

    def _searched(self, question: Question) -> list[tuple[Source, list[Passage]]]:
        """Of each source. One that cannot be used is logged, and keeps no other from being searched."""
        found = []
        for zim in self._files.all():
            try:
                found.append((Source(zim.title, zim.licence), zim.best(question, self._language)))
            except ApplianceError as error:
                log.error("%s", error)
        if self._summaries.there:
            found.append((Source(), self._summaries.best(question.telling)))
        return found


def _about(found: Sequence[Passage]) -> float:
    return max((passage.covered for passage in found[:LOOKED_AT]), default=0.0)
