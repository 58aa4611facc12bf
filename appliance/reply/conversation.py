"""The conversations that are going on: the box's own, and those that other devices began. One is taken up at a time."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Any, Generic, Literal, TypeVar, overload

from appliance.ports import Message
from appliance.reply.ledger import CurrentLedger
from appliance.reply.talk import Carried, Talk

OVER_KEPT = 256
"""Keys of conversations that are over and were not ended: whoever goes on with one is told that it is too late."""

T = TypeVar("T")


class _OfTalk(Generic[T]):
    """An attribute of the conversation that is taken up."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, conversation: None, owner: type) -> _OfTalk[T]: ...
    @overload
    def __get__(self, conversation: Conversation, owner: type) -> T: ...
    def __get__(self, conversation: Conversation | None, owner: type) -> Any:
        return self if conversation is None else getattr(conversation.talk, self._name)

    def __set__(self, conversation: Conversation, value: T) -> None:
        setattr(conversation.talk, self._name, value)


class Conversation:
    """Turns no further apart than `gap_s`; after a longer silence the next turn starts a new one.

    For the thread that thinks, but for `ledger`. What each of the conversations comes to is a `Talk`; the parts of the
    engine read that of the one which is taken up, and none of another.
    """

    id = _OfTalk[str]()
    person = _OfTalk[str]()
    messages = _OfTalk[list[Message]]()
    talked = _OfTalk[list[Message]]()
    tainted = _OfTalk[bool]()
    carried = _OfTalk[Carried]()
    last_said = _OfTalk[str]()
    with_owner = _OfTalk[bool]()
    wishes = _OfTalk[Any]()

    def __init__(self, gap_s: float, results_kept: int, others_most: int = 32) -> None:
        """others_most: conversations beside the box's own; the one that rested longest makes room."""
        self._gap_s, self._results_kept, self._others_most = gap_s, results_kept, others_most
        self.own = Talk(results_kept)
        """The box's own, which is never over: it begins anew."""
        self.talk = self.own
        """The one that is taken up."""
        self.hears: str | None = None
        """Whose voice the turn is of, as ports.Talking has it: decides what may be told."""
        self.ledger = CurrentLedger(lambda: self.talk.ledger)
        self._others = OrderedDict[str, Talk]()
        """By key, the one that was taken up last at the end."""
        self._over = deque[str](maxlen=OVER_KEPT)

    @property
    def at_box(self) -> bool:
        return self.talk.client is None

    def begin(self) -> None:
        """Start a new one in the place of the one that is taken up: nothing of it is left."""
        self.talk.begin()

    def resume(self, now_s: float, with_owner: bool | None = None) -> None:
        """Take up the box's own: somebody speaks, is about to, or was answered. A new one is begun if the last time was
        too long ago.

        So it is between owner and guest: neither hears what the other was told, nor says yes for them.
        now_s: monotonic seconds.  with_owner: None where it is not known who.
        """
        talk = self.talk = self.own
        if other := with_owner is not None and with_owner != talk.with_owner:
            talk.last_said = ""
        if other or self._is_over(talk, now_s):
            talk.begin()
        talk.last_s, talk.with_owner = now_s, talk.with_owner if with_owner is None else with_owner
        self.hears = talk.voice

    def take_up_own(self) -> None:
        """Nothing of it changes: nobody speaks in it."""
        self.talk = self.own
        self.hears = self.talk.voice

    def speaks(self, voice: str | None) -> None:
        """Whose voice the turn is of; another one's than before finds nothing that was said to that one."""
        if voice != self.talk.voice:
            self.talk.hand_over(voice)
        elif voice and self.talk.client is None:
            self.talk.person = voice
        self.hears = voice

    def answers(self) -> None:
        """A voice that nobody knows gave the answer that another one was asked for: "yes" is too short to tell whose.

        It counts as theirs.
        """
        if self.hears == "" and (asked := self.carried.asked_of):
            self.hears = self.talk.voice = asked
            if self.talk.client is None:
                self.talk.person = asked

    def lift(self) -> None:
        """Nobody is heard: for what the box does by itself, and for whoever commands it in writing."""
        self.hears = None

    def open(self, key: str, talk: Talk, now_s: float) -> None:
        """Another device begins one; one of that key is forgotten."""
        self.end(key)
        self._sweep(now_s)
        while len(self._others) >= self._others_most:
            self._over.append(self._others.popitem(last=False)[0])
        self._others[key], talk.last_s = talk, now_s

    def take_up(self, key: str, now_s: float) -> Literal["", "unknown", "over"]:
        """Go on with another device's; why that cannot be, if it cannot."""
        self._sweep(now_s)
        if key not in self._others:
            return "over" if key in self._over else "unknown"
        self._others.move_to_end(key)
        self.talk = self._others[key]
        self.talk.last_s, self.hears = now_s, self.talk.voice
        return ""

    def end(self, key: str) -> bool:
        """Forget another device's; whether there was one."""
        if key in self._over:
            self._over.remove(key)
        talk = self._others.pop(key, None)
        if talk is self.talk:
            self.talk = self.own
        return talk is not None

    def add(self, messages: list[Message], line: Message, said: str) -> None:
        """See Talk.add."""
        self.talk.add(messages, line, said)

    def forget_older_half(self) -> bool:
        """See Talk.forget_older_half."""
        return self.talk.forget_older_half()

    def forget_words(self) -> None:
        """In all of them: whatever is to be forgotten may have been said in any."""
        for talk in self._all():
            talk.forget_words()

    def forget_facts(self) -> None:
        """Likewise."""
        for talk in self._all():
            talk.forget_facts()

    def _all(self) -> Iterator[Talk]:
        yield self.own
        yield from self._others.values()

    def _sweep(self, now_s: float) -> None:
        for key in [key for key, talk in self._others.items() if self._is_over(talk, now_s)]:
            if self._others.pop(key) is self.talk:
                self.talk = self.own
            self._over.append(key)

    def _is_over(self, talk: Talk, now_s: float) -> bool:
        return talk.last_s is not None and now_s - talk.last_s > self._gap_s
