"""Whole sentences that others published: Home Assistant's, in some seventy languages, for what the skills can do.

The package `home-assistant-intents` has the sentences, and a file `published.yaml` in a skill's folder says which of
their intents are its tools. Numbers may be digits or words. A slot that no tool takes makes a line one for others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from typing import Any

import yaml
from hassil import Intents, recognize_all
from hassil.intents import SlotList, TextSlotList, WildcardSlotList
from hassil.models import MatchEntity
from hassil.recognize import RecognizeResult

from appliance.language.free_names import FreeNames, counting_in
from appliance.language.published import MOST_CHARS, plain, published_data, spelled
from appliance.reply.understanding.match import Match

_NAME_WORDS = 4
"""The most words that a room or a device of others has."""
_FREE = ("area", "floor", "name")
"""Lists of the house, which Home Assistant fills with what it knows; here any name may stand there."""

_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_REST = re.compile(r"\w+")
_COMPOUND = 4
"""Letters from which what stands behind a name in the same word is a word itself, and no ending."""
_RULE, _FIELD, _WORD = re.compile(r"<([^>]+)>"), re.compile(r"\{[^}]*\}|<[^>]*>"), re.compile(r"[^\W\d_]{2,}")
"""In a sentence: a rule it refers to, all that it only refers to, and a word of its own."""

_PLACE = "place"
"""The argument that is a place on earth."""
_NAME = "name"
"""The list of those names that people gave what they keep."""

Rank = tuple[int, int, int, int, int, str]
"""How good a reading is, the least first; its intent at last."""
Slots = dict[str, Any]
Ways = Mapping[str, list[dict[str, Any]]]
"""Intent -> the ways to carry it out; skills/timers/published.yaml explains their keys."""


@dataclass(frozen=True)
class Barred:
    """Words of a language that stand in nothing that is filled in freely."""

    names: Collection[str] = ()
    texts: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Slot -> words."""


@dataclass(frozen=True)
class Known:
    """What is known by its name: that is none of the words around it, however many it has."""

    is_place: Callable[[str], bool] = lambda place: True
    names: Collection[str] = ()
    """What the lists that are kept are called, in every way."""


class Published:
    def __init__(self, code: str, ways: Ways) -> None:
        """`code`: of a language, as the package spells it."""
        self._code, self._ways, self._counting = code, ways, counting_in(code)

    def match(self, text: str, barred: Barred = Barred(), known: Known = Known()) -> Match | None:
        """The request that all of `text` is: by the best reading, or, where that is none, as an order for later."""
        if not text.strip() or len(text) > MOST_CHARS:
            return None
        return self._match_named(text, barred, known) or self._chosen(text, self._lists, barred, known)

    def may_name(self, text: str) -> bool:
        """Whether a list may be named in it."""
        return any(_holds(text, words) for words in self._naming_words)

    def _match_named(self, text: str, barred: Barred, known: Known) -> Match | None:
        """Of a list that is known by its name."""
        said = sorted(name for name in known.names if name.casefold() in text.casefold())
        return self._chosen(text, {_NAME: TextSlotList.from_strings(said, False)}, barred, known) if said else None

    def _chosen(self, text: str, lists: Mapping[str, SlotList], barred: Barred, known: Known) -> Match | None:
        results = recognize_all(text, self._intents, slot_lists={**self._lists, **lists}, language=self._counting)
        if lists is not self._lists:
            results = (each for each in results if self._is_named(each))
        named = ((self._rank(result, text, known), self._named(result, text, barred, known)) for result in results)
        readings = [(rank, slots) for rank, slots in named if slots is not None]
        best = self._best(readings, text)
        return best or self._best([each for each in readings if self._is_later(*each, text)], text)

    def _best(self, readings: list[tuple[Rank, Slots]], text: str) -> Match | None:
        """Two that are as good and differ are none."""
        best = min((rank for rank, _ in readings), default=None)
        found = [self.meant(best[-1], slots, text) for rank, slots in readings if rank == best] if best else []
        return found[0] if found and all(each == found[0] for each in found) else None

    def _is_later(self, rank: Rank, slots: Slots, text: str) -> bool:
        """Whether it is an order for later."""
        found = self.meant(rank[-1], slots, text)
        return found is not None and bool(found.order)

    @property
    def intents(self) -> Collection[str]:
        """Those that a skill maps."""
        return self._ways.keys()

    @cached_property
    def _data(self) -> dict[str, Any]:
        """Of the package, with the intents that a skill maps, and without what they require of the house around."""
        data = published_data(self._code)
        kept = {name: intent for name, intent in data["intents"].items() if name in self._ways}
        for sentences in (each for intent in kept.values() for each in intent["data"]):
            sentences.pop("requires_context", None)
            sentences.pop("excludes_context", None)
        return {**data, "intents": kept}

    @cached_property
    def _intents(self) -> Intents:
        return Intents.from_dict(self._data)

    @cached_property
    def _lists(self) -> dict[str, SlotList]:
        return {name: WildcardSlotList(name) for name in _FREE}

    @cached_property
    def _naming_words(self) -> list[list[str]]:
        """Of each way that takes a list's name: words of which a line must hold one."""
        ways = (way for ways in self._ways.values() for way in ways if self._takes_list(way))
        return [words for way in ways for words in self._said(way)[:1]]

    @staticmethod
    def _takes_list(way: Mapping[str, Any]) -> bool:
        return "texts" in way and _NAME in way["slots"]

    def _is_named(self, result: RecognizeResult) -> bool:
        """Whether a list is named in it, and known."""
        name = result.entities.get(_NAME)
        return name is not None and not name.is_wildcard and self._may_take_list(result)

    def _may_take_list(self, result: RecognizeResult) -> bool:
        return any(map(self._takes_list, self._ways[result.intent.name]))

    @cached_property
    def _names(self) -> FreeNames:
        """What a tool looks for in a line is no mere filler: the French word for shopping is a list's name."""
        told = {word for ways in self._ways.values() for way in ways for words in self._said(way) for word in words}
        filler = frozenset(_words(self._data)) - told
        return FreeNames(self._code, filler, self._spaced)

    @property
    def _spaced(self) -> bool:
        """Whether the language puts spaces between words."""
        return not self._intents.settings.ignore_whitespace

    def _place(self, result: RecognizeResult) -> str:
        """The place that was named; empty without one."""
        slots = (
            slot for way in self._ways[result.intent.name] for slot, to in way.get("slots", {}).items() if to == _PLACE
        )
        return next((str(plain(result.entities[slot].value)) for slot in slots if slot in result.entities), "")

    def _rank(self, result: RecognizeResult, text: str, known: Known) -> Rank:
        """The best reading first, as hassil's `recognize_best` has it: with fewer free names, more of the sentence's
        own words, shorter names, and by the intent's name at last. Here a place that is known goes before all, and a
        name of whole words before one that is cut."""
        free, place = [each for each in result.entities_list if each.is_wildcard], self._place(result)
        unknown, of_list = bool(place) and not known.is_place(place), self._may_take_list(result)
        cut = sum(self._is_cut(each, text, compounds=not of_list) for each in free)  # "Partyliste" is its whole name
        letters = sum(len(each.text) for each in free)
        return unknown, len(free), cut, -result.text_chunks_matched, letters, result.intent.name

    def _is_cut(self, entity: MatchEntity, text: str, compounds: bool = False) -> bool:
        """Whether it begins or ends within a word.  compounds: "pizza" of the Swedish "pizzatimer" does not."""
        begin, end = entity.text_span or (0, len(text))
        before, behind = text[max(0, begin - 1) : begin + 1], _REST.match(text, end)
        cut_behind = (
            text[end - 1 : end].isalnum() and behind and len(behind[0]) < (_COMPOUND if compounds else MOST_CHARS)
        )
        return self._spaced and bool(re.fullmatch(r"\w\w", before) or cut_behind)

    def _named(self, result: RecognizeResult, text: str, barred: Barred, known: Known) -> Slots | None:
        """Its slots; None where one holds what it cannot. What no tool takes may be anything short."""
        ways = self._ways[result.intent.name]
        taken = {slot for way in ways for slot in way.get("slots", {})}
        texts = {slot: self._own(words) for way in ways for slot, words in way.get("texts", {}).items()}
        slots = {each.name: plain(each.value) for each in result.entities_list}
        for each in (each for each in result.entities_list if each.is_wildcard):
            if each.name in texts:
                slots[each.name] = self._text(each, text, texts[each.name], barred.texts.get(each.name, ()))
            elif each.name in taken:
                said = str(slots[each.name])
                of_place = " " in said and said == self._place(result) and known.is_place(said)  # Los Angeles
                slots[each.name] = self._names.cleaned(said, () if of_place else barred.names)
            elif len(each.text.split()) > _NAME_WORDS:
                return None
        return None if None in slots.values() else slots

    def _text(self, entity: MatchEntity, line: str, parts: Collection[str], words: Collection[str]) -> str | None:
        """What was said there, with its commas; None for a part of a word, and for one with any of these in it."""
        said = line[slice(*entity.text_span or ())].rstrip(",")
        barred = _holds(said, parts) or not set(_WORDS.findall(said.casefold())).isdisjoint(words)
        return None if barred or self._is_cut(entity, line) else said

    def meant(self, intent: str, slots: Slots, text: str) -> Match | None:
        """The call that an intent is with these slots; None where no tool takes them, and the words of the line."""
        for way in self._ways[intent]:
            short = len(text.split()) <= way.get("words", MOST_CHARS)
            said = short and all(_holds(text, words) for words in self._said(way))
            arguments, order = _arguments(way, slots) if said else None, way.get("order", "")
            if arguments is not None and order in ("", *arguments):
                return Match(way["tool"], arguments, "texts" in way, str(arguments.get(order, "")))
        return None

    def _said(self, way: dict[str, Any]) -> list[list[str]]:
        """The words of this language of which the line must hold one of each list, be it a part of a word."""
        return [self._own(words) for words in way.get("said", ())]

    def _own(self, words: Mapping[str, list[str]]) -> list[str]:
        return words.get(self._code.partition("-")[0], [])


def _holds(text: str, words: Collection[str]) -> bool:
    """Whether any of the words is in it, be it a part of one; one with a blank before it begins a word."""
    return any(word in f" {text.casefold()}" for word in words)


def _arguments(way: dict[str, Any], given: Slots) -> dict[str, Any] | None:
    """What the slots give to the tool; None where it does not take one of them."""
    slots, written, values = (way.get(key, {}) for key in ("slots", "written", "values"))
    found: dict[str, Any] = dict(way.get("fixed", {}))
    for name, value in given.items():
        if name not in slots or value not in values.get(name, [value]):
            return None
        argument = slots[name]
        said = written[name].format(value) if name in written else value
        found[argument] = f"{found[argument]} {said}" if argument in found else said
    return found


def _words(data: dict[str, Any]) -> Iterator[str]:
    """Every word that the sentences of the intents and their rules are made of, and those that may be left out."""
    texts = [text for intent in data["intents"].values() for each in intent["data"] for text in each["sentences"]]
    texts += data.get("skip_words", [])
    rules = dict(data.get("expansion_rules", {}))
    while texts:
        text = texts.pop()
        texts += [rules.pop(name) for name in _RULE.findall(text) if name in rules]
        yield from _WORD.findall(_FIELD.sub(" ", text).casefold())


def _mapped() -> Ways:
    """What the skills' files say, all in one: of each intent, the ways that ask for certain words come first."""
    mapped = defaultdict[str, list[dict[str, Any]]](list)
    for skill in sorted(resources.files("appliance.skills").iterdir(), key=lambda folder: folder.name):
        if (file := skill / "published.yaml").is_file():
            for intent, ways in yaml.safe_load(file.read_text(encoding="utf-8")).items():
                mapped[intent] += ways
    return {intent: sorted(ways, key=lambda way: "said" not in way) for intent, ways in mapped.items()}


def without_name(text: str, name: str) -> str:
    """`text` without "Jarvis" or "hey Jarvis" before it and "Jarvis" behind it."""
    if not name:
        return text
    said = re.escape(name)
    before, behind = rf"(?:\w+[\s,]+)?{said}\b[\s,.:!]+(?P<rest>.+)", rf"(?P<rest>.+?)[\s,]+{said}\W*"
    found = re.fullmatch(before, text.strip(), re.IGNORECASE) or re.fullmatch(behind, text.strip(), re.IGNORECASE)
    return found["rest"] if found else text


@cache
def published(language: str) -> Published | None:
    """The sentences of `language`; None where there are none."""
    code = spelled(language)
    return Published(code, _mapped()) if code else None
