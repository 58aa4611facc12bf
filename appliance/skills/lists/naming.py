"""What lists are called: "my groceries" is the shopping list, "the hardware store list" one of its own."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from typing import Any

from appliance.skills.written import Words

SHOPPING, TO_DO = "shopping", "to do"
"""Names under which these two are kept, in every language."""
_ALIKE = 0.85
"""difflib ratio from which a name is taken to be misheard: "hardwear" is hardware, at 0.88; "party" no pantry."""
_SHORTEST = 3
"""Letters of a name that stands before the word for a list, as in the German "Gästeliste"."""


class Naming:
    def __init__(self, said: Mapping[str, Any], phrases: Words) -> None:
        """said: the content of words/<language>.yaml."""
        self._before, self._lists = frozenset(said["before"]), tuple(said["list"])
        self._every, self._phrases = frozenset(said["every"]), phrases
        self._aliases = {
            self.key(alias): name for name, kind in ((SHOPPING, "shopping"), (TO_DO, "to_do")) for alias in said[kind]
        }

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
