"""The sentences of one language, and how its words are read.

They are in sentences/*.yaml (en.yaml explains the sections) and in a folder of each skill, and are matched by hassil;
numbers, lengths, labels and places are offered to it as lists made of the words at hand, so that none of them can
swallow more than it should.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hassil import Intents, recognize_all
from hassil.expression import TextChunk
from hassil.intents import SlotList, TextSlotList, TextSlotValue, WildcardSlotList
from hassil.recognize import RecognizeResult

from appliance.language.clock_times import clocks
from appliance.language.numbers import ordinals, plain
from appliance.language.quantities import quantities
from appliance.language.when import Split
from appliance.reply.languages import written_for
from appliance.reply.understanding.free_texts import TEXT, FreeTexts
from appliance.reply.understanding.free_words import KINDS as FREE
from appliance.reply.understanding.free_words import TIME, FreeWords, around, times
from appliance.reply.understanding.prefilter import drop_unreadable, require
from appliance.reply.understanding.repairs import Repairs
from appliance.reply.understanding.sentence_tables import (
    by_edge,
    by_value,
    fixed,
    patterns,
    replaced,
    sentences,
    spelled,
    sums,
    verbs,
)
from appliance.reply.understanding.skill_sentences import with_skills
from appliance.reply.understanding.word_runs import Word, runs

MOST_CHARS = 200
MOST_WORDS = 24
"""A longer line is no single request; the longest templates take 20 words."""
_QUANTITY_WORDS = 9
"""As many as "two hundred and twenty five and three quarters of a" has, give or take."""
_CALL_WORDS = 2
"""Before a name: "all right Jarvis"."""
_TIME_WORDS = 9
"""As many as "twenty five minutes past eleven in the morning" has."""
_LABEL_WORDS, _PLACE_WORDS = 3, 4
_KINDS = ("number", "amount", "length", "more", "time", "label", "place", "compound", *FREE)
_TOKEN = re.compile(r"[0-9]+(?:[./][0-9]+)?|[^\W\d_]+(?:'[^\W\d_]+)*,?|[^\s.,!?;:…\"'“”„()–—_-]")
"""A number, a word with its comma ("Paris, Texas"), or one sign that stands for something and thereby is a leftover."""
_FIELD, _WORD = re.compile(r"\{[^}]*\}|<[^>]*>"), re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
"""What a sentence only refers to; a word of its own."""


class Templates:
    def __init__(self, data: dict[str, Any]) -> None:
        """`data`: the content of a file in sentences/, with what the skills add to it."""
        self._data = data
        self._rewrites, self._numbered = (patterns(data[table], data["parts"]) for table in ("rewrites", "numbered"))
        self._slips = [(heard.split(), meant.split()) for heard, meant in data["slips"].items()]
        pauses = spelled(data["pauses"])
        self._pause = re.compile(rf"(?:{'|'.join(pauses)})\b", re.IGNORECASE)
        self._joint = re.compile(rf"[.!?,;]+\s+(?:(?:{data['joints']})\s+)?|\s+(?:{data['joints']})\s+", re.IGNORECASE)
        self._sums = sums(data["money"])
        self._excepting = frozenset(data["excepting"].split())
        self._dropped = frozenset(data["dropped"].split())
        self._before, self._after = by_edge(data["before"], 0), by_edge(data["after"], -1)
        self._hesitation = re.compile(rf"(?:(?:{'|'.join(self._dropped)})\b[\s,.]*)+", re.IGNORECASE)
        self._dismissal = re.compile(rf"(?:{data['dismissals']})[,.;!]+\s+(?=\w)", re.IGNORECASE)
        self._interruption = re.compile(data["interruptions"], re.IGNORECASE)
        self._retraction = re.compile(
            rf".*[,.;!?…]\s+(?P<said>{data['retractions']})(?:[,.;!…]+\s+|[.!]*$)", re.IGNORECASE
        )
        self._pauses = sorted((phrase.split() for phrase in pauses), key=len, reverse=True)
        self._verbs = verbs(data["verbs"])
        read, times = quantities(data["language"]), clocks(data["language"])
        assert read is not None, "a language that has sentences has words for numbers"
        assert times is not None, "and for times of day"
        self.quantities, self._clocks = read, times
        self.repairs = Repairs(data["repairs"], "|".join(self._dropped), self.quantities)
        self._more = frozenset(data["more"].split())
        self._until = frozenset(data["until"].split())
        self.no_label, self._no_place = frozenset(data["no_label"].split()), frozenset(data["no_place"].split())
        self._free = FreeWords(data)
        self.texts = FreeTexts(data["no_text"], data["compounds"], data["joints"])
        self._capitals: bool = data["capitals"]
        phrases = {name: {name: said} for name, said in data["phrases"].items()}
        lists = {"ordinal": by_value(ordinals(data["language"])), **data["lists"], **phrases}
        self._lists: dict[str, TextSlotList] = {name: fixed(name, values) for name, values in lists.items()}
        shared = {"language": data["language"], "expansion_rules": data["rules"]}
        groups = ("requests", "answers", "stops", "calls")
        self._intents = {group: Intents.from_dict({**shared, "intents": data[group]}) for group in groups}
        self._unread = set(self._intents)
        """Groups that nobody asked for yet: hassil reads their sentences when they are first needed."""

    @property
    def vocabulary(self) -> set[str]:
        """Every word that stands in a sentence for a request, numbers aside."""
        listed = [spelled(said) for said in sentences([self._data["phrases"], self._data["lists"]])]
        written = " ".join(sentences([self._data["requests"], self._data["rules"], listed]))
        plain_words = set(_WORD.findall(_FIELD.sub(" ", written).lower()))
        return {word for word in plain_words if not self.quantities.may_hold(word)}

    def words(self, text: str) -> list[str]:
        """Those of `text`, as they would be matched; none of a line too long for it."""
        words = self._words(text) if len(text) <= MOST_CHARS else []
        return [word.said for word in words] if len(words) <= MOST_WORDS else []

    def request(self, text: str, name: str = "") -> str:
        """`text` as heard, without `name` and the courtesies around a request, and with the slips mended."""
        words = self._words(text) if len(text) <= MOST_CHARS else []
        words = self._without_name(words, name.split()) if name else words
        return " ".join(word.said for word in self._with_plain_verb(self._without_courtesy(words))).rstrip(",")

    def unhesitating(self, text: str) -> str:
        """`text` without "um" and the like at its beginning."""
        found = self._hesitation.match(text)
        return text[found.end() :] if found else text

    def excepts(self, text: str) -> bool:
        """Whether it holds a word that takes something out of what was agreed to."""
        return not self._excepting.isdisjoint(text.casefold().replace(",", " ").split())

    def mended(self, text: str) -> str:
        """`text` without the "never mind that" or "wait, first" before a request, and without what it takes back."""
        if retracted := self._retraction.match(text):
            return self.repairs.mended(text[retracted.end() :] or retracted["said"])
        found = self._dismissal.match(text) or self._interruption.match(text)
        return self.repairs.mended(text[found.end() :] if found else text)

    def in_digits(self, text: str) -> str:
        """`text` with its numbers as digits, and sums of money as one number: 4.50 pounds for "four pounds fifty"."""
        return self._sums.sub(r"\1.\3 \2", self.quantities.in_digits(replaced(text, self._numbered)))

    def joints(self, text: str) -> Iterator[tuple[int, int]]:
        """Where one request may end, and where the next one then begins."""
        for joint in self._joint.finditer(text):
            if not self._pause.match(text[joint.end() :].strip()):  # after "hang on" comes what was meant instead
                yield joint.span()

    def cuts(self, text: str) -> Iterator[tuple[str, str]]:
        """The two sides of each joint, the right one with the unit that it leaves out."""
        for end, begin in self.joints(text):
            left, right = text[:end].strip(), text[begin:].strip()
            if left and right:
                yield left, self.quantities.with_unit(left, right)

    def timed_results(self, text: str, name: str = "") -> Iterator[list[RecognizeResult]]:
        """For each way to take `text` for a time: how templates take what stands around it."""
        for split in times(text, self._data["language"]) if len(text) <= MOST_CHARS else ():
            results = self.results("requests", around(split), name, split)
            yield [each for each in results if not any(TIME in str(found.value) for found in each.entities_list)]

    def results(self, group: str, text: str, name: str = "", split: Split | None = None) -> Iterator[RecognizeResult]:
        """Every way in which a template of `group` takes all of `text`.

        name: of who is spoken to, in lower case.  split: the time that `text` has a word for.
        """
        words = self._words(text) if len(text) <= MOST_CHARS else []
        words = self._without_name(words, name.split()) if name else words
        if group == "requests":
            words = self._with_plain_verb(self._without_courtesy(words))
        if 0 < len(words) <= MOST_WORDS:
            line = " ".join(word.plain for word in words)
            lists: dict[str, SlotList] = self._values(words, split) if group == "requests" else {**self._lists}
            if group in self._unread:
                drop_unreadable(self._intents[group], {*self._lists, *_KINDS, TEXT})
                require(self._intents[group], self._lists)
                self._unread.remove(group)
            yield from self.texts.put(recognize_all(line, self._intents[group], slot_lists=lists), words)

    def _words(self, text: str) -> list[Word]:
        """Without punctuation and hesitation, the slips of speech recognisers mended."""
        text = " ".join(unicodedata.normalize("NFC", text).replace("’", "'").split())
        text = text.lower() if text.isupper() else text
        text = replaced(replaced(text, self._numbered), self._rewrites)
        words = [Word(said.lower().rstrip(","), said) for said in _TOKEN.findall(text)]
        words = [word for word in words if word.plain not in self._dropped]
        for heard, meant in self._slips:
            words = _mended(words, heard, meant)
        return words

    def _without_name(self, words: list[Word], name: list[str]) -> list[Word]:
        """Without "hey Jarvis" before and "Jarvis" after; a name with nothing else is no line."""
        said = [word.plain for word in words]
        for lead in range(_CALL_WORDS + 1):
            call, end = said[:lead], lead + len(name)
            if said[lead:end] == name and (not call or call in self._before.get(call[0], ())):
                return words[end:]
        return words[: -len(name)] if said[-len(name) :] == name else words

    def _without_courtesy(self, words: list[Word]) -> list[Word]:
        """Without "could you" before and "if you can" after, as often as there is one."""
        said = [word.plain for word in words]
        for phrase in self._before.get(said[0], ()) if said else ():
            if said[: len(phrase)] == phrase:
                return self._without_courtesy(words[len(phrase) :])
        for phrase in self._pauses:
            if said[: len(phrase)] == phrase and not self._counts_on(said[len(phrase) :]):
                return self._without_courtesy(words[len(phrase) :])
        for phrase in self._after.get(said[-1], ()) if said else ():
            if said[-len(phrase) :] == phrase:
                return self._without_courtesy(words[: -len(phrase)])
        return words

    def _counts_on(self, said: list[str]) -> bool:
        """Whether a length follows: "hang on another five minutes" asks to wait, "hang on, what time is it" to tell."""
        return bool(said) and (said[0] in self._until or self._may_count(said[0]))

    def _with_plain_verb(self, words: list[Word]) -> list[Word]:
        """With "put" for "stick" and for "would you mind popping" at its beginning."""
        said = [word.plain for word in words]
        for phrase, meant in self._verbs.get(said[0], ()) if said else ():
            if said[: len(phrase)] == phrase:
                return [*(Word(each, each) for each in meant), *words[len(phrase) :]]
        return words

    def _values(self, words: list[Word], split: Split | None = None) -> dict[str, SlotList]:
        """The lists: fixed ones, and what in `words` may be a value of the others."""
        values: dict[str, list[TextSlotValue]] = {name: [] for name in _KINDS}
        for run in runs(words, _QUANTITY_WORDS, self._may_count):
            for kind, value in self._readings([word.plain for word in run]):
                values[kind].append(_value(run, value))
        for run in runs(words, _TIME_WORDS, self._may_time):
            said = " ".join(word.plain for word in run).replace(" colon ", ":")
            if self.quantities.number(said.split()) is None and self._clocks.read(self._clocks.plain(said)):
                values["time"].append(_value(run, said))  # "it is three" may be how many there are
        for run in runs(words, _LABEL_WORDS, self._may_label):
            said = " ".join(word.said for word in run).replace(",", "")
            values["label"].append(_value(run, said if self._capitals else said.lower()))
        for run in runs(words, _PLACE_WORDS, self._may_place):
            values["place"].append(_value(run, " ".join(word.said for word in run).rstrip(",")))
        for kind, run, free in self._free.values(words, split):
            values[kind].append(_value(run, free))
        values["compound"] = [
            _value([word], word.said.rstrip(",")) for word in words if self.texts.is_compound(word.plain)
        ]
        named = {name: TextSlotList(name, each) for name, each in values.items()}
        return {**self._lists, **named, TEXT: WildcardSlotList(TEXT)}

    def _readings(self, words: list[str]) -> Iterator[tuple[str, Any]]:
        """What all of `words` may be: a kind and its value."""
        fewer = [word for word in words if word not in self._more]
        length = self.quantities.length(fewer)
        if len(fewer) < len(words):
            if length is not None:
                yield "more", length
            return
        if length is not None:
            yield "length", length
        if (number := self.quantities.number(words)) is not None:
            yield "number", plain(number)
        if (amount := self.quantities.amount(words)) is not None:
            yield "amount", plain(amount)

    def _may_count(self, word: str) -> bool:
        return word in self._more or self.quantities.may_hold(word)

    def _may_time(self, word: str) -> bool:
        return word in self._clocks.words or word == "colon" or self._may_count(word)

    def _may_label(self, word: str) -> bool:
        return word not in self.no_label and not self.quantities.may_hold(word)

    def _may_place(self, word: str) -> bool:
        return word not in self._no_place and not self.quantities.counts(word)


@cache
def templates(language: str, folders: tuple[Path, ...] = ()) -> Templates | None:
    """None for a language that nothing was written for.

    folders: of the skills' whole sentences. Without any, words are read, answers and stops known, and no request is.
    """
    data = written_for(language, "sentences")
    return Templates(with_skills(data, language, folders)) if data else None


def _value(run: list[Word], value: Any) -> TextSlotValue:
    """The space makes it end where a word does; hassil adds one to the end of a line."""
    return TextSlotValue(TextChunk(" ".join(word.plain for word in run) + " "), value)


def _mended(words: list[Word], heard: list[str], meant: list[str]) -> list[Word]:
    said = [word.plain for word in words]
    if heard[0] not in said:
        return words
    for at in range(len(words) - len(heard) + 1):
        if said[at : at + len(heard)] == heard:
            return [*words[:at], *(Word(each, each) for each in meant), *words[at + len(heard) :]]
    return words
