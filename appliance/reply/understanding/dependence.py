"""An order that takes what another part of the line finds out, told by which tools its parts call for.

There is no end of the forms in which people tie the two together. Which tool a part calls for was learnt from 10,000
lines; what is left are the few words that point back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from appliance.reply.understanding.conditions import Conditional, Conditions
from appliance.reply.understanding.patterns import Patterns
from appliance.reply.understanding.tool_signs import (
    CALCULATE,
    CERTAIN,
    ELSEWHERE,
    FINDERS,
    MEANT,
    PLAIN,
    RIVAL,
    SENDER,
    elsewhere,
    likeliest,
    taken_by,
)

KEEPER = "remember"
COUNTED = frozenset({"set_timer"})
"""Those of them that do nothing without a number."""


@dataclass(frozen=True)
class _Part:
    start: int
    end: int
    finder: str
    """The tool that finds it out, if it asks for something."""
    takes: frozenset[str]
    names: bool
    """What it finds may be a place."""
    elsewhere: bool
    """It asks for something of a place that only another part names."""
    open: bool
    """It points back, or lacks the number that its tool needs."""


class Dependence:
    def __init__(
        self,
        data: Patterns,
        forms: Conditions,
        intended: Callable[[str], dict[str, float]],
        counted: Callable[[str], bool],
    ) -> None:
        """intended: how likely each tool is meant by a text.  counted: whether a number or a length is in it."""
        self._data, self._forms, self._intended, self._counted = data, forms, intended, counted

    def read(self, line: str) -> Conditional | None:
        """None where no order waits for what another part finds out."""
        spans = self._forms.spans(line)
        parts = [self._part(line, start, end) for start, end in spans] if len(spans) > 1 else []
        found = next((place for place, part in enumerate(parts) if part.finder), None)
        if found is None:
            return self._told(line)
        for before, part in zip(parts[found:], parts[found + 1 :], strict=False):
            test = line[parts[found].start : before.end]
            if part.elsewhere and parts[found].names:
                return self._forms.depending(test, line[part.start :])
            takes = part.takes - {parts[found].finder}  # two halves of a sum do not wait for each other
            if takes and (part.open or self._forms.comes_after(test, line[before.end : part.start])):
                return self._forms.depending(test, line[part.start :])
        return None

    def _told(self, line: str) -> Conditional | None:
        """An order to tell somebody else what is yet to be found out: "text Jo how warm it is"."""
        asked = self._forms.asked_within(line) if self._data.acts.match(line) else ""
        if asked and self._finds(asked) and SENDER in self._takes(line[: -len(asked)]):
            return self._forms.depending(asked, line)
        return None

    def _part(self, line: str, start: int, end: int) -> _Part:
        text = line[start:end]
        likely = self._intended(text)
        takes = self._takes(text, likely)
        found = self._finds(text, likely) or any(sent.search(text) for sent in self._data.sent.values())
        finds = found and not (takes and self._data.acts.match(text))
        lacking = bool(takes & COUNTED) and not self._counted(text)
        best, _ = likeliest(likely)
        asks = bool(elsewhere(text, likely, self._data))
        names, points = finds and best not in ELSEWHERE, self._forms.points_back(text)
        return _Part(start, end, best if finds else "", takes, names, asks, points or lacking)

    def _takes(self, text: str, known: dict[str, float] | None = None) -> frozenset[str]:
        """The tools that take something, as far as the text calls for them."""
        acts, likely = self._data.acts.match(text), known or self._intended(text)
        called = taken_by(text, likely, self._data)
        if not self._data.begins_request(text):  # then no single word is enough
            least = MEANT if self._data.what_for.match(text) else RIVAL  # "it's for her homework"
            called = frozenset(tool for tool in called if likely.get(tool, 0.0) >= least)
        return called if acts else called - {KEEPER}  # who tells something has it kept, too

    def _finds(self, text: str, known: dict[str, float] | None = None) -> bool:
        likely = known or self._intended(text)
        best, share = likeliest(likely)
        data = self._data
        clause = data.questions.search(text) or data.begins_request(text) or data.wishing.match(text)
        enough = MEANT if clause or data.orders.match(text) else PLAIN  # "and the card reader", "saturday then"
        return (best in FINDERS and share >= enough) or (best == CALCULATE and share >= CERTAIN)
