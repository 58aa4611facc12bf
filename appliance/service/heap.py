"""How the C library hands out memory in this process."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from contextlib import suppress

_ARENA_MAX = -8
"""M_ARENA_MAX of glibc's malloc.h."""
EVERY_S = 60.0
"""Between two times at which what is free is given back."""


def share() -> None:
    """Have all threads allocate from one heap; to be called before they do.

    By default glibc gives each thread its own (8 a core at most), and each keeps what was once freed in it: the models
    are loaded by one thread and used by others. 439 instead of 502 MB at the peak of four spoken turns, without the
    process of the language model (profile pi4, 2 EPYC cores, 2026-11-24). Other C libraries have no such heaps.
    """
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Have the C library give the system what is free between what is in use. Other C libraries do so by themselves."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class Slack:
    """Gives back, once a minute while nobody is served, what models have left in the heap.

    Without it a voice leaves 12 to 47 MB of holes there, another number after each hundred clauses; with it the process
    keeps its size within 1 MB over 1,000 of them. It takes 2 to 5 ms (2 EPYC cores, 2026-11-28).
    """

    def __init__(self, at_rest: Callable[[], bool], give: Callable[[], None] = give_back) -> None:
        self._at_rest, self._give, self._next_s = at_rest, give, time.monotonic() + EVERY_S

    def each_round(self) -> None:
        now_s = time.monotonic()
        if now_s >= self._next_s and self._at_rest():
            self._next_s = now_s + EVERY_S
            self._give()
