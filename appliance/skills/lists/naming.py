"""What lists are called: "my groceries" is the shopping list, "the hardware store list" one of its own."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from appliance.skills.written import Words

SHOPPING, TO_DO = "shopping", "to do"
"""Names under which these two are kept, in every language."""
_ALIKE = 0.85
"""difflib ratio from which a name is taken to be misheard: "hardwear" is hardware, at 0.88; "party" no pantry."""
_SHORTEST = 3
"""Letters of a name that stands before the word for a list, as in the German "Gästeliste"."""


_ELIDED = "'"
"""The end of a word that no blank follows: d'achats."""


class Naming:
    def __init__(self, said: Mapping[str, Any], phrases: Words) -> None:
        """said: the content of words/<language>.yaml."""
        self._before, self._lists = frozenset(said["before"]), tuple(said["list"])
        self._every, self._phrases = frozenset(said["every"]), phrases
        self._called = (*said["shopping"], *said["to_do"])
        self._aliases = {
            self.key(alias): name for name, kind in ((SHOPPING, "shopping"), (TO_DO, "to_do")) for alias in said[kind]
        }
        self._named: Collection[str] | None = None
        self._ways: tuple[str, ...] = ()
        """Those of the names that were asked about last."""

    def named(self, said: str) -> str:
        """The name under which such a list is kept; empty for "my list", which names none."""
        return self._aliases.get(self.key(said), " ".join(self._words(said)))

    def among(self, said: str, names: Collection[str]) -> str:
        """As `named`; the one of `names` that it is, also where it was misheard. Week 11 is not week 12."""
        wanted = self.named(said)
        keys = {self.key(name): name for name in names if _figures(name) == _figures(wanted)}
        close = difflib.get_close_matches(self.key(wanted), keys if wanted else (), n=1, cutoff=_ALIKE)
        return keys[close[0]] if close and wanted not in (SHOPPING, TO_DO) else wanted

    def means_every(self, said: str) -> bool:
        """Whether it is of all the lists, or of all that is on one: "all my lists", "everything"."""
        return " ".join(word for word in said.casefold().split() if word not in self._before) in self._every

    def told(self, name: str) -> str:
        """As the box says it: shopping list, hardware store list."""
        if name in (SHOPPING, TO_DO):
            return self._phrases.say(name.replace(" ", "_"))
        return name if name.casefold().endswith(self._lists) else self._phrases.say("named", name=name)

    def phrases(self, names: Collection[str]) -> tuple[str, ...]:
        """Every way to call the shopping list, the one of things to do, and those of these names."""
        if names != self._named:
            said = sorted({*self._called, *names})
            self._named, self._ways = names, tuple(dict.fromkeys(way for name in said for way in self._each_way(name)))
        return self._ways

    def _each_way(self, name: str) -> Iterator[str]:
        """Tâches, liste tâches, liste des tâches; food list, foodlist."""
        yield name
        for word in self._lists:
            yield from (f"{word} {name}", f"{name} {word}", f"{name}{word}")
            yield from (f"{word} {of}{'' if of.endswith(_ELIDED) else ' '}{name}" for of in self._before)

    def _words(self, said: str) -> list[str]:
        """Those of its name, without "my" or "the list for the" before it and without a word for a list by itself."""
        words = re.findall(r"[^\s,.!?\"]+", said)
        while words and words[0].casefold() in {*self._before, *self._lists}:
            del words[0]
        return [word for word in words if word.casefold() not in self._lists]

    def key(self, said: str) -> str:
        """What two ways to write one name share: haushaltsliste and haushalt are the same."""
        words = self._words(said.casefold().replace("-", " "))
        ending = next((each for each in self._lists if words and words[-1].endswith(each)), "")
        if ending and len(words[-1]) >= len(ending) + _SHORTEST:
            words[-1] = words[-1].removesuffix(ending)
        return " ".join(words).rstrip("s")


def _figures(name: str) -> list[str]:
    return re.findall(r"\d+", name)
