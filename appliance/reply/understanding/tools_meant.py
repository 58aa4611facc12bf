"""What the words of a line say of each tool."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ToolSigns:
    """Names of tools."""

    known: frozenset[str] = frozenset()
    """All of which can be told whether a line calls for them: not those that the owner added."""
    unlikely: frozenset[str] = frozenset()
    """Nothing speaks for them."""
    faint: frozenset[str] = frozenset()
    """Hardly meant by a line that is no order: not for what changes something."""
    meant: frozenset[str] = frozenset()
    """Likely, whatever words were used."""
    possible: frozenset[str] = frozenset()
    """Not out of the question once something was found, whatever words speak against them."""
    certain: str = ""
    """The one that it calls for, where no other can be meant, or that it sends the box to."""
    claimed: frozenset[str] = frozenset()
    """Those of them that were as good as named."""
    ordered: frozenset[str] = frozenset()
    """The order behind a condition speaks for them."""
    finding: frozenset[str] = frozenset()
    """Those that tell what the order behind a condition waits for; empty where that is not clear."""
    called_for: frozenset[str] = frozenset()
    """Any word of the line speaks for them."""
    wanted: frozenset[str] = frozenset()
    """Without them what is asked for cannot be done."""
    sure: frozenset[str] = frozenset()
    """As good as named, even to somebody who does not know what was said before."""
    due: frozenset[str] = frozenset()
    """Those of them that are as good as named: an order for one is carried out, and not talked about."""
    asked: frozenset[str] = frozenset()
    """The source that a question is as good as certainly for."""
    uncounted: frozenset[str] = frozenset()
    """They reckon with numbers that a source has yet to give."""
    idle: bool = False
    """The line most likely calls for none of them."""
