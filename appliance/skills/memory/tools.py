"""Remembering, recalling and forgetting, in the words of a conversation."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.grave import is_grave
from appliance.language.lists import spoken_list
from appliance.language.second_person import said_back
from appliance.language.speaker import speaker
from appliance.ports import (
    Clock,
    Fact,
    FactKind,
    Memory,
    MemoryStore,
    NobodyTalks,
    PrivateMode,
    Spoken,
    Talking,
    undoable,
)
from appliance.skills.memory.known import KnownTools
from appliance.skills.memory.shared import NeverPrivate, Shared
from appliance.skills.memory.telling import Piece, Telling, plain, sentence
from appliance.skills.memory.words import ALL, NAMED, SHORTEST_WORDS, words_of
from appliance.skills.written import FALLBACK, Words

JUST_NOW = timedelta(minutes=3)
"""So old is at most what "forget that" means without a word more: the last turns. A judgement."""
_CLEARLY = 1.5
"""How many times better than the next a fact must match to be forgotten without asking. A judgement, not measured."""

Sentence = Annotated[str, Field(max_length=300, description="one full sentence")]
Subject = Annotated[str, Field(max_length=300)]
Day = Annotated[str, Field(description="YYYY-MM-DD")]


class MemoryTools:
    def __init__(
        self,
        store: MemoryStore,
        clock: Clock,
        found_max: int,
        language: str = FALLBACK,
        talk: Talking = NobodyTalks(),  # noqa: B008
        private: PrivateMode = NeverPrivate(),  # noqa: B008
        last_heard: Callable[[], str] = str,
    ) -> None:
        """found_max: entries of one recall, and facts that one `forget` weighs.  last_heard: see SkillContext."""
        self._heard = last_heard
        self.words, self._language = Words(Path(__file__).parent, language), language
        self._store, self._clock, self._found_max = store, clock, found_max
        self.shared = Shared(store, clock, self.words, language, talk, private)
        self.telling = Telling(self.shared)
        self.known = KnownTools(self.shared, self.telling)

    def remember(self, fact: Sentence) -> Spoken:
        """Keep something the user says about themselves or asks to be kept."""
        kept = self._keep(self._given(fact, "what_to_remember"), "user")
        if is_grave(kept.text):
            return self.shared.for_whom(self.words.say("remembered_grave", fact=sentence(said_back(fact))))
        return self.shared.for_whom(self.words.say("remembered"))

    def set_preference(self, rule: Sentence) -> Spoken:
        """Keep a standing rule of the user about how to answer."""
        self._keep(self._given(rule, "what_to_keep_to"), "rule")
        return self.words.say("kept_to")

    def remember_last(self, words: Subject = "") -> Spoken:
        """Keep what the user said before this; a question with its answer."""
        self.shared.may_keep()
        heard, said = plain(words or self._heard()), plain(self.shared.talk.last_said)
        if len(heard.split()) < SHORTEST_WORDS and not words:
            raise BadArgument(self.words.say("what_to_remember"), remedy="say it in words", asks_for="words")
        told = words or not said or speaker(self._language).tells(heard)
        spoken = [each.id for each in self.shared.spoken_now() if plain(each.heard) == heard]
        text = self.words.say("as_told" if told else "as_answered", line=heard, said=said)
        kept = self._keep(text, "user", spoken[-1] if spoken else None)
        answer = self.shared.for_whom(self.words.say("remembered_line", line=sentence(heard)))
        return self.telling.begin([Piece(answer, kept)])

    def recall(self, topic: Subject, since: Day = "", until: Day = "") -> str:
        """Look up what was remembered or talked about before.

        What is known of the user stands in for a search without a find: "teeth" is not in "my dentist is Doctor Pell".
        since, until: the first and the last day that count.
        """
        topic = self._given(topic, "what_to_look_for")
        if words_of(topic) <= ALL:
            return self.known.tell_known()
        found = self._store.search(topic, self._found_max, self._midnight(since), self._midnight(until, days_later=1))
        if not found:
            if whose := self.shared.withheld(topic, self._found_max):
                return self.words.say("not_yours", name=whose)
            dated = since or until
            known = [] if dated else self._store.facts("user", self._found_max)
            lines = [self._line(Memory(fact.at, fact.text)) for fact in known]
            key = "none_then" if dated else "none_but" if lines else "none"
            return "\n".join([str(self.words.say(key, what=plain(said_back(topic)))), *lines])
        return "\n".join(map(self._line, found))

    def forget(self, what: Subject) -> Spoken:
        """Forget something that was remembered."""
        if words_of(self._given(what, "what_to_forget")) <= ALL:
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
        if words_of(self._given(what, "what_to_forget")) <= ALL:
            return self.words.say("forget_everything", what=self._everything())
        meant = self._meant(what)
        if not (meant or self._talked_about(words_of(_topic(what)))):
            raise self._nothing_about(what)
        return self.words.say("forget_facts" if meant else "forget_said", what=self._named(meant, what))

    def forget_fact(self, id: int) -> Spoken:
        """Forget one fact, by its number."""
        fact = self._stored(id)
        self._store.forget(fact.id)
        return self.words.say("forgotten", what=self.telling.plain(fact))

    def whether_to_forget_fact(self, id: int) -> str:
        """The question before `forget_fact`."""
        return self.words.say("forget_facts", what=self.telling.plain(self._stored(id)))

    def forget_topic(self, topic: Subject) -> Spoken:
        """Forget all that is known about something, and all that was said about it."""
        meant = self._all_about(topic)
        gone = self._store.forget(*(fact.id for fact in meant), topic=topic)
        if not meant and not gone:
            raise self._nothing_about(topic)
        return self.words.say("forgotten", what=self.words.say("all_about", what=plain(said_back(topic))))

    def whether_to_forget_topic(self, topic: Subject) -> str:
        """The question before `forget_topic`, which counts what would go."""
        meant = self._all_about(self._given(topic, "what_to_forget"))
        if not (meant or self._talked_about(words_of(topic))):
            raise self._nothing_about(topic)
        about = plain(said_back(topic))
        return self.words.say("forget_about" if meant else "forget_said_about", count=len(meant), what=about)

    def forget_last(self) -> Spoken:
        """Forget what was remembered last."""
        last = self._last()
        self._store.forget(last.id)
        return self.words.say("forgotten", what=self.telling.plain(last))

    def whether_to_forget_last(self) -> str:
        """The question before `forget_last`; none where "that" can only be what was remembered just now."""
        last = self._last()
        just_now = timedelta() <= self._clock.now() - last.at <= JUST_NOW
        return "" if just_now else self.words.say("forget_facts", what=self.telling.plain(last))

    def update_memory(self, id: int, fact: Sentence) -> Spoken:
        """Replace what a remembered fact says, by its number."""
        self.shared.may_keep()
        older = self._numbered(id)
        self._store.update(id, self._given(fact, "what_instead"), self._clock.now())
        if older:
            undoable(lambda: self._store.update(older.id, older.text, older.at, confidence=older.confidence))
        return self.words.say("updated")

    def whether_to_update(self, id: int, fact: Sentence) -> str:
        """The question before `update_memory`, in the words of what would go."""
        older, new = self._numbered(id), plain(said_back(fact))
        if older and is_grave(older.text):
            return self.words.say("replace_grave", known=plain(said_back(older.text)), fact=new)
        return self.words.say("remember_instead", fact=new)

    def _numbered(self, id: int) -> Fact | None:
        return next((known for known in self._store.facts() if known.id == id), None)

    def _stored(self, id: int) -> Fact:
        """Raises BadArgument for the number of no fact."""
        if fact := self._numbered(id):
            return fact
        raise BadArgument(self.words.say("no_such_fact", id=id), remedy="give the number of a fact that is stored")

    def _keep(self, text: str, kind: FactKind, source: int | None = None) -> Fact:
        """See Shared.keeper. Raises CannotBeDone in private mode."""
        self.shared.may_keep()
        kept = self._store.save(text, kind, self._clock.now(), person=self.shared.keeper, source=source)
        undoable(lambda: self._store.forget(kept.id))
        return kept

    def _all_about(self, topic: str) -> list[Fact]:
        """Every fact, and rule, that holds all words of the topic."""
        words = words_of(topic) - ALL
        known = self._store.facts()
        return [fact for fact in known if words and words <= words_of(fact.text)]

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
        return any(words <= words_of(memory.text) for memory in found)

    def _meant(self, what: str) -> list[Fact]:
        """The fact that `what` means, with its doubles, or the few that are all about it; none that shares only such
        words as "the" with it.

        Raises BadArgument that asks which.
        """
        words = words_of(what)
        known = self._store.nearest(what, self._found_max) + self._store.facts("rule")
        found = [fact for fact in known if (words - ALL) & words_of(fact.text)]
        if not found:
            return []
        if exact := [fact for fact in found if words_of(fact.text) == words]:
            return exact
        best = _best(words, found)
        about = all(words - ALL <= words_of(fact.text) for fact in best)
        if len(best) == 1 or (about and len(best) <= NAMED):
            return best
        names = "; ".join(map(self.telling.plain, best[:NAMED]))
        raise BadArgument(self.words.say("which", names=names), remedy="name one in its own words")

    def _given(self, text: str, question: str) -> str:
        """`text`, which must hold a word. Raises BadArgument that asks the question of that name."""
        if not re.search(r"[^\W_]", text):
            raise BadArgument(self.words.say(question), remedy="say it in words")
        return text

    def _nothing_about(self, what: str) -> CannotBeDone:
        return CannotBeDone(self.words.say("nothing_about", what=plain(said_back(what))))

    def _all_of(self, things: int) -> str:
        return self.words.say("all_things", count=things) if things > 1 else self.words.say("one_thing")

    def _named(self, facts: Sequence[Fact], what: str) -> str:
        """What goes, as it is told to whom it is about."""
        if facts:
            return "; ".join(dict.fromkeys(map(self.telling.plain, facts)))
        return self.words.say("said_about", what=plain(said_back(what)))


def _best(words: set[str], facts: Sequence[Fact]) -> list[Fact]:
    """Those that share the most of `words`; one that all hold counts nothing, one that a single fact holds most."""
    holders = Counter(word for fact in facts for word in words & words_of(fact.text))
    weights = {word: math.log(len(facts) / count) for word, count in holders.items()}
    scores = [math.fsum(weights[word] for word in words & words_of(fact.text)) for fact in facts]
    return [fact for fact, score in zip(facts, scores, strict=True) if score * _CLEARLY >= max(scores)]


def _topic(what: str) -> str:
    """What it is about, without the words of which `ALL` is made."""
    return " ".join(word for word in what.split() if not words_of(word) <= ALL)
