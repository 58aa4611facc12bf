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


def compared(line: str, calls: Sequence[Call], results: Sequence[str], words: Patterns) -> str:
    """A note for the model; empty where nothing is compared. `calls`: those of the turn; `results`: the unread ones."""
    pair = calls[-2:]
    if len(results) != 2 or len(pair) != 2 or pair[0].tool != pair[1].tool or not words.comparing.search(line):
        return ""
    one, other = ({unit: value for value, unit in reversed([*measurements(unfenced(text))])} for text in results)
    unit = next((unit for unit in one if unit in other), "")
    if not unit:
        return ""
    first, second = one[unit], other[unit]
    figures = {"one": _name(pair[0]), "other": _name(pair[1]), "first": f"{first:g}", "second": f"{second:g}"}
    return prompt.reckoned("apart", **figures, difference=f"{abs(first - second):g}")


def _name(call: Call) -> str:
    """What it asked about: its first text but for the day, or this place."""
    texts = [value for name, value in call.arguments.items() if name != DAY and isinstance(value, str)]
    return next(filter(None, texts), prompt.reckoned("here"))
