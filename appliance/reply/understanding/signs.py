"""What the words of a line say about what it can be about: which tools they speak for, and what must come first.

The words are in signs/*.yaml (en.yaml explains the sections). A language without a file has none: everything may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from appliance.reply.understanding.conditions import Conditional, conditions
from appliance.reply.understanding.conversions import CONVERTER, Conversions, Convertible
from appliance.reply.understanding.dependence import Dependence
from appliance.reply.understanding.intents import NONE, intents
from appliance.reply.understanding.line import Line
from appliance.reply.understanding.patterns import NUMBER, Patterns, patterns
from appliance.reply.understanding.templates import templates
from appliance.reply.understanding.tool_signs import (
    ASKED,
    CALCULATE,
    CERTAIN,
    CLOCK,
    FINDERS,
    IDLE,
    MEANT,
    RIVAL,
    SENDER,
    TIMERS,
    tool_signs,
)
from appliance.reply.understanding.tools_meant import ToolSigns
from appliance.reply.understanding.world import OfTheWorld, of_the_world
from appliance.reply.without import kept

_NAMES = re.compile(r"\s+((?:[^\W\d_][\w'’-]*\s*){1,4})")
"""Up to four words: as many as the longest place has that people ask about."""
_OWNER = ("'s", "’s")
"""What is in somebody's diary is in no place."""
_NAME_WITHIN = re.compile(r"(?<=[a-z,] )[A-Z][a-z]")
SOUGHT, NOT_TALK = 0.85, 0.4
"""What tells of a day or a mood and is yet for a tool that finds something out: how likely that is, and less than how
much that it is for none. Of 1,959 lines of talk 2 look so (bench/, 2026-11-26)."""
_WORDS_BEFORE, _WORDS_BEHIND = re.compile(r"[^\s,;]+(?: [^\s,;]+)?\s+$"), re.compile(r"\s+[^\s,;?!]+(?: [^\s,;?!]+)?")


@dataclass(frozen=True)
class Signs:
    quantity: bool = True
    """A number or a length was said."""
    tools: ToolSigns = field(default_factory=ToolSigns)
    conditional: bool = False
    """What is to be done hangs on something that has to be read first."""
    condition: Conditional | None = None
    """That, where the line has a form that is known."""
    personal: bool = False
    """It asks for something about the speaker."""
    recent: bool = False
    """It asks for what only the news could tell."""
    correcting: bool = False
    """It may take back what was said before."""
    lasting: bool = False
    """It tells something of somebody that stays true."""
    claiming: bool = False
    """It asks whether the box has done something."""
    retelling: bool = False
    """It may take back what was just said from memory."""
    keeping: bool = False
    """It ends in an order to keep in mind what it says."""
    amends: str = ""
    """What is to be changed, if the line may change what was asked about just before; with its numbers in digits."""
    altering: bool = False
    """As the rest of an answer, it makes that another one: "yes, but later"."""
    bare: bool = False
    """Neither a question nor a request of its own: it may be what was asked for."""
    chat: bool = False
    """It tells of a day or a mood, or asks for a view: wants nothing that could be refused."""
    asks: bool = False
    """A question stands in it, at its beginning or behind what it tells."""
    world: OfTheWorld = field(default_factory=OfTheWorld)
    slip: tuple[str, str] | None = None
    """What was said by a slip of the tongue, and what was meant."""
    place: str = ""
    """One that was named."""
    places: tuple[str, ...] = ()
    """Two that were named together."""
    day: str = ""
    """A date or holiday that was named."""
    moment: str = ""
    """A time of day, where the line asks how long it is to that and nothing else; numbers in digits."""
    digits: str = ""
    """The line with its numbers in digits."""
    conversion: dict[str, Any] | None = None
    """The arguments of the one that it may ask for."""
    choices: dict[str, dict[str, dict[str, bool]]] = field(default_factory=dict)
    """Tool -> argument -> each of its choices, and whether the words speak for it; only where signs are known."""
    words: Patterns = field(default_factory=Patterns)
    """Those that are not about a line."""

    def fitting(self, tool: str, argument: str) -> list[str]:
        """The choices of that argument for which the words speak."""
        return [choice for choice, fits in self.choices.get(tool, {}).get(argument, {}).items() if fits]


class SignReader:
    def __init__(
        self,
        language: str,
        is_place: Callable[[str], bool] = lambda name: True,
        convertible: Convertible = lambda one, other: False,
    ) -> None:
        self._language, self._is_place = language, is_place
        self._templates = templates(language)
        self._conditions = conditions(language)
        self._data = patterns(language)
        self._intents = intents(language)
        self._dependence = self._dependences()
        self._conversions = Conversions(self._templates.units, convertible) if self._templates else None

    def read(self, text: str, before: str = "") -> Signs:
        """before: what was said last in this conversation."""
        quantity = self._templates is None or self._templates.quantities.held_in(text)
        if self._data is None:
            return Signs(quantity)
        data = self._data
        line = self._line(text.replace("’", "'"), quantity, data, before)
        personal = bool(data.personal.search(data.idioms.sub("", line.text))) and not (line.chat or line.idle)
        tools = tool_signs(line, data)
        asks = line.asks or data.begins_question(line.text)
        day = data.dates.search(line.text) or (data.pointing.search(line.text) and data.dates.search(before))
        return Signs(
            quantity=quantity,
            tools=tools,
            conditional=line.conditional,
            condition=line.condition,
            personal=personal,
            recent=line.recent and not personal,
            correcting=bool(data.correcting.search(text)),
            lasting=bool(data.lasting.search(line.text)),
            claiming=bool(data.claiming.search(line.text)),
            retelling=line.bare and bool(data.retelling.match(line.text)),
            keeping=bool(data.keeping.search(line.text)),
            amends=_behind(data.amending, line.digits),
            altering=bool(data.altering.search(line.text)),
            bare=line.bare,
            chat=line.chat,
            asks=asks,
            world=kept("world", of_the_world(line.text, self._language, asks, line.bare, line.chat), OfTheWorld()),
            slip=kept("repairs", self._slip(line.text, data), None),
            place=self._place(line.text, data, data.places) or self._place(line.text, data, data.toward, known=True),
            places=self._places(line.text, data),
            day=day[0] if day else "",
            moment=_moment(line, tools, data),
            digits=line.digits,
            conversion=kept("duty", self._conversion(line, tools), None),
            choices={
                tool: {name: _fitting(options, line.text) for name, options in arguments.items()}
                for tool, arguments in data.choices.items()
            },
            words=data,
        )

    def _line(self, text: str, quantity: bool, data: Patterns, before: str = "") -> Line:
        condition = self._conditions.read(text) if self._conditions else None
        if self._dependence and not (condition and condition.certain) and not data.conditions.search(text):
            condition = kept("dependence", self._dependence.read(text), condition)
        plain = data.idioms.sub("", text)  # "who told you that" asks for nothing
        intended = self._likely(plain)
        none = intended.pop(NONE, 0.0)
        conditional = bool(data.conditions.search(text) or (condition and condition.certain))
        conditional = conditional and not self._asks_somebody(text, intended, data)
        conditional = kept("conditions", conditional, False)
        condition = condition if conditional else None
        remark = max(intended.values(), default=1.0) < ASKED and data.remarks.match(plain)
        chat = bool(data.telling.match(plain) or data.views.search(plain) or remark)
        strange = bool(not self._intents or self._intents.strange(text) or _NAME_WITHIN.search(text))
        asks = data.asks_behind(plain)
        chat = chat and not (asks and strange) and not (none < NOT_TALK and _sought(intended))
        asking = text.rstrip().endswith("?") or (data.personal.search(plain) and not chat)
        return Line(
            text=text,
            digits=self._templates.in_digits(text) if self._templates else text,
            quantity=quantity,
            counted_before=bool(NUMBER.search(before)),
            measured=bool(self._conversions and self._conversions.measured(text)),
            intended=intended,
            tested=self._tested(condition, data) if condition else {},
            ordered=self.intended(condition.act) if condition else {},
            condition=condition,
            conditional=conditional,
            recent=bool(data.recent.search(text) and data.asking.search(text)),
            chat=chat,
            asks=asks,
            calm=none,
            idle=none >= IDLE and max(intended.values()) < CERTAIN and not conditional,
            bare=not (asking or data.begins_request(plain)),
            strange=strange,
        )

    def _asks_somebody(self, text: str, intended: dict[str, float], data: Patterns) -> bool:
        """Whether what looks like a condition is what somebody is to be asked: "ask Bo if he wants pizza"."""
        found = data.conditions.search(text) if intended.get(SENDER, 0.0) >= MEANT else None
        if not found or self.intended(text[: found.start()]).get(SENDER, 0.0) < MEANT:
            return False
        tested = self.intended(text[found.start() :])
        return all(tested.get(tool, 0.0) < MEANT for tool in FINDERS)

    def _tested(self, condition: Conditional, data: Patterns) -> dict[str, float]:
        """How likely each tool tells whether it is so."""
        return self.intended(condition.test if condition.follows else f"{data.supposing} {condition.test}")

    def _slip(self, text: str, data: Patterns) -> tuple[str, str] | None:
        """See Signs; None where what comes behind is an order, a clause or a number, which are no other name."""
        slip = self._templates.repairs.slip(text) if self._templates else None
        if not slip or not self._templates:
            return None
        clause = data.begins_request(slip[1]) or data.subjects.match(slip[1]) or data.adding.match(slip[1])
        return None if clause or NUMBER.match(self._templates.in_digits(slip[1])) else slip

    def intended(self, text: str) -> dict[str, float]:
        """Tool -> how likely it is meant, 0 to 1; empty where no intents are known."""
        return {tool: likely for tool, likely in self._likely(text).items() if tool != NONE}

    def _likely(self, text: str) -> dict[str, float]:
        """With how likely it means none."""
        return self._intents.read(self._as_taught(text)) if self._intents else {}

    def _conversion(self, line: Line, tools: ToolSigns) -> dict[str, Any] | None:
        """The one that the line can ask for, unless it may ask for anything else."""
        likely = not line.intended or line.intended.get(CONVERTER, 0.0) >= RIVAL
        others = (tools.meant if line.intended else tools.called_for) - {CONVERTER, CALCULATE}
        return self._conversions.read(line.digits) if self._conversions and likely and not others else None

    def _as_taught(self, text: str) -> str:
        taught = self._data.taught if self._data else {}
        named = rf"\b({'|'.join(taught)})(?=s?\b)"
        return re.sub(named, lambda found: taught[found[1].casefold()], text, flags=re.IGNORECASE) if taught else text

    def _dependences(self) -> Dependence | None:
        """None where no tool is told by the words of a part."""
        if not (self._data and self._conditions and self._templates and self._intents):
            return None
        return Dependence(self._data, self._conditions, self.intended, self._templates.quantities.held_in)

    def _places(self, line: str, data: Patterns) -> tuple[str, ...]:
        for joint in data.between.finditer(line):
            before, behind = _WORDS_BEFORE.search(line[: joint.start()]), _WORDS_BEHIND.match(line[joint.end() :])
            if before and behind:
                ends = [" ".join(before[0].split()[-count:]).rstrip(",") for count in (2, 1)]
                starts = [" ".join(behind[0].split()[:count]).rstrip(",?.!") for count in (2, 1)]
                both = [self._one_of(names, data) for names in (ends, starts)]
                if all(name is not None for name in both) and any(both):
                    return tuple(name or "" for name in both)
        return ()

    def _one_of(self, names: list[str], data: Patterns) -> str | None:
        """The first that is a place; empty for this one, None where none is."""
        named = next(filter(self._is_place, names), None)
        return named or ("" if any(data.here.fullmatch(name) for name in names) else None)

    def _place(self, line: str, data: Patterns, before: re.Pattern[str], known: bool = False) -> str:
        """A place, or unless it has to be `known` a name with capitals, behind one of the words `before`."""
        for found in before.finditer(line):
            run = _NAMES.match(line[found.end() :])
            words = run[1].split() if run else []
            for count in range(len(words), 0, -1):
                name = " ".join(words[:count])
                if data.unplaced.fullmatch(name):
                    continue
                thing = words[count] if count < len(words) else ""
                if name.endswith(_OWNER) and thing[:1].islower() and not data.days.fullmatch(thing):
                    break
                if self._is_place(name) or (not known and all(word[0].isupper() for word in words[:count])):
                    return name
        return ""


def _sought(intended: dict[str, float]) -> bool:
    return max((likely for tool, likely in intended.items() if tool in FINDERS), default=0.0) >= SOUGHT


def _moment(line: Line, tools: ToolSigns, data: Patterns) -> str:
    found = [match[0] for match in data.moments.finditer(line.digits)] if data.left.search(line.text) else []
    return found[0] if len(found) == 1 and not tools.meant - {CLOCK, TIMERS} and not line.conditional else ""


def _behind(pattern: re.Pattern[str], text: str) -> str:
    """What follows it, where the text begins with it."""
    found = pattern.match(text)
    return text[found.end() :].strip(" ,.!?") if found else ""


def _fitting(options: dict[str, re.Pattern[str]], line: str) -> dict[str, bool]:
    return {choice: bool(pattern.search(line)) for choice, pattern in options.items()}
