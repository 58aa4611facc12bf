"""What is put on lists: several things in one breath taken apart, and one of them found again."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from appliance.language.words import alternatives
from appliance.ports import SOUNDS_MIN, SoundOf
from appliance.skills.lists.kept import Entries, Entry

_ALIKE, _LETTERS = 0.85, 6
"""difflib ratio, and letters, from which a thing may be misspelt: "tomatos" is tomatoes, "pears" is not peas."""

_ENDS = re.compile(r"^[\s.!?:\"']+|[\s.!?:\"']+$")


class Things:
    def __init__(self, said: Mapping[str, Any], sound_of: SoundOf = str.casefold) -> None:
        """said: the content of words/<language>.yaml."""
        joints, pairs = alternatives(said["and"]), alternatives(said["pairs"] or ["-"])
        self._joint = re.compile(rf"\b(?P<one>{pairs})\b|\s+(?:{joints})\s+|\s*[,;]+\s*", re.IGNORECASE)
        self._comma = re.compile(r"\s*[,;]+\s*")
        self._lead = re.compile(rf"(?:(?:{alternatives([*said['lead'], *said['and']])})\s+)+(?=\w)", re.IGNORECASE)
        self._pronouns, self._tasks = frozenset(said["pronouns"]), frozenset(said["tasks"])
        self._sound_of = sound_of

    def each(self, said: str, tasks: bool = False) -> list[str]:
        """The things in "milk, eggs and a dozen bananas", each once and with its amount; none of "it".

        tasks: "and" stands within one, as in "call mum and dad", unless there are commas as well.
        """
        joint = self._comma if tasks and not self._comma.search(said) else self._joint
        cuts = [(0, 0), *(found.span() for found in joint.finditer(said) if not found.groupdict().get("one"))]
        ends = [*(begin for begin, _ in cuts[1:]), len(said)]
        parts = [self._plain(said[begin:end]) for (_, begin), end in zip(cuts, ends, strict=True)]
        named = {part.casefold(): part for part in reversed(parts) if part and part.casefold() not in self._pronouns}
        return [*reversed(named.values())]

    def is_task(self, said: str) -> bool:
        """Whether it begins with a word for something to do, such as "call"."""
        return next(iter(self._plain(said).casefold().split()), "") in self._tasks

    def same(self, one: str, other: str) -> bool:
        return self._words(one) == self._words(other)

    def found(self, said: str, entries: Entries) -> list[Entry]:
        """Those of `entries` that it may mean, by the first way that finds any; what is still to be done goes first."""
        words = self._words(said)
        sound = self._sound_of(" ".join(words))
        ways: Sequence[Callable[[str], bool]] = (
            lambda text: self._words(text) == words,
            lambda text: _stems(words) <= _stems(self._words(text)),
            lambda text: _misspelt(" ".join(words), " ".join(self._words(text))),
            lambda text: len(sound) >= SOUNDS_MIN and sound == self._sound_of(" ".join(self._words(text))),
        )
        for way in ways if words else ():
            found = [entry for entry in entries if way(entry.text)]
            if found:
                return [entry for entry in found if not entry.done] or found
        return []

    def _plain(self, said: str) -> str:
        """Without "some" before it and a full stop behind it."""
        text = _ENDS.sub("", said)
        return self._lead.sub("", text, count=1) if self._lead.match(text) else text

    def _words(self, text: str) -> list[str]:
        return re.findall(r"\w+", self._plain(text).casefold())


def _stems(words: Sequence[str]) -> set[str]:
    """Of one and of many: egg and eggs."""
    return {word.removesuffix("s") for word in words}


def _misspelt(said: str, text: str) -> bool:
    return min(len(said), len(text)) >= _LETTERS and difflib.SequenceMatcher(None, said, text).ratio() >= _ALIKE
