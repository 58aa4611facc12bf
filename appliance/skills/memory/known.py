"""What is known is told, in parts; and of what was told: why, what it was before, and what it is instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.grave import is_grave
from appliance.language.second_person import said_back
from appliance.language.speaker import speaker
from appliance.language.stopwords import EMPTY
from appliance.language.subjects import subject
from appliance.ports import Exchange, Fact, Former, Spoken, undoable
from appliance.skills.memory.shared import Shared
from appliance.skills.memory.telling import Piece, Telling, plain, sentence
from appliance.skills.memory.words import NAMED, words_of

NEAR = 8
"""Facts that are weighed for the one that is meant."""
HELD = 0.5
"""Of the telling words of a fact: how many an answer has that was made of it. A judgement."""
QUOTED_WORDS = 30
"""Of a line that is read back: some 10 s."""

Which = Annotated[str, Field(max_length=300)]


class KnownTools:
    def __init__(self, shared: Shared, telling: Telling) -> None:
        self._shared, self._telling = shared, telling
        self._store, self._words = shared.store, shared.words

    def tell_known(self) -> Spoken:
        """Tell what is known, the newest first, then the standing rules, then what was told just now."""
        whose = self._shared.whose
        facts, rules = (self._store.facts(kind, person=whose) for kind in ("user", "rule"))
        pieces = [Piece(self._telling.of(fact), fact) for fact in facts]
        pieces += [Piece(self._words.say("known_rule", rule=sentence(rule.text)), rule) for rule in rules]
        pieces += [Piece(self._words.say("said_now", line=sentence(each.heard))) for each in self._shared.told_now()]
        return self._telling.begin(pieces) if pieces else self._words.say("known_nothing")

    def tell_kept(self) -> Spoken:
        """Tell what was kept last."""
        known = self._store.facts("user", 1, person=self._shared.whose)
        if not known:
            return self._words.say("kept_nothing")
        return self._telling.begin([Piece(self._words.say("kept_last", fact=self._telling.of(known[0])), known[0])])

    def tell_more(self) -> Spoken:
        """Tell the next part of what was told last."""
        return self._telling.go_on() if self._telling.more else self._words.say("no_more")

    def tell_why(self, what: Which = "") -> Spoken:
        """Tell when and in which words something that is known was said."""
        fact = self._one(what)
        return self._telling.begin([Piece(self._why(fact, self._store.source(fact.id)), fact)])

    def tell_before(self, what: Which = "") -> Spoken:
        """Tell what something that is known said before it was changed."""
        fact = self._one(what)
        former = self._store.history(fact.id)
        if not former:
            return self._words.say("never_other", fact=self._telling.plain(fact))
        return self._telling.begin([Piece(self._former(fact, each), fact) for each in former])

    def correct(self, instead: Which) -> Spoken:
        """Replace what is known by what it is instead."""
        self._shared.may_keep()
        older = self.corrected(instead)
        if older is None:
            raise CannotBeDone(self._words.say("nothing_about", what=plain(said_back(subject(instead) or instead))))
        new = speaker(self._shared.language).as_fact(instead)
        kept = self._store.update(older.id, new, self._shared.clock.now())
        undoable(lambda: self._store.update(older.id, older.text, older.at, confidence=older.confidence))
        return self._telling.begin([Piece(self._words.say("updated"), kept)])

    def whether_to_correct(self, instead: Which) -> str:
        """The question before `correct`; none but where a life may hang on what is replaced."""
        older = self.corrected(instead)
        if older is None or not is_grave(older.text):
            return ""
        new = plain(said_back(instead))
        return self._words.say("replace_grave", known=self._telling.plain(older), fact=new)

    def corrected(self, instead: str) -> Fact | None:
        """What is known of the same thing: the fact of the last answer before any other."""
        about = _telling_words(subject(instead))
        known = [*self._telling.facts, *self._store.nearest(instead, NEAR, person=self._shared.whose)]
        return next((each for each in known if about and about <= _telling_words(each.text)), None)

    def meant(self, what: str) -> list[Fact]:
        """The facts that are meant: with these words, or without any those of the answer before."""
        if what:
            about = _telling_words(what)
            known = self._store.nearest(what, NEAR, person=self._shared.whose)
            return [fact for fact in known if about and about <= _telling_words(fact.text)][:1]
        return self._telling.facts or self._answered_from()

    def _answered_from(self) -> list[Fact]:
        """The fact that the answer before was made of, though the model worded it."""
        said = self._shared.talk.last_said
        near = self._store.nearest(said, NEAR, person=self._shared.whose) if said else []
        held = ((fact, _telling_words(fact.text)) for fact in near)
        return [fact for fact, words in held if len(words & words_of(said)) > HELD * len(words)][:1]

    def _one(self, what: str) -> Fact:
        """Raises CannotBeDone for none; BadArgument, which asks, for several."""
        found = self.meant(what)
        if not found:
            what = plain(said_back(what))
            key = "nothing_about" if what else "told_nothing"
            raise CannotBeDone(self._words.say(key, what=what))
        if len(found) == 1:
            return found[0]
        names = "; ".join(map(self._telling.plain, found[:NAMED]))
        raise BadArgument(self._words.say("which", names=names), remedy="name one in its own words", asks_for="what")

    def _why(self, fact: Fact, origin: Exchange | None) -> str:
        if origin is None:
            told = self._telling.plain(fact)
            return self._words.say("why_known", day=self._shared.day(fact.at), fact=told)
        values = {"day": self._shared.day(origin.at), "line": sentence(_shortened(origin.heard))}
        if fact.confidence < 1:
            return self._words.say("why_gathered", **values)
        if origin.person not in ("", self._shared.talk.person):
            return self._words.say("why_said_by", name=origin.person, **values)
        return self._words.say("why_said", **values)

    def _former(self, fact: Fact, former: Former) -> str:
        text = self._telling.plain(Fact(fact.id, former.text, fact.kind, former.since, fact.person))
        return self._words.say(
            "was_before", fact=text, since=self._shared.day(former.since), until=self._shared.day(former.until)
        )


def _shortened(line: str) -> str:
    words: Sequence[str] = line.split()
    return " ".join(words[:QUOTED_WORDS])


def _telling_words(text: str) -> set[str]:
    """Those that tell what it is about."""
    return {word for word in words_of(text) if word not in EMPTY}
