"""A memory that forgets everything when it goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime, time
from functools import partial
from typing import Any

from appliance.errors import BadArgument
from appliance.ports import Counts, Diary, Entry, Exchange, Fact, FactKind, Former, Memory, ToolUse


class MemoryFacts:
    """A `MemoryStore` that keeps them as long as it lives. The more words of three letters are shared, the better."""

    def __init__(self) -> None:
        self._facts: dict[int, Fact] = {}
        self._history: dict[int, list[Former]] = {}
        self._exchanges: dict[int, Exchange] = {}
        self._days: dict[date, Diary] = {}
        self._last, self._last_exchange, self.revision = 0, 0, 0

    def save(
        self,
        text: str,
        kind: FactKind,
        at: datetime,
        *,
        person: str = "",
        confidence: float = 1.0,
        source: int | None = None,
    ) -> Fact:
        fact = Fact(self._last + 1, text, kind, at, person, confidence, source)
        if same := self._same(fact):
            surer = max(same[0].confidence, confidence)
            fact = replace(same[0], text=text, at=at, confidence=surer, source=source or same[0].source)
        self._last, self.revision = max(self._last, fact.id), self.revision + 1
        self._facts[fact.id] = fact
        return fact

    def update(
        self, fact_id: int, text: str, at: datetime, *, source: int | None = None, confidence: float = 1.0
    ) -> Fact:
        known, self.revision = self._known(fact_id), self.revision + 1
        changed = replace(known, text=text, at=at, confidence=confidence, source=source or known.source)
        history = self._history.setdefault(fact_id, [])
        for double in self._same(changed):
            if double.id != fact_id:
                history += self._history.pop(double.id, [])
                del self._facts[double.id]
        if _words(known.text) != _words(text):
            if history and (history[0].text, history[0].since) == (text, at):  # an undo
                history.pop(0)
            else:
                history.insert(0, Former(known.text, known.at, at))
        self._facts[fact_id] = changed
        return changed

    def set_source(self, fact_ids: Iterable[int], exchange_id: int) -> None:
        for fact_id in self._facts.keys() & set(fact_ids):
            self._facts[fact_id] = replace(self._facts[fact_id], source=exchange_id)

    def forget(self, *fact_ids: int, topic: str = "", person: str | None = None) -> int:
        facts, before = [self._known(fact_id) for fact_id in fact_ids], len(self._exchanges)
        self.revision += 1
        if re.search(r"\w", topic):
            about = set(_words(topic))
            self._drop(lambda text: about <= set(_words(text)), person)
        for fact in facts:
            for text in [fact.text, *(each.text for each in self._history.pop(fact.id, []))]:
                self._drop(partial(_is_about, _about(text)))
            self._exchanges.pop(fact.source or 0, None)
            del self._facts[fact.id]
        return before - len(self._exchanges)

    def forget_all(self, person: str | None = None) -> None:
        if person is not None:
            self.forget(*(fact.id for fact in self.facts(person=person)))
            self._exchanges = {id: each for id, each in self._exchanges.items() if not each.person == person != ""}
            return
        for each in (self._facts, self._history, self._exchanges, self._days):
            each.clear()
        self.revision += 1

    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        newest = sorted(self._facts.values(), key=lambda fact: (fact.at, fact.id), reverse=True)
        return [fact for fact in newest if kind in (None, fact.kind) and _of(person, fact.person)][:limit]

    def nearest(self, query: str, limit: int, person: str | None = None) -> list[Fact]:
        found = [fact for fact in self.facts(person=person) if fact.kind != "rule" and _shared(query, fact.text)]
        return sorted(found, key=lambda fact: -_shared(query, fact.text))[:limit]

    def search(
        self,
        query: str,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        person: str | None = None,
    ) -> list[Memory]:
        days = [
            Memory(datetime.combine(each.day, time(12), each.at.tzinfo), each.text, "day")
            for each in self._days.values()
        ]
        others = [Memory(fact.at, fact.text) for fact in self.facts(person=person) if fact.kind != "rule"]
        others += [_told(each) for each in self._exchanges.values() if _of(person, each.person)]
        known = [
            sorted((each for each in part if _within(each.at, since, until)), key=lambda each: each.at, reverse=True)
            for part in (days, others)
        ]
        if not query.strip():
            found = [*known[0], *known[1]][:limit] if since or until else []
            return sorted(found, key=lambda each: each.at, reverse=True)
        alike = _shared if any(_shared(query, each.text) for part in known for each in part) else _akin
        best = sorted([*known[1], *known[0]], key=lambda memory: -alike(query, memory.text))[:limit]
        return sorted((each for each in best if alike(query, each.text)), key=lambda each: each.at, reverse=True)

    def persons(self) -> set[str]:
        return {fact.person for fact in self._facts.values()} - {""}

    def withheld(self, query: str, limit: int) -> list[Fact]:
        return []

    def history(self, fact_id: int) -> list[Former]:
        return [*self._history.get(fact_id, [])]

    def source(self, fact_id: int) -> Exchange | None:
        fact = self._facts.get(fact_id)
        return self._exchanges.get(fact.source) if fact and fact.source else None

    def exchanges_between(self, since: datetime, until: datetime, limit: int) -> list[Exchange]:
        found = [each for each in self._exchanges.values() if since <= each.at < until]
        return sorted(found, key=lambda each: (each.at, each.id))[-limit:]

    def diary(self, since: date, until: date) -> list[Diary]:
        return [each for day, each in sorted(self._days.items()) if since <= day <= until]

    def write_diary(self, day: date, text: str, at: datetime) -> None:
        self._days.pop(day, None)
        if text:
            self._days[day] = Diary(day, text, at)

    def add_exchange(
        self,
        conversation: str,
        heard: str,
        said: str,
        at: datetime,
        *,
        person: str = "",
        tools: Sequence[ToolUse] = (),
    ) -> int:
        self._last_exchange += 1
        kept = Exchange(self._last_exchange, conversation, heard, said, at, person, tuple(tools))
        self._exchanges[kept.id] = kept
        return kept.id

    def exchanges(self) -> int:
        return len(self._exchanges)

    def entries(self) -> Iterator[Entry]:
        yield from ({"what": "exchange", **asdict(each)} for each in self._exchanges.values())
        for fact in self._facts.values():
            yield {"what": "fact", **asdict(fact), "history": [*map(asdict, reversed(self.history(fact.id)))]}
        yield from ({"what": "day", **asdict(each)} for each in self._days.values())

    def take_in(self, entries: Iterable[Mapping[str, Any]]) -> Counts:
        """Of what `entries` gave alone, and without regard to history: enough to try an import on."""
        given, ids = [dict(each) for each in entries], dict[int, int]()
        before = Counts(len(self._facts), len(self._exchanges), len(self._days))
        said = {(each.conversation, each.heard, each.at) for each in self._exchanges.values()}
        for entry in given:
            what, history = entry.pop("what"), entry.pop("history", [])
            if what == "day":
                self._days.setdefault(entry["day"], Diary(**entry))
            elif what == "exchange" and (entry["conversation"], entry["heard"], entry["at"]) not in said:
                ids[entry["id"]] = self.add_exchange(**_without_id(entry))
            elif what == "fact" and not self._same(Fact(**entry)):
                fact = self.save(**_without_id(entry) | {"source": ids.get(entry["source"])})
                self._history[fact.id] = [Former(**each) for each in reversed(history)]
        return Counts(
            *(len(self._facts) - before.facts, len(self._exchanges) - before.exchanges, len(self._days) - before.days)
        )

    def _drop(self, about: Callable[[str], bool], person: str | None = None) -> None:
        """Exchanges and sentences of the diary; of one person, exchanges alone."""
        for number, each in [*self._exchanges.items()]:
            if about(f"{_told(each).text} {each.tools}") and (person is None or each.person == person != ""):
                del self._exchanges[number]
        if person is not None:
            return
        for day, diary in [*self._days.items()]:
            left = " ".join(part for part in re.split(r"(?<=\w{3}[.!?])\s+|\n", diary.text) if not about(part))
            self.write_diary(day, left, diary.at)

    def _known(self, fact_id: int) -> Fact:
        if fact_id not in self._facts:
            raise BadArgument(f"There is no fact number {fact_id}.")
        return self._facts[fact_id]

    def _same(self, fact: Fact) -> list[Fact]:
        return [
            each
            for each in self.facts(fact.kind)
            if _words(each.text) == _words(fact.text) and each.person == fact.person
        ]


def _without_id(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name != "id"}


def _told(each: Exchange) -> Memory:
    return Memory(each.at, f'User: "{each.heard}" Answer: "{each.said}"', "exchange", each.person)


def _of(person: str | None, whose: str) -> bool:
    return person is None or whose in (person, "")


def _within(at: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (not since or since <= at) and (not until or at < until)


def _about(text: str) -> set[str]:
    return {word[:4] for word in _words(text) if len(word) > 2} - {"the", "user"}


def _is_about(about: set[str], said: str) -> bool:
    """Half of the words, though never one alone of several."""
    return bool(about) and _held(about, said) >= max(min(2, len(about)), (len(about) + 1) // 2)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower()) or [text]


def _held(stems: set[str], text: str) -> int:
    return len(stems & {word[:4] for word in _words(text)})


def _akin(query: str, text: str) -> int:
    stems = {word[: -2 if len(word) > 6 else -1] if len(word) > 4 else word for word in _words(query)}
    return sum(any(word.startswith(stem) for word in _words(text)) for stem in stems)


def _shared(query: str, text: str) -> int:
    return sum(len(word) > 2 for word in set(_words(query)) & set(_words(text)))
