"""Which timers are meant: by name, length, order, or all of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from appliance.errors import BadArgument, CannotBeDone
from appliance.language import durations
from appliance.ports import SOUNDS_MIN, SoundOf, Timer
from appliance.skills.timers.words import TimerWords

_ALIKE = 0.75
"""difflib ratio from which a label is taken to be misheard, not another: "posta" is the pasta timer, "egg" is not."""

_ENDINGS = frozenset(["s", "es", "'s", "n", "en", "ns", "ens", "t", "et", "ts", "ets", "er", "ers"])
"""Of a name in the genitive or with its article behind it, as in the Swedish "kökets", of the timer called Kök."""
_SHORTEST = 3
"""Letters of a name that has one."""


class Which:
    def __init__(self, left: Callable[[Timer], float], words: TimerWords, sound_of: SoundOf = str.casefold) -> None:
        """left: seconds of a timer."""
        self._left, self._say, self._sound_of = left, words, sound_of
        self._all, self._noise, self._order = words.means

    def found(self, label: str, timers: list[Timer]) -> list[Timer]:
        """Every one of `timers`, soonest first, that `label` may mean; all for an empty one.

        Raises CannotBeDone without any timer, BadArgument where none is meant.
        """
        if not timers:
            raise CannotBeDone(self._say.begin("none"))
        words = [word for word in self._words(label) if word not in self._all]
        if not words:
            return timers
        if found := self._in_order(words, timers) or self._matching(words, label, timers):
            return found
        names = self._say.listed([self._say.standing(timer, 0, form="the") for timer in timers])
        length = self._length(label)
        said = durations.as_name(length, self._say.language) if length else " ".join(words)
        raise BadArgument(self._say.begin("not_there", said=said, each=names), remedy="name one that is running")

    def meant(self, label: str, timers: list[Timer]) -> list[Timer]:
        """As `found`, but several only where `label` asks for all; else it raises BadArgument, which asks for one."""
        found = self.found(label, timers)
        if len(found) == 1 or self._all & set(self._words(label)):
            return found
        alike = len({self._say.name(timer) for timer in found}) < len(found)
        form = "apart" if alike else "the"
        each = [self._say.standing(timer, self._left(timer), form=form) for timer in found]
        question = self._say.begin("which", count=len(found), each=self._say.listed(each))
        raise BadArgument(question, remedy="name one")

    def _matching(self, words: list[str], label: str, timers: list[Timer]) -> list[Timer]:
        """By label, else by length, else by a label written or spoken like it; the first way that finds any."""
        seconds = self._length(label)
        said = " ".join(words)
        sound = self._sound_of(said)
        ways: tuple[Callable[[Timer], bool], ...] = (
            lambda timer: words == self._words(timer.label),
            lambda timer: set(words) <= set(self._words(timer.label)),
            lambda timer: seconds is not None and abs(timer.seconds - seconds) < 1,
            lambda timer: _is_inflected(said, timer.label.lower()),
            lambda timer: difflib.SequenceMatcher(None, said, timer.label.lower()).ratio() >= _ALIKE,
            lambda timer: len(sound) >= SOUNDS_MIN and sound == self._sound_of(timer.label),
        )
        for way in ways:
            if found := [timer for timer in timers if way(timer)]:
                return found
        return []

    def _length(self, label: str) -> float | None:
        """Seconds; a whole sentence in another language gives a length in English too."""
        return durations.parse_duration(label, self._say.language) or durations.parse_duration(label)

    def _in_order(self, words: list[str], timers: list[Timer]) -> list[Timer]:
        """The second one, the last kitchen timer; none where the word of order is in a name."""
        place = self._order.get(words[0])
        if place is None or any(words[0] in self._words(timer.label) for timer in timers):
            return []
        among = [timer for timer in timers if set(words[1:]) <= set(self._words(timer.label))]
        return [among[place]] if among and place < len(among) else []

    def _words(self, label: str) -> list[str]:
        return [word for word in re.findall(r"\w+", label.lower()) if word not in self._noise]


def _is_inflected(said: str, label: str) -> bool:
    return len(label) >= _SHORTEST and said.startswith(label) and said.removeprefix(label) in _ENDINGS
