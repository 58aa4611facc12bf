"""Remembering, recalling and forgetting, in the words of a conversation."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.grave import is_grave
from appliance.language.lists import capital, spoken_list
from appliance.language.second_person import said_back, to_you
from appliance.ports import Clock, Fact, Memory, MemoryStore, Spoken, undoable
from appliance.skills.written import FALLBACK, Words

NAMED = 3
"""Facts named in one question: more cannot be kept in mind while listening."""
TOLD = 5
"""Facts, and rules, told in one answer: some 15 s each kind."""
ALL = {"the", "user", "me", "myself", "us", "everything", "all", "you", "know", "known", "about"}
"""A topic of nothing but these is whatever there is."""
JUST_NOW = timedelta(minutes=3)
"""So old is at most what "forget that" means without a word more: the last turns. A judgement."""
_CLEARLY = 1.5
"""How many times better than the next a fact must match to be forgotten without asking. A judgement, not measured."""

Sentence = Annotated[str, Field(max_length=300, description="one full sentence")]
Subject = Annotated[str, Field(max_length=300)]
Day = Annotated[str, Field(description="YYYY-MM-DD")]


class MemoryTools:
    def __init__(self, store: MemoryStore, clock: Clock, found_max: int, language: str = FALLBACK) -> None:
        """found_max: entries of one recall, and facts that one `forget` weighs."""
        self.words, self._language = Words(Path(__file__).parent, language), language
        self._store, self._clock, self._found_max = store, clock, found_max

    def remember(self, fact: Sentence) -> Spoken:
        """Keep something the user says about themselves or asks to be kept."""
        kept = self._store.save(self._given(fact, "what_to_remember"), "user", self._clock.now())
        undoable(lambda: self._store.forget(kept.id))
        if is_grave(kept.text):
            return self.words.say("remembered_grave", fact=_sentence(said_back(fact)))
        return self.words.say("remembered")

    def set_preference(self, rule: Sentence) -> Spoken:
        """Keep a standing rule of the user about how to answer."""
        kept = self._store.save(self._given(rule, "what_to_keep_to"), "rule", self._clock.now())
        undoable(lambda: self._store.forget(kept.id))
        return self.words.say("kept_to")

    def recall(self, topic: Subject, since: Day = "", until: Day = "") -> str:
        """Look up what was remembered or talked about before.

        What is known of the user stands in for a search without a find: "teeth" is not in "my dentist is Doctor Pell".
        since, until: the first and the last day that count.
        """
        topic = self._given(topic, "what_to_look_for")
        if _words(topic) <= ALL:
            return self._all()
        found = self._store.search(topic, self._found_max, self._midnight(since), self._midnight(until, days_later=1))
        if not found:
            dated = since or until
            known = [] if dated else self._store.facts("user", self._found_max)
            lines = [self._line(Memory(fact.at, fact.text)) for fact in known]
            key = "none_then" if dated else "none_but" if lines else "none"
            return "\n".join([str(self.words.say(key, what=_plain(said_back(topic)))), *lines])
        return "\n".join(map(self._line, found))

    def _all(self) -> Spoken:
        """What is known, the newest first, then the standing rules: as much as one listens to."""
        facts, rules = self._store.facts("user"), self._store.facts("rule")
        if not facts and not rules:
            return self.words.say("known_nothing")
        told = [_sentence(to_you(fact.text)) for fact in facts[:TOLD]]
        more = len(facts) - len(told)
        told += [self.words.say("known_more", count=more)] if more else []
        told += [self.words.say("known_rule", rule=_sentence(rule.text)) for rule in rules[:TOLD]]
        return Spoken(" ".join(told))

    def tell_kept(self) -> Spoken:
        """Tell what was kept last."""
        known = self._store.facts("user", 1)
        if not known:
            return self.words.say("kept_nothing")
        return self.words.say("kept_last", fact=_sentence(to_you(known[0].text)))

    def forget(self, what: Subject) -> Spoken:
        """Forget something that was remembered."""
        if _words(self._given(what, "what_to_forget")) <= ALL:
            everything = self._everything()
            self._store.forget_all()
            return self.words.say("forgotten", what=everything)
        meant = self._meant(what)
        gone = self._store.forget(*(fact.id for fact in meant), topic=_topic(what))
        if not meant and not gone:
            raise self._nothing_about(what)
        return self.words.say("forgotten", what=self._named(meant, what))

    def whether_to_forget(self, what: Subject) -> str:
        """The question before `forget`, in the words of what would go. Raises as it does where nothing would."""
        if _words(self._given(what, "what_to_forget")) <= ALL:
            return self.words.say("forget_everything", what=self._everything())
        meant = self._meant(what)
        if not (meant or self._talked_about(_words(_topic(what)))):
            raise self._nothing_about(what)
        return self.words.say("forget_facts" if meant else "forget_said", what=self._named(meant, what))

    def forget_last(self) -> Spoken:
        """Forget what was remembered last."""
        last = self._last()
        self._store.forget(last.id)
        return self.words.say("forgotten", what=_told(last))

    def whether_to_forget_last(self) -> str:
        """The question before `forget_last`; none where "that" can only be what was remembered just now."""
        last = self._last()
        just_now = timedelta() <= self._clock.now() - last.at <= JUST_NOW
        return "" if just_now else self.words.say("forget_facts", what=_told(last))

    def update_memory(self, id: int, fact: Sentence) -> Spoken:
        """Replace what a remembered fact says, by its number."""
        older = self._numbered(id)
        self._store.update(id, self._given(fact, "what_instead"), self._clock.now())
        if older:
            undoable(lambda: self._store.update(older.id, older.text, older.at, confidence=older.confidence))
        return self.words.say("updated")

    def whether_to_update(self, id: int, fact: Sentence) -> str:
        """The question before `update_memory`, in the words of what would go."""
        older, new = self._numbered(id), _plain(said_back(fact))
        if older and is_grave(older.text):
            return self.words.say("replace_grave", known=_plain(said_back(older.text)), fact=new)
        return self.words.say("remember_instead", fact=new)

    def _numbered(self, fact_id: int) -> Fact | None:
        return next((known for known in self._store.facts() if known.id == fact_id), None)

    def _midnight(self, day: str, days_later: int = 0) -> datetime | None:
        """The beginning of `day` where the box stands; None when none was said. Raises BadArgument."""
        if not day:
            return None
        try:
            begins = date.fromisoformat(day) + timedelta(days=days_later)
        except (ValueError, OverflowError):
            raise BadArgument(self.words.say("which_day", day=day), remedy="write it as YYYY-MM-DD") from None
        return datetime.combine(begins, time(), self._clock.now().tzinfo)

    def _line(self, memory: Memory) -> str:
        day = memory.at.astimezone(self._clock.now().tzinfo).date()
        return f"[{day}] {' '.join(memory.text.split())}"

    def _last(self) -> Fact:
        """Raises CannotBeDone."""
        facts = self._store.facts(limit=1)
        if not facts:
            raise CannotBeDone(self.words.say("nothing_to_forget"))
        return facts[0]

    def _everything(self) -> str:
        """All that is kept, counted. Raises CannotBeDone."""
        facts, exchanges = len(self._store.facts()), self._store.exchanges()
        if not facts and not exchanges:
            raise CannotBeDone(self.words.say("nothing_to_forget"))
        kept = [(facts, "all_facts"), (exchanges, "all_said")]
        named = [self.words.say(key, count=self._all_of(count)) for count, key in kept if count]
        return spoken_list(named, self._language)

    def _talked_about(self, words: set[str]) -> bool:
        found = self._store.search(" ".join(words), self._found_max) if words else []
        return any(words <= _words(memory.text) for memory in found)

    def _meant(self, what: str) -> list[Fact]:
        """The fact that `what` means, with its doubles, or the few that are all about it; none that shares only such
        words as "the" with it.

        Raises BadArgument that asks which.
        """
        words = _words(what)
        known = self._store.nearest(what, self._found_max) + self._store.facts("rule")
        found = [fact for fact in known if (words - ALL) & _words(fact.text)]
        if not found:
            return []
        if exact := [fact for fact in found if _words(fact.text) == words]:
            return exact
        best = _best(words, found)
        about = all(words - ALL <= _words(fact.text) for fact in best)
        if len(best) == 1 or (about and len(best) <= NAMED):
            return best
        names = "; ".join(map(_told, best[:NAMED]))
        raise BadArgument(self.words.say("which", names=names), remedy="name one in its own words")

    def _given(self, text: str, question: str) -> str:
        """`text`, which must hold a word. Raises BadArgument that asks the question of that name."""
        if not re.search(r"[^\W_]", text):
            raise BadArgument(self.words.say(question), remedy="say it in words")
        return text

    def _nothing_about(self, what: str) -> CannotBeDone:
        return CannotBeDone(self.words.say("nothing_about", what=_plain(said_back(what))))

    def _all_of(self, things: int) -> str:
        return self.words.say("all_things", count=things) if things > 1 else self.words.say("one_thing")

    def _named(self, facts: Sequence[Fact], what: str) -> str:
        """What goes, as it is told to whom it is about."""
        if facts:
            return "; ".join(dict.fromkeys(map(_told, facts)))
        return self.words.say("said_about", what=_plain(said_back(what)))


def _best(words: set[str], facts: Sequence[Fact]) -> list[Fact]:
    """Those that share the most of `words`; one that all hold counts nothing, one that a single fact holds most."""
    holders = Counter(word for fact in facts for word in words & _words(fact.text))
    weights = {word: math.log(len(facts) / count) for word, count in holders.items()}
    scores = [math.fsum(weights[word] for word in words & _words(fact.text)) for fact in facts]
    return [fact for fact, score in zip(facts, scores, strict=True) if score * _CLEARLY >= max(scores)]


def _words(text: str) -> set[str]:
    """Without accents and case; those of three letters or more, if there are any."""
    letters = "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))
    words = set(re.findall(r"[^\W_]+", letters.casefold()))
    return {word for word in words if len(word) >= 3} or words


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".!?")


def _sentence(text: str) -> str:
    said = _plain(text)
    return f"{capital(said)}."


def _topic(what: str) -> str:
    """What it is about, without the words of which `ALL` is made."""
    return " ".join(word for word in what.split() if not _words(word) <= ALL)


def _told(fact: Fact) -> str:
    return _plain(to_you(fact.text))
