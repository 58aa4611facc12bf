"""Which timers are meant: by name, length, order, or all of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from appliance.errors import BadArgument, CannotBeDone
from appliance.language import durations
from appliance.ports import SOUNDS_MIN, SoundOf, Timer
from appliance.skills.timers.countdowns import name_of

_ALL = {"all", "both", "every", "everything", "each"}
_NOISE = {"the", "my", "a", "an", "for", "of", "them", "one", "ones", "please", "timer", "timers", "that", "this", "it"}
_ORDER = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
"""Place in the order in which they are told, what ends soonest first."""
_ALIKE = 0.75
"""difflib ratio from which a label is taken to be misheard, not another: "posta" is the pasta timer, "egg" is not."""


class Which:
    def __init__(self, told: Callable[[Timer], str], sound_of: SoundOf = str.casefold) -> None:
        """`told`: what tells two timers of one name apart, such as how much is left."""
        self._told, self._sound_of = told, sound_of

    def found(self, label: str, timers: list[Timer]) -> list[Timer]:
        """Every one of `timers`, soonest first, that `label` may mean; all for an empty one.

        Raises CannotBeDone without any timer, BadArgument where none is meant.
        """
        if not timers:
            raise CannotBeDone("You have no timers.")
        words = [word for word in _words(label) if word not in _ALL]
        if not words:
            return timers
        if found := _in_order(words, timers) or self._matching(words, label, timers):
            return found
        names = _joined([f"the {name_of(timer)}" for timer in timers])
        length = durations.parse_duration(label)
        said = durations.as_name(length) if length else " ".join(words)
        raise BadArgument(f"There is no {said} timer, only {names}.", remedy="name one that is running")

    def meant(self, label: str, timers: list[Timer]) -> list[Timer]:
        """As `found`, but several only where `label` asks for all; else it raises BadArgument, which asks for one."""
        found = self.found(label, timers)
        if len(found) == 1 or _ALL & set(_words(label)):
            return found
        names = [name_of(timer) for timer in found]
        alike = len(set(names)) < len(names)
        apart = [f", which {self._told(timer)}" if alike else "" for timer in found]
        each = [f"the {name}{told}" for name, told in zip(names, apart, strict=True)]
        raise BadArgument(f"You have {len(found)} of them: {_joined(each)}. Which one?", remedy="name one")

    def _matching(self, words: list[str], label: str, timers: list[Timer]) -> list[Timer]:
        """By label, else by length, else by a label written or spoken like it; the first way that finds any."""
        seconds = durations.parse_duration(label)
        said = " ".join(words)
        sound = self._sound_of(said)
        ways: tuple[Callable[[Timer], bool], ...] = (
            lambda timer: words == _words(timer.label),
            lambda timer: set(words) <= set(_words(timer.label)),
            lambda timer: seconds is not None and abs(timer.seconds - seconds) < 1,
            lambda timer: difflib.SequenceMatcher(None, said, timer.label.lower()).ratio() >= _ALIKE,
            lambda timer: len(sound) >= SOUNDS_MIN and sound == self._sound_of(timer.label),
        )
        for way in ways:
            if found := [timer for timer in timers if way(timer)]:
                return found
        return []


def _in_order(words: list[str], timers: list[Timer]) -> list[Timer]:
    """The second one, the last kitchen timer; none where the word of order is in a name."""
    place = _ORDER.get(words[0])
    if place is None or any(words[0] in _words(timer.label) for timer in timers):
        return []
    among = [timer for timer in timers if set(words[1:]) <= set(_words(timer.label))]
    return [among[place]] if among and place < len(among) else []


def _words(label: str) -> list[str]:
    return [word for word in re.findall(r"\w+", label.lower()) if word not in _NOISE]


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
