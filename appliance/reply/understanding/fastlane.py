"""Whole sentences that are understood without the model. Leftover words mean no match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal

from hassil.recognize import RecognizeResult

from appliance.language.durations import Length, exact_duration
from appliance.ports import Meaning, SoundOf
from appliance.reply.understanding.free_words import may_tell, times
from appliance.reply.understanding.match import Match as Match
from appliance.reply.understanding.misheard import Misheard
from appliance.reply.understanding.published import Barred, Known, published, without_name
from appliance.reply.understanding.templates import MOST_CHARS, templates

TEXTS_KEPT = 64
"""The newest: a line and its parts are tried when it is read ahead, as a whole and when split; 1 to 8 ms each."""
LENGTH = "length"
"""The list that becomes hours, minutes and seconds."""
ORDER = "order"
"""The mark of a sentence for what is to be done later, with the argument that has to be a whole sentence by itself."""
ANSWER_WORDS = 5
"""Of an answer that goes on: "oh yes go ahead, the kids are asleep"."""


@dataclass(frozen=True)
class PutOff:
    """What can be done later."""

    tools: Collection[str] = ()
    """Names of those that can."""
    verbatim: Collection[str] = ()
    """Names of those of them for which a time in their text is part of it; see ports.Skill."""


class FastLane:
    def __init__(
        self,
        language: str = "en",
        is_place: Callable[[str], bool] = lambda place: True,
        sound_of: SoundOf = str.casefold,
        name: str = "",
        sentences: Sequence[Path] = (),
        put_off: PutOff = PutOff(),
        reads: Callable[[str], Sequence[Meaning]] = lambda line: (),
        refused: Collection[str] = (),
        names: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """`language`: one without a file in sentences/ has the published ones only. `is_place`: whether one is known.

        name: what the box is called; a line may begin or end with it.  sentences: folders of the skills'.  reads: what
        the skills find in a line that names what only they know.  refused: tools that are known and not to be had: what
        a skill that is here can do comes before.  names: what the lists that are kept are called now.
        """
        self._templates, self._published = templates(language, tuple(sentences)), published(language)
        self._is_place, self._name, self._language = is_place, name.lower(), language
        self.put_off, self._reads, self._refused, self._names = put_off, reads, refused, names
        self.sentences = "own" if self._templates else "published" if self._published else ""
        """Which there are in the language; empty for none."""
        self._misheard = Misheard(self._templates.vocabulary if self._templates else (), sound_of)
        self._matched = lru_cache(TEXTS_KEPT)(self._match)

    def expect_speech(self) -> None:
        """Find out what sounds alike, once, before it is needed: 0.3 s of a desktop core."""
        self._misheard.warm_up()

    def match(self, text: str) -> Match | None:
        """The request that all of `text` is: by a published sentence, else by one of our own."""
        return self._matched(text, tuple(self._names()) if self._published and self._published.may_name(text) else ())

    def _match(self, text: str, names: Sequence[str]) -> Match | None:
        published = self._match_published(text, Known(self._is_place, names))
        if published and not published.order:
            return published
        timed = list(self._templates.timed_results(text, self._name)) if self._templates else []
        whole = self._match_timed(timed, text) or self._match_own(text)
        if whole and not whole.free:
            return whole
        later = [*self._match_later(timed), *filter(None, [published])]
        return next((each for each in later if self._may_wait(each.order, whole)), whole)

    def _match_published(self, text: str, known: Known) -> Match | None:
        """Without the courtesies around it; where that is none, with them: "never mind, ok" may be one whole."""
        if self._published is None or len(text) > MOST_CHARS:
            return None
        unnamed = without_name(text, self._name)
        if self._templates is None:
            return self._published.match(unnamed, Barred(), known)
        barred = Barred(self._templates.no_label, self._templates.texts.barred)
        lines = dict.fromkeys((self._templates.request(text, self._name), unnamed))
        return next(filter(None, (self._published.match(line, barred, known) for line in lines)), None)

    def _match_timed(self, timed: Iterable[list[RecognizeResult]], text: str) -> Match | None:
        """By a sentence that tells when: the longest time that leaves one counts."""
        ways = ([each for each in results if ORDER not in _form(each)] for results in timed)
        return self._only(next(filter(None, ways), ()), text)

    def _match_later(self, timed: Iterable[list[RecognizeResult]]) -> Iterator[Match]:
        """What is to be done later, whatever that is."""
        for result in (each for results in timed for each in results if ORDER in _form(each)):
            arguments = _arguments(result)
            order = arguments[_form(result)[ORDER]]
            yield Match(result.intent.name, arguments, not _form(result).get("leads"), order)

    def may_wait(self, order: str) -> bool:
        """Whether all of `order` is requests that can be done later."""
        return self._may_wait(order, None)

    def _may_wait(self, order: str, whole: Match | None) -> bool:
        """whole: what the line with the time in it is, by itself."""
        meant = [each.intent for each in self.matches(order, mend=False)]
        kept = whole is not None and whole.intent in self.put_off.verbatim and meant == [whole.intent]
        return bool(meant) and not kept and all(each in self.put_off.tools for each in meant)

    def _match_own(self, text: str) -> Match | None:
        return self._only(self.results("requests", text), text)

    def _only(self, results: Iterable[RecognizeResult], text: str) -> Match | None:
        """The reading that leaves the fewest letters to free texts. Two of them that differ are none.

        One that is `open` counts where there is no other and no time stands among other words: it asks when.
        """
        asked = text.rstrip().endswith("?")
        told = [(_free(each), each) for each in results if not (asked and _form(each).get("told"))]
        readings = [(free, each) for free, each in told if not _form(each).get("open")]
        readings = readings or [(free, each) for free, each in told if not self._holds_time(each)]
        least = min((free for free, _ in readings), default=0)
        found: Match | None = None
        for free, result in readings:
            refers = bool(_form(result).get("refers"))
            match = Match(result.intent.name, _arguments(result), free > 0, refers=refers)
            if free > least or match == found or not self._is_known(match.arguments.get("place")):
                continue
            if found:
                return None
            found = match
        return found

    def matches(self, text: str, mend: bool = True) -> list[Match]:
        """The requests that `text` is made of, when every part of it is one; else none.

        mend: also where it corrects itself.
        """
        match = self.match(text)
        if match and self._is_sure(match):
            return [match]
        if named := self._named(text):
            return named
        if match and not self._is_several(text, match):
            return [match]
        if self._templates is None or len(text) > MOST_CHARS:
            return []
        if mend and (match := next(filter(None, map(self.match, self._templates.repairs.readings(text))), None)):
            return [match]
        for left, right in self._templates.cuts(text):
            first, rest = self._one(left), self.matches(right, mend)
            if first and rest and not rest[0].refers:
                return [first, *rest]
        return []

    def _one(self, text: str) -> Match | None:
        match = self.match(text)
        return match if match and self._is_sure(match) else next(iter(self._named(text)), match)

    def _is_sure(self, match: Match) -> bool:
        """Whether no skill that knows names is asked: nothing in it is free, and it can be had."""
        return not match.free and match.intent not in self._refused

    def _named(self, text: str) -> list[Match]:
        """By the names that only a skill knows."""
        line = self.unhesitating(without_name(text, self._name))
        return [Match(each.tool, each.arguments) for each in self._reads(line)] if len(text) <= MOST_CHARS else []

    def _is_several(self, text: str, whole: Match) -> bool:
        """Whether `whole` swallowed a request: a part that is one for another tool, or two parts that are one each."""
        cuts = [(self.match(left), right) for left, right in self.cuts(text)]
        return any(left and (left.intent != whole.intent or self.matches(right)) for left, right in cuts)

    def misheard(self, text: str) -> list[Match]:
        """The request that all of `text` is once a word that no sentence has is taken for one that sounds the same.

        Readings that differ are none.
        """
        if self._templates is None:
            return []
        found: Match | None = None
        mark = "?" if text.rstrip().endswith("?") else ""
        for line in self._misheard.readings(self._templates.words(text)):
            match = self.match(line + mark)
            if match and found and match != found:
                return []
            found = match or found
        return [found] if found else []

    def in_digits(self, text: str) -> str:
        """`text` with its numbers as digits."""
        return self._templates.in_digits(text) if self._templates else text

    def answer(self, text: str, begun: bool = False) -> Literal["yes", "no"] | None:
        """What `text` says to a question of yes or no.  begun: more follows, so it is none that is only one alone."""
        found = [each for each in self.results("answers", text) if not (begun and _form(each).get("whole"))]
        said = {result.intent.name for result in found}
        if len(said) != 1:
            return None
        return "yes" if "yes" in said else "no"

    def answer_begun(self, text: str) -> tuple[Literal["yes", "no"], str] | None:
        """The answer that `text` begins with, and what is said after it."""
        words = self._templates.words(text) if self._templates else []
        for count in range(min(len(words) - 1, ANSWER_WORDS), 0, -1):
            if answer := self.answer(" ".join(words[:count]), begun=True):
                rest = " ".join(words[count:])
                again = self.answer_begun(rest)  # "oh no no, it was only the wind"
                return again if again and again[0] == answer else (answer, rest)
        return None

    def excepts(self, text: str) -> bool:
        """Whether `text` takes something out of what it stands behind: "but not the door"."""
        return self._templates is not None and self._templates.excepts(text)

    def mended(self, text: str) -> str:
        """`text` as it was meant, where it corrects itself: "five minutes, no wait, six"."""
        return self._templates.mended(text) if self._templates else text

    def clauses(self, text: str) -> list[str]:
        """`text`, cut at each place where one request may end and another begin."""
        ends = [*self._templates.joints(text)] if self._templates else []
        begins, ends_at = [0, *(begin for _, begin in ends)], [*(end for end, _ in ends), len(text)]
        return [text[begin:end].strip() for begin, end in zip(begins, ends_at, strict=True) if text[begin:end].strip()]

    def cuts(self, text: str) -> Iterator[tuple[str, str]]:
        """The two sides of each place where one request may end and another begin."""
        return self._templates.cuts(text) if self._templates and len(text) <= MOST_CHARS else iter(())

    def lengths_in(self, text: str) -> list[Length]:
        """All the lengths of time that `text` names."""
        return self._templates.quantities.lengths_in(text) if self._templates else []

    def times_in(self, line: str) -> list[str]:
        """The words of each time that `line` may tell, that of the longest first."""
        return [split.said for split in times(line, self._language)]

    def unhesitating(self, text: str) -> str:
        """`text` without "um" and the like at its beginning."""
        return self._templates.unhesitating(text) if self._templates else text

    def is_stop(self, text: str) -> bool:
        """Whether `text` tells a box that is speaking or ringing to stop, and nothing else."""
        return any(True for _ in self.results("stops", text))

    def _holds_time(self, result: RecognizeResult) -> bool:
        """Whether a time stands among other words in what was said: a tool cannot tell them apart."""
        texts = [str(each.value) for each in result.entities_list]
        return any(may_tell(text, self._language) or self.lengths_in(text) for text in texts if not self._is_time(text))

    def _is_time(self, text: str) -> bool:
        """Whether all of `text` tells a time, or a length of it."""
        whole = any(not split.rest for split in times(text, self._language))
        return whole or exact_duration(text, self._language) is not None

    def results(self, group: str, text: str) -> Iterator[RecognizeResult]:
        """Every way in which a sentence of that group takes all of `text`."""
        return self._templates.results(group, text, self._name) if self._templates else iter(())

    def _is_known(self, place: str | None) -> bool:
        return place is None or self._is_place(place)


def _free(result: RecognizeResult) -> int:
    """Letters that stand for free texts."""
    return sum(len(each.text) for each in result.entities_list if each.is_wildcard)


def _form(result: RecognizeResult) -> dict[str, Any]:
    """What stands beside a template: see `metadata` in sentences/en.yaml."""
    return result.intent_data.metadata or {}


def _arguments(result: RecognizeResult) -> dict[str, Any]:
    """What the lists held, under the names the template gave, and what its `write` makes of them."""
    form = _form(result)
    values = {
        name: _plain(name, entity.value) for name, entity in result.entities.items() if name != form.get("without")
    }
    written = {name: text.format(**values) for name, text in form.get("write", {}).items()}
    used = {field for text in form.get("write", {}).values() for _, field, _, _ in Formatter().parse(text)}
    kept = {name: value for name, value in values.items() if name not in used}
    length = kept.pop(LENGTH, None)
    return {**(length.parts if isinstance(length, Length) else {}), **kept, **written}


def _plain(argument: str, value: Any) -> Any:
    """A length is its hours, minutes and seconds; as any other argument, such as a timer's name, it is put in words."""
    return str(value) if isinstance(value, Length) and argument != LENGTH else value
