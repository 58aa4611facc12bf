"""Two results of one kind, where the line asks which is more: what each of them measures, and how far apart that is.

A small model calls 14 degrees warmer than 18.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from appliance.language.quantities import THOUSANDS
from appliance.ports import Tool
from appliance.reply import prompt
from appliance.reply.calls.grounding import DAY, texts_of
from appliance.reply.plan import Call
from appliance.reply.results.measures import measurements
from appliance.reply.understanding.line import LOOKUP
from appliance.reply.understanding.patterns import NUMBER, TIME_OF_DAY, Patterns
from appliance.reply.understanding.relevance import shared
from appliance.reply.understanding.signs import Signs
from appliance.safety.fence import unfenced

ANY = "any"
COMPARABLE = frozenset({LOOKUP, "home_state"})
"""Tools that tell of one thing by its name."""
_COUNTED = re.compile(r"([^\W\d_]{4,})(?: of|:) (?!(?:1\d|20)\d\d\b)(\d+(?:\.\d+)?)(?! ?[^\W\d_]|[\d.,]*\d|[ -]\d)")
"""A name and its number; years are none."""
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


def both(call: Call, tool: Tool, signs: Signs) -> list[Call]:
    """What is compared with at the end of a line is looked at too, by the same tool."""
    texts = texts_of(call, tool)
    found = signs.words.versus.search(signs.digits)
    if call.tool not in COMPARABLE or len(texts) != 1 or not found or signs.conditional:
        return [call]
    ((name, value),) = texts.items()
    named = shared(value, signs.digits[: found.start("other")])
    return [call, Call(call.tool, {name: found["other"]})] if named and not shared(value, found["other"]) else [call]


def reckoned(signs: Signs, told: Iterable[str]) -> str:
    """What to calculate for a line that asks how far apart two things are that were just told, or what they are
    together; empty where it does not, or there are not two of one unit.

    told: with their numbers in digits; read only for a line that asks, since a long text in digits costs 6 ms.
    """
    line, words = signs.digits.strip(" .?!"), signs.words
    sign = "-" if words.difference.fullmatch(line) else "+" if words.altogether.fullmatch(line) else ""
    if not sign:
        return ""
    texts = [TIME_OF_DAY.sub("", unfenced(text)) for text in told]
    figures = [[*_figures(text, words)] for text in texts]
    if len(texts) == 1:  # both in one, and no other number
        figures = [[figure] for figure in figures[0]] if len(NUMBER.findall(texts[0])) == 2 else []
    if len(figures) != 2 or any(len({unit for _, unit in each}) != len(each) for each in figures):
        return ""
    one, other = ({unit: value for value, unit in each if not words.lengths.fullmatch(unit)} for each in figures)
    common = one.keys() & other.keys()
    pair = sorted(((each[unit] for unit in common for each in (one, other))), reverse=True)
    return f" {sign} ".join(f"{value:g}" for value in pair) if len(common) == 1 else ""


def _unit(line: str, common: Sequence[str], words: Patterns) -> str:
    """The one by which the line compares; of several that are common to both none, where it does not say."""
    by = next((unit for unit, pattern in words.comparing.items() if unit in common and pattern.search(line)), "")
    open_ = ANY in words.comparing and words.comparing[ANY].search(line) and len(common) == 1
    return by or (common[0] if open_ else "")


def _measured(text: str, words: Patterns) -> dict[str, float]:
    """Unit -> what is first measured in it; or a name and its number: "population: 390,000", "a height of 828"."""
    found = dict[str, float]()
    counted = _COUNTED.findall(THOUSANDS.sub("", unfenced(text)))
    only = [(float(number), name.casefold()) for name, number in counted] if len(counted) == 1 else []
    for value, unit in (*_figures(text, words), *only):
        found.setdefault(unit, value)
    return found


def _figures(text: str, words: Patterns) -> Iterator[tuple[float, str]]:
    for value, unit in measurements(unfenced(text)):
        if unit.casefold() not in _HOURS and not any(kind.fullmatch(unit) for kind in words.kinds.values()):
            yield value, unit.casefold()


def _name(call: Call) -> str:
    """What it asked about: its first text but for the day, or this place."""
    texts = [value for name, value in call.arguments.items() if name != DAY and isinstance(value, str)]
    return next(filter(None, texts), prompt.reckoned("here"))
