"""Two results of one kind, where the line asks which is more: what each of them measures, and how far apart that is.

A small model calls 14 degrees warmer than 18.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.thought import prompt
from appliance.thought.fence import unfenced
from appliance.thought.grounding import DAY
from appliance.thought.measures import measurements
from appliance.thought.patterns import Patterns
from appliance.thought.plan import Call

ANY = "any"
_HOURS = {"am", "pm", "o", "clock"}
"""What stands behind a number that is a time of day."""


def compared(line: str, calls: Sequence[Call], results: Sequence[str], words: Patterns) -> str:
    """A note for the model; empty where nothing is compared, or it is not clear by what.

    calls: those of the turn.  results: the unread ones.
    """
    pair = calls[-2:]
    if len(results) != 2 or len(pair) != 2 or pair[0].tool != pair[1].tool:
        return ""
    one, other = (_measured(text, words) for text in results)
    unit = _unit(line, [unit for unit in one if unit in other], words)
    if not unit:
        return ""
    first, second = one[unit], other[unit]
    figures = {"one": _name(pair[0]), "other": _name(pair[1]), "first": f"{first:g}", "second": f"{second:g}"}
    return prompt.reckoned("apart", **figures, unit=unit, difference=f"{abs(first - second):g}")


def _unit(line: str, common: Sequence[str], words: Patterns) -> str:
    """The one by which the line compares; of several that are common to both none, where it does not say."""
    by = next((unit for unit, pattern in words.comparing.items() if unit in common and pattern.search(line)), "")
    open_ = ANY in words.comparing and words.comparing[ANY].search(line) and len(common) == 1
    return by or (common[0] if open_ else "")


def _measured(text: str, words: Patterns) -> dict[str, float]:
    """Unit -> what is first measured in it."""
    found = dict[str, float]()
    for value, unit in measurements(unfenced(text)):
        if unit.casefold() not in _HOURS and not any(kind.fullmatch(unit) for kind in words.kinds.values()):
            found.setdefault(unit.casefold(), value)
    return found


def _name(call: Call) -> str:
    """What it asked about: its first text but for the day, or this place."""
    texts = [value for name, value in call.arguments.items() if name != DAY and isinstance(value, str)]
    return next(filter(None, texts), prompt.reckoned("here"))
