"""Which of several boxes that heard one wake word answers. Values in, a value out: no clock, no network.

Each box decides by itself. It gives way to a better wake and to a box that answers already; one that answers stays with
that. So whatever is late or lost, at least one answers: of those that wait the best hears of none that is better, and
nobody gives way to an answer that there is not. And where every message takes less than half of WINDOW_S, less a frame,
exactly one does: who is the second to answer would have heard in time that the first one does, or the first one of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from appliance.ports import Told, Wake

WINDOW_S = 0.15
"""For which a box waits for what the others heard (spec/hub.md, by the issue); nobody notices it: the wake event comes
30 to 230 ms after the word's end anyhow, and what is said meanwhile is kept (listen.py)."""
MOMENT_S = 0.5
"""Wakes no further apart are of one word: of one word the event comes 30 to 460 ms after its end (listen.py), and sound
goes 10 m in 30 ms."""
SCORE_DB = 10.0
"""What a whole point of the score counts, in dB of the level. A judgement: where the word is clear the score is near 1,
so that the level decides; where it is not, it is between 0.5 and 1."""


def better(one: Wake, other: Wake) -> bool:
    """Of two different boxes, whether the first is to answer rather than the second: a total order."""
    return _merit(one) > _merit(other)


def winner(own: Wake, at_s: float, told: Iterable[Told]) -> Wake | None:
    """To which of the others this box gives way, having heard the word itself at `at_s`; None to none so far."""
    now = (each.wake for each in told if abs(each.at_s - at_s) <= MOMENT_S)
    same = (wake for wake in now if wake.word == own.word and wake.box != own.box)
    return next((wake for wake in same if wake.took or better(wake, own)), None)


def _merit(wake: Wake) -> tuple[float, str]:
    return round(wake.level_db + SCORE_DB * wake.score, 1), wake.box
