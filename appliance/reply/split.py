"""A line that holds several requests, cut into them: each side of a cut has to call for a tool by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from appliance.reply.line import Line

CALLS = 0.5
"""How likely a part must call for some tool, or for general knowledge, to be a request of its own; a judgement."""
BESIDE = 0.3
"""The same beside a part that a sentence takes whole, which is a request for certain: for another tool than that one's,
for what may mean the same goes on with it, as "and call it pasta" does."""
NAMED = 2
"""Telling words of a request of its own (Line.named)."""
MOST_CUTS = 4
"""Of a line that is cut; one with more joints is a story."""

Cuts = Callable[[str], Iterator[tuple[str, str]]]
"""The two sides of each joint of a text: "and", "then", a full stop."""


def requests(line: Line, cuts: Cuts, read: Callable[[str], Line], known: Callable[[str], bool]) -> list[Line]:
    """The requests of a line in their order; the line alone where it is one.

    known: whether a sentence takes all of a text.
    """
    joints = list(cuts(line.text))
    for left, right in joints if len(joints) <= MOST_CUTS else ():
        first, rest = read(left), read(right)
        whole = [known(part.text) for part in (first, rest)]
        least = BESIDE if any(whole) and _likeliest(first) != _likeliest(rest) else CALLS
        if all(taken or _calls(part, least) for taken, part in zip(whole, (first, rest), strict=True)):
            return [first, *requests(rest, cuts, read, known)]
    return [line]


def _likeliest(part: Line) -> str:
    """The tool that it most likely calls for."""
    return max(part.scores, key=lambda name: part.scores[name], default="")


def _calls(part: Line, least: float) -> bool:
    """Whether it calls for something, and names something: "remember that" goes with what stands before it."""
    return part.named >= NAMED and max(part.world, part.wanted) >= least
