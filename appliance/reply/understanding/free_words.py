"""What sentences take as free words: those that tell when, those that name one of several, and the rest of a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise

from appliance.language.moments import Moment
from appliance.language.when import Split, may_tell_when, split_when
from appliance.reply.understanding.word_runs import Word, as_said, runs

KINDS = ("when", "moment", "which", "rest", "order", "aside")
_WHICH_WORDS = 8
TIME = "zztime"
"""Stands in a line for the words that tell when."""
_ANY_DAY = datetime(2024, 1, 1, tzinfo=UTC)
"""Whether words tell of a time does not hang on when they are said."""
_NO_SUCH_DAY = Moment(_ANY_DAY)


def times(text: str, language: str) -> list[Split]:
    """Each way to take `text` for a time and what stands around it.

    A day that there is not is one too: the tool says so, and asks.
    """
    return split_when(" ".join(text.split()), _ANY_DAY, language, no_such=_NO_SUCH_DAY)


def may_tell(text: str, language: str) -> bool:
    """Whether `text` may tell a time."""
    return bool(times(text, language)) or may_tell_when(" ".join(text.split()), _ANY_DAY, language)


def around(split: Split) -> str:
    """The text of `split` with one word for its time, the first place of two."""
    before, *behind = split.around
    return f"{before} {TIME} {' '.join(behind)}"


class FreeWords:
    def __init__(self, data: Mapping[str, str]) -> None:
        """data: the words of `no_which`, `joining` and `begins` (sentences/en.yaml)."""
        self._no_which, self._joining, self._begins = (
            frozenset(data[name].split()) for name in ("no_which", "joining", "begins")
        )

    def values(self, words: list[Word], split: Split | None) -> Iterator[tuple[str, list[Word], str]]:
        """A list's name, the run that is one of its values, and that value.  split: the time that `words` tell."""
        for run in runs(words, _WHICH_WORDS, lambda word: word != TIME and word not in self._no_which):
            yield "which", run, as_said(run)
        for run in _rests(words):
            if not self._holds_order(run):
                yield "rest", run, as_said(run)
        if split:
            for run in _parts(words) if split.timed else ():
                yield "order", run, as_said(run)
            if run := self._aside(words, split):
                yield "aside", run, as_said(run)
            mark, said = [Word(TIME, "")], split.said.strip(" .,!?;:")
            yield "when", mark, said
            if not (isinstance(split.when, Moment) and split.when.after_s is not None):
                yield "moment", mark, said

    def _aside(self, words: list[Word], split: Split) -> list[Word]:
        """What is remarked behind a time and a comma: "seven, mass is over by then"; empty without a remark."""
        at = next((at for at, word in enumerate(words) if word.plain == TIME), len(words))
        behind = words[at + 1 :]
        remarks = bool(behind) and split.said.endswith(",") and behind[0].plain not in self._joining
        return [] if not remarks or self._holds_order(behind) else behind

    def _holds_order(self, run: list[Word]) -> bool:
        """Whether another request begins in it: "call mum and tell me a joke"."""
        said = [word.plain for word in run]
        return any(one in self._joining and other in self._begins for one, other in pairwise(said))


def _rests(words: list[Word]) -> Iterator[list[Word]]:
    """Every run that goes on to the time, or to the end of the line."""
    begin = 0
    for end in [*(at for at, word in enumerate(words) if word.plain == TIME), len(words)]:
        yield from (words[start:end] for start in range(begin, end))
        begin = end + 1


def _parts(words: list[Word]) -> Iterator[list[Word]]:
    """All that stands before the time, and all behind it."""
    begin = 0
    for end in [*(at for at, word in enumerate(words) if word.plain == TIME), len(words)]:
        if words[begin:end]:
            yield words[begin:end]
        begin = end + 1
