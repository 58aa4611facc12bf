"""What all tools of memory work with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from appliance.errors import CannotBeDone
from appliance.language.dates import spoken_past_day
from appliance.language.speaker import speaker
from appliance.ports import Clock, Exchange, MemoryStore, NobodyTalks, PrivateMode, Spoken, Talking
from appliance.skills.memory.words import ALL, words_of
from appliance.skills.written import Words

CONVERSATION_H = 24
"""No conversation is looked for further back. A judgement: it ends after minutes of silence."""
REVIEWED = "reviewed"
"""Of a step of a turn (records.py)."""
MOST_EXCHANGES = 200
"""Looked at of one conversation."""


class NeverPrivate:
    """Implements ports.PrivateMode where nobody asked for it."""

    on, until, ran_out = False, None, False

    def begin(self, until: datetime | None = None) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True)
class Shared:
    store: MemoryStore
    clock: Clock
    words: Words
    language: str
    talk: Talking = NobodyTalks()  # noqa: RUF009
    private: PrivateMode = NeverPrivate()  # noqa: RUF009

    @property
    def whose(self) -> str | None:
        """Whose memory counts besides the household's: who speaks, or everybody where nobody said who it is."""
        return self.talk.person or None

    @property
    def keeper(self) -> str:
        """Whose a new fact is: that of the voice that is heard, whatever name it gives; empty for an unknown one."""
        return self.talk.person if self.talk.hears is None else self.talk.hears

    def withheld(self, topic: str, most: int) -> str:
        """Whose what is looked for is, where it may not be told to whoever speaks; empty where it is nobody's."""
        about, kept = words_of(topic) - ALL, self.store.withheld(topic, most)
        return next((fact.person for fact in kept if about & words_of(fact.text)), "")

    def for_whom(self, answer: str) -> Spoken:
        """Behind it that everybody may be told, where the voice is nobody's: it may be somebody's all the same."""
        return Spoken(f"{answer} {self.words.say('for_all')}" if self.talk.hears == "" else answer)

    def may_keep(self) -> None:
        """Raises CannotBeDone in private mode."""
        if self.private.on:
            raise CannotBeDone(self.words.say("private_keeps_nothing"))

    def day(self, at: datetime) -> str:
        """As it is said: today, on Tuesday, on 3 March."""
        now = self.clock.now()
        return spoken_past_day(at.astimezone(now.tzinfo).date(), now.date(), self.language)

    def spoken_now(self) -> list[Exchange]:
        """Those of this conversation, the first first."""
        now = self.clock.now()
        since = now - timedelta(hours=CONVERSATION_H)
        spoken = self.store.exchanges_between(since, now + timedelta(seconds=1), MOST_EXCHANGES)
        return [each for each in spoken if each.conversation == self.talk.id]

    def told_now(self) -> list[Exchange]:
        """What was told of the speaker in this conversation, and made no fact."""
        spoken, tells = self.spoken_now(), speaker(self.language).tells
        kept = {fact.source for fact in self.store.facts()} if spoken else set()
        return [each for each in spoken if each.id not in kept and not _is_order(each) and tells(each.heard)]


def _is_order(exchange: Exchange) -> bool:
    """Whether a tool did what it asks for; a reviewed sentence only answers what was told."""
    return any(use.get("kind") != REVIEWED for use in exchange.tools)
