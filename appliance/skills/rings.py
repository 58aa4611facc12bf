"""What rings, of all skills together: the service has one voice for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from appliance.ports import Ended, KeptAlarms, Rings, Wording


@dataclass(frozen=True)
class Owned:
    """What ended, and which of the skills it belongs to: each counts its own. Implements ports.Ended."""

    owner: int
    ended: Ended

    @property
    def id(self) -> tuple[int, Any]:
        return self.owner, self.ended.id

    @property
    def rang(self) -> bool:
        return self.ended.rang


class _Alarms:
    """Implements ports.KeptAlarms. What it is given back goes to the skill that it came from."""

    def __init__(self, each: Sequence[KeptAlarms[Any]]) -> None:
        self._each = each

    def all(self) -> list[Owned]:
        return self._of(lambda alarms: alarms.all())

    def due(self) -> list[Owned]:
        return self._of(lambda alarms: alarms.due())

    def ringing(self) -> list[Owned]:
        return self._of(lambda alarms: alarms.ringing())

    def missed(self) -> list[Owned]:
        return self._of(lambda alarms: alarms.missed())

    def next_due_in(self) -> float | None:
        return min((left for alarms in self._each if (left := alarms.next_due_in()) is not None), default=None)

    def done(self, *ended: Owned) -> None:
        for owner, theirs in _by_owner(ended):
            self._each[owner].done(*theirs)

    def miss(self, *ended: Owned, rang: bool) -> None:
        for owner, theirs in _by_owner(ended):
            self._each[owner].miss(*theirs, rang=rang)

    def can_snooze(self) -> bool:
        return any(alarms.can_snooze() for alarms in self._each)

    def snooze(self, seconds: float) -> int:
        return sum(alarms.snooze(seconds) for alarms in self._each)

    def _of(self, those: Callable[[KeptAlarms[Any]], list[Any]]) -> list[Owned]:
        return [Owned(owner, ended) for owner, alarms in enumerate(self._each) for ended in those(alarms)]


class _Words:
    """Implements ports.Wording."""

    def __init__(self, each: Sequence[Wording[Any]]) -> None:
        self._each = each

    def sentence(self, ended: Owned, /) -> str:
        return self._each[ended.owner].sentence(ended.ended)

    def missed(self, ended: Sequence[Owned], /) -> str:
        return " ".join(self._each[owner].missed(theirs) for owner, theirs in _by_owner(ended))


def together(each: Sequence[Rings[Any]]) -> Rings[Owned]:
    """As if one skill rang all of it. Of none, nothing ever rings."""
    return Rings(
        _Alarms([rings.alarms for rings in each]),
        _Words([rings.telling for rings in each]),
        lambda: [name for rings in each for name in rings.running()],
        lambda owned: each[owned.owner].plays(owned.ended),
    )


def _by_owner(ended: Sequence[Owned]) -> Iterator[tuple[int, list[Any]]]:
    for owner, theirs in groupby(sorted(ended, key=lambda each: each.owner), key=lambda each: each.owner):
        yield owner, [each.ended for each in theirs]
