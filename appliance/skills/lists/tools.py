"""Putting things on lists, reading them, ticking them and taking them off, in the words of a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import Joint, spoken_list
from appliance.ports import Spoken
from appliance.skills.lists.kept import Entries, Entry, Lists
from appliance.skills.lists.naming import SHOPPING, TO_DO, Naming
from appliance.skills.lists.things import Things
from appliance.skills.written import Words

PART = 7
"""Things read in one answer: more are not kept in mind while listening."""
MOST, MOST_LISTS = 200, 50
"""Things on a list, and lists: more are a model in a loop, not a household."""

Items = Annotated[str, Field(max_length=300)]
"""One thing or several, as they were said."""
ListName = Annotated[str, Field(max_length=60)]


class ListTools:
    def __init__(self, lists: Lists, naming: Naming, things: Things, phrases: Words) -> None:
        self._lists, self._naming, self._things, self._phrases = lists, naming, things, phrases
        self._read = ("", 0)
        """The list that was read last, and how many things of it."""

    def add_to_list(
        self,
        item: Annotated[str, Field(max_length=300, description="one or several, with commas")],
        list: ListName = "",
    ) -> Spoken:
        """Put things on a list."""
        every = self._lists.all()
        name = self._naming.among(list, every) or (TO_DO if self._things.is_task(item) else SHOPPING)
        things = self._given(item, name)
        there = every.get(name, ())
        held = [thing for thing in things if self._open(thing, there)]
        new = [thing for thing in things if thing not in held]
        if new:
            self._keep(name, [*(each for each in there if not self._any_same(each, new)), *map(Entry, new)], every)
        is_new = name not in {SHOPPING, TO_DO, *every}
        told = [self._told("added_new" if is_new else "added", name, new)] if new else []
        return Spoken(" ".join([*told, *([self._told("had", name, held)] if held else [])]))

    def read_list(
        self,
        list: ListName = "",
        item: Annotated[str, Field(max_length=100, description="to look for")] = "",
        rest: bool = False,
    ) -> Spoken:
        """Tell what is on a list.

        rest: what was not read yet of the one that was read last.
        """
        every = self._lists.all()
        if item:
            return self._whether(item, self._naming.among(list, every), every)
        if rest:
            return self._from_rest(self._naming.among(list, every), every)
        if self._naming.means_every(list) and every:
            return self._phrases.say("lists", lists=self._counted(every))
        name = self._chosen(list, every)
        return self._aloud(name, every.get(name, ()), 0)

    def remove_from_list(self, item: Items, list: ListName = "") -> Spoken:
        """Take things off a list."""
        every = self._lists.all()
        if self._naming.means_every(item):
            raise CannotBeDone(self._phrases.say("clear_first", list=self._naming.told(self._chosen(list, every))))
        name, things = self._where(item, list, every)
        gone, lacking = self._meant(things, every[name])
        if gone:
            self._lists.put(name, [each for each in every[name] if each not in gone])
        return self._of_each(name, (("removed", _texts(gone)), ("not_there", lacking)))

    def complete_item(self, item: Items, list: ListName = "") -> Spoken:
        """Tick off what is done or bought."""
        every = self._lists.all()
        name, things = self._where(item, list, every)
        meant, lacking = self._meant(things, every[name])
        before, now = ([each for each in meant if each.done is done] for done in (True, False))
        if now:
            self._lists.put(name, [replace(each, done=each.done or each in now) for each in every[name]])
        told = (("completed", _texts(now)), ("completed_before", _texts(before)), ("not_there", lacking))
        return self._of_each(name, told)

    def create_list(self, list: ListName = "") -> Spoken:
        """Make a new list."""
        every, name = self._lists.all(), self._naming.named(list)
        if not name:
            raise BadArgument(self._phrases.say("name_what"))
        name = self._naming.among(list, every)
        made = name not in every
        if made:
            self._keep(name, (), every)
        return self._phrases.say("created" if made else "created_before", list=self._naming.told(name))

    def clear_list(self, list: ListName = "") -> Spoken:
        """Throw away all that is on a list."""
        name, _ = self._to_clear(list)
        self._lists.put(name, None)
        return self._phrases.say("cleared", list=self._naming.told(name))

    def whether_to_clear(self, list: str = "") -> str:
        """The question before `clear_list`, with what would go. Raises as it does where nothing would."""
        name, entries = self._to_clear(list)
        return self._number("clear", name, len(entries))

    def names(self) -> Sequence[str]:
        """What the lists are called, in every way."""
        return self._naming.phrases(tuple(self._lists.all()))

    def known(self) -> Sequence[str]:
        """The names that the user gave lists."""
        return [name for name in self._lists.all() if name not in (SHOPPING, TO_DO)]

    def _given(self, item: str, name: str) -> list[str]:
        """The things that were said. Raises BadArgument without any."""
        if things := self._things.each(item, tasks=name == TO_DO):
            return things
        raise BadArgument(self._phrases.say("add_what"))

    def _keep(self, name: str, entries: Entries, every: Mapping[str, Entries]) -> None:
        """Raises CannotBeDone where there is no room for it."""
        if len(entries) > MOST:
            raise CannotBeDone(self._phrases.say("full", list=self._naming.told(name)))
        if name not in every and len(every) >= MOST_LISTS:
            raise CannotBeDone(self._phrases.say("too_many"))
        self._lists.put(name, entries)

    def _open(self, thing: str, entries: Entries) -> bool:
        """Whether it stands there and is not ticked."""
        return any(self._things.same(thing, each.text) and not each.done for each in entries)

    def _any_same(self, entry: Entry, things: Iterable[str]) -> bool:
        return any(self._things.same(thing, entry.text) for thing in things)

    def _chosen(self, said: str, every: Mapping[str, Entries]) -> str:
        """The list that was named, or the only one that holds anything. Raises BadArgument, which asks which."""
        if name := self._naming.among(said, every):
            return self._known(name, every)
        full = {name: entries for name, entries in every.items() if entries}
        return self._only(full) if full else SHOPPING

    def _only(self, every: Mapping[str, Entries]) -> str:
        """Raises BadArgument, which asks which, for several."""
        if len(every) > 1:
            raise BadArgument(self._phrases.say("which_list", lists=self._counted(every, "or")))
        return next(iter(every))

    def _known(self, name: str, every: Mapping[str, Entries]) -> str:
        """Raises CannotBeDone for a list that was never made; shopping and to do are always there."""
        if name in every or name in (SHOPPING, TO_DO):
            return name
        raise CannotBeDone(self._phrases.say("no_list", list=self._naming.told(name)))

    def _to_clear(self, said: str) -> tuple[str, Entries]:
        every = self._lists.all()
        name = self._chosen(said, every)
        if name not in every:
            raise CannotBeDone(self._phrases.say("empty", list=self._naming.told(name)))
        return name, every[name]

    def _where(self, item: str, said: str, every: Mapping[str, Entries]) -> tuple[str, list[str]]:
        """The list that holds the things, and the things. Raises CannotBeDone where none does, BadArgument to ask."""
        if not self._things.each(item):
            raise BadArgument(self._phrases.say("which_thing"))
        named = self._naming.among(said, every)
        if named and self._known(named, every) in every:
            return named, self._things.each(item, tasks=named == TO_DO)
        holding = {} if named else {name: held for name in every if (held := self._held(item, name, every[name]))}
        if not holding:
            lists = {"list": self._naming.told(named)} if named else {}
            raise CannotBeDone(self._phrases.say("not_there" if named else "not_anywhere", items=item, **lists))
        name = self._only({name: every[name] for name in holding})
        return name, holding[name]

    def _held(self, item: str, name: str, entries: Entries) -> list[str]:
        """The things that were said, where the list holds any of them; else none."""
        things = self._things.each(item, tasks=name == TO_DO)
        return things if any(self._things.found(thing, entries) for thing in things) else []

    def _meant(self, things: Sequence[str], entries: Entries) -> tuple[list[Entry], list[str]]:
        """What stands there of the things, and which of them do not. Raises BadArgument that asks which is meant."""
        meant, lacking = list[Entry](), list[str]()
        for thing in things:
            found = self._things.found(thing, entries)
            if len(found) > 1:
                raise BadArgument(self._phrases.say("which_item", items=self._joined(_texts(found), "or")))
            meant += found
            lacking += [] if found else [thing]
        return meant, lacking

    def _whether(self, item: str, name: str, every: Mapping[str, Entries]) -> Spoken:
        """Whether something is on that list, or on any where none was named."""
        for each in [self._known(name, every)] if name else every:
            if found := self._things.found(item, every.get(each, ())):
                return self._told("has_done" if found[0].done else "has", each, _texts(found))
        return self._told("lacks", name, [item]) if name else self._phrases.say("lacks_all", items=item)

    def _from_rest(self, name: str, every: Mapping[str, Entries]) -> Spoken:
        """What was not read yet of the list that was read last."""
        last, read = self._read
        if name not in ("", last) or last not in every:
            read = 0
        name = self._chosen(name, every) if name else last
        left = _undone(every.get(name, ()))[read:]
        return self._aloud(name, every[name], read) if left else self._phrases.say("no_rest")

    def _aloud(self, name: str, entries: Entries, begin: int) -> Spoken:
        """A part of it; what is done is not read."""
        undone = _undone(entries)
        part = _texts(undone[begin : begin + PART])
        self._read = (name, begin + len(part))
        if not part:
            return self._phrases.say("all_done" if entries else "empty", list=self._naming.told(name))
        more = len(undone) - begin - len(part)
        return self._told("read_part" if more else "read", name, part, count=more)

    def _counted(self, every: Mapping[str, Entries], joint: Joint = "standard") -> str:
        counts = {name: len(_undone(entries)) for name, entries in every.items()}
        return self._joined([self._number("counted", name, count) for name, count in counts.items()], joint)

    def _number(self, key: str, name: str, count: int) -> str:
        """The phrase for so many things; that for none or for one where there is such."""
        form = f"{key}_{count}"
        return self._phrases.say(
            form if form in self._phrases.phrases else key, list=self._naming.told(name), count=count
        )

    def _told(self, key: str, name: str, things: Sequence[str], count: int = 0) -> Spoken:
        items, told = ", ".join(things) if count else self._joined(things), self._naming.told(name)
        return self._phrases.say(key, items=items, list=told, count=count)

    def _of_each(self, name: str, told: Iterable[tuple[str, Sequence[str]]]) -> Spoken:
        """A sentence for each phrase that has anything to tell. Raises CannotBeDone where only a lack is told."""
        said = {key: self._told(key, name, things) for key, things in told if things}
        if said.keys() == {"not_there"}:
            raise CannotBeDone(said["not_there"])
        return Spoken(" ".join(said.values()))

    def _joined(self, parts: Sequence[str], joint: Joint = "standard") -> str:
        return spoken_list(parts, self._phrases.language, joint)


def _undone(entries: Entries) -> list[Entry]:
    return [each for each in entries if not each.done]


def _texts(entries: Entries) -> list[str]:
    return [each.text for each in entries]
