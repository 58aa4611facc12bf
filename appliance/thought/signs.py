"""What the words of a line say about what it can be about: which tools they speak for, and what must come first.

The words are in signs/*.yaml (en.yaml explains the sections). A language without a file has none: everything may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass, field

from appliance.thought.conditions import Conditional, conditions
from appliance.thought.intents import intents
from appliance.thought.patterns import Patterns, patterns
from appliance.thought.templates import templates

LIKELY, POSSIBLE = 0.02, 0.005
"""How likely a tool must be by its intents to be offered, and how likely if words speak for it as well. Of 333 unseen
lines with a tool (models/intents/en.unseen.tsv) 99 % get the right one, among 3.9; by words alone 90 %, among 8.4."""
MEANT = 0.3
"""How likely a tool must be to be offered beside another that is as good as named, or missed where it is not here."""
CERTAIN, RIVAL = 0.5, 0.1
"""How likely the one tool is that is called for, and less than how much each other: 173 of 400 unseen lines.
Beside a tool that is meant, one that no word speaks for is offered from RIVAL on."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
NEVER = re.compile(r"(?!)")
_NAMES = re.compile(r"\s+((?:[^\W\d_][\w'’-]*\s*){1,4})")
"""Up to four words: as many as the longest place has that people ask about."""


@dataclass(frozen=True)
class Signs:
    quantity: bool = True
    """A number or a length was said."""
    unlikely: frozenset[str] = frozenset()
    """Tools that nothing speaks for."""
    meant: frozenset[str] = frozenset()
    """Tools that are likely, whatever words were used."""
    certain: str = ""
    """The one tool that it calls for, where no other can be meant."""
    sources: frozenset[str] = frozenset()
    """Tools that answer questions, each from a place of its own."""
    claimed: frozenset[str] = frozenset()
    """Those of them that were as good as named."""
    conditional: bool = False
    """What is to be done hangs on something that has to be read first."""
    condition: Conditional | None = None
    """That, where the line has a form that is known."""
    ordered: frozenset[str] = frozenset()
    """Tools that its order speaks for."""
    called_for: frozenset[str] = frozenset()
    """Tools that any word of the line speaks for."""
    personal: bool = False
    """It asks for something about the speaker."""
    recent: bool = False
    """It asks for what only the news could tell."""
    whereabouts: bool = False
    """It asks where the box stands."""
    correcting: bool = False
    """It may take back what was said before."""
    wanted: frozenset[str] = frozenset()
    """Tools without which what is asked for cannot be done."""
    due: frozenset[str] = frozenset()
    """Those of them that are as good as named: an order for one is carried out, and not talked about."""
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
    backing: bool = False
    """As the rest of a yes, it gives a reason for it."""
    bare: bool = False
    """Neither a question nor a request of its own: it may be what was asked for."""
    chat: bool = False
    """It tells of a day or a mood, or asks for a view: wants nothing that could be refused."""
    slip: tuple[str, str] | None = None
    """What was said by a slip of the tongue, and what was meant."""
    place: str = ""
    """One that was named."""
    day: str = ""
    """A date or holiday that was named."""
    choices: dict[str, dict[str, dict[str, bool]]] = field(default_factory=dict)
    """Tool -> argument -> each of its choices, and whether the words speak for it; only where signs are known."""
    units: re.Pattern[str] = NEVER
    """Words before the unit in which an answer is wanted."""
    day_hours: re.Pattern[str] = NEVER
    """A standing wish for times of 24 hours."""
    vague: re.Pattern[str] = NEVER
    """Words that stand for something which was not said."""
    acts: re.Pattern[str] = NEVER
    """How a request begins that changes something."""
    orders: re.Pattern[str] = NEVER
    """How any other request begins."""
    sudden: re.Pattern[str] = NEVER
    """The word before a request that follows another one without a conjunction."""


class SignReader:
    def __init__(self, language: str, is_place: Callable[[str], bool] = lambda name: True) -> None:
        self._is_place = is_place
        self._templates = templates(language)
        self._conditions = conditions(language)
        self._data = patterns(language)
        self._intents = intents(language)

    def read(self, text: str) -> Signs:
        quantity = self._templates is None or self._templates.quantities.held_in(text)
        if self._data is None:
            return Signs(quantity)
        data, line = self._data, text.replace("’", "'")
        claimed = frozenset(tool for tool, pattern in data.sources.items() if pattern.search(line))
        spoken_for = _spoken_for(line, data)
        counts = self._numbers(line) if quantity else 0
        counted = {tool for tool, (_, needed) in data.evidence.items() if 0 < needed <= counts}
        unlikely = data.evidence.keys() - spoken_for - counted - claimed
        intended = self._intents.read(line) if self._intents else {}
        condition = self._conditions.read(line) if self._conditions else None
        conditional = bool(data.conditions.search(line) or (condition and condition.follows))
        condition = condition if conditional else None
        ruled_out = set() if conditional else {tool for tool, pattern in data.ruled_out.items() if pattern.search(line)}
        unlikely = (
            _doubtful(unlikely, intended, claimed, conditional)
            | ruled_out
            | {tool for tool, most in data.brief.items() if len(line.split()) > most}
            | {tool for tool, (_, needed) in data.evidence.items() if 0 < counts < needed and tool not in spoken_for}
        )
        claimed -= ruled_out
        meant = frozenset(tool for tool, likely in intended.items() if likely >= MEANT and tool not in ruled_out)
        certain = "" if conditional else _certain(intended, claimed, unlikely)
        if condition and (asked := {tool for tool, pattern in data.sources.items() if pattern.search(condition.test)}):
            claimed = frozenset(asked)  # what is looked at is what the condition names, not the order
        order = condition.order if condition else ""
        chat = bool(data.telling.match(line) or data.views.search(line))
        personal = bool(data.personal.search(line)) and not chat
        bare = not (personal or line.rstrip().endswith("?") or data.acts.match(line) or data.orders.match(line))
        day = data.dates.search(line)
        due = frozenset(tool for tool, pattern in data.wanted.items() if pattern.search(line))
        due |= frozenset(tool for tool in meant if not chat and intended[tool] >= CERTAIN)
        return Signs(
            quantity=quantity,
            unlikely=frozenset(unlikely),
            meant=meant,
            certain=certain,
            sources=frozenset(data.sources),
            claimed=claimed,
            conditional=conditional,
            condition=condition,
            ordered=_spoken_for(order, data),
            called_for=spoken_for | claimed,
            personal=personal,
            recent=bool(data.recent.search(line) and data.asking.search(line)) and not personal,
            whereabouts=bool(data.whereabouts.search(line)),
            correcting=bool(data.correcting.search(line)),
            wanted=due | (meant if not chat and not bare else frozenset()),
            due=due,
            lasting=bool(data.lasting.search(line)),
            claiming=bool(data.claiming.search(line)),
            retelling=bare and bool(data.retelling.match(line)),
            keeping=bool(data.keeping.search(line)),
            amends=self._amends(line, data),
            altering=bool(data.altering.search(line)),
            backing=bool(data.backing.match(line)),
            bare=bare,
            chat=chat,
            slip=self._templates.repairs.slip(line) if self._templates else None,
            place=self._place(line, data, data.places) or self._place(line, data, data.toward, known=True),
            day=day[0] if day else "",
            choices={
                tool: {name: _fitting(options, line) for name, options in arguments.items()}
                for tool, arguments in data.choices.items()
            },
            units=data.units,
            day_hours=data.day_hours,
            vague=data.vague,
            acts=data.acts,
            orders=data.orders,
            sudden=data.sudden,
        )

    def _numbers(self, line: str) -> int:
        """How many different ones were said, at least one."""
        return max(1, len(set(_NUMBER.findall(self._templates.in_digits(line))))) if self._templates else 1

    def _amends(self, line: str, data: Patterns) -> str:
        digits = self._templates.in_digits(line) if self._templates else line
        found = data.amending.match(digits)
        return digits[found.end() :].strip(" ,.!?") if found else ""

    def _place(self, line: str, data: Patterns, before: re.Pattern[str], known: bool = False) -> str:
        """A place, or unless it has to be `known` a name with capitals, behind one of the words `before`."""
        for found in before.finditer(line):
            run = _NAMES.match(line[found.end() :])
            words = run[1].split() if run else []
            for count in range(len(words), 0, -1):
                name = " ".join(words[:count])
                if data.unplaced.fullmatch(name):
                    continue
                if self._is_place(name) or (not known and all(word[0].isupper() for word in words[:count])):
                    return name
        return ""


def _doubtful(unspoken: Set[str], intended: dict[str, float], claimed: Set[str], conditional: bool) -> set[str]:
    """Tools that are not offered. unspoken: those that no word speaks for.

    What hangs on a condition was not among the lines that the intents were learnt from: it takes both to rule it out.
    """
    best = max(intended.values(), default=0.0)
    enough = MEANT if claimed else RIVAL if best > MEANT else LIKELY
    unlikely = {tool for tool in unspoken if intended.get(tool, 0.0) < enough}
    return unlikely if conditional else unlikely | {tool for tool, likely in intended.items() if likely < POSSIBLE}


def _certain(intended: dict[str, float], claimed: Set[str], unlikely: Set[str]) -> str:
    """The tool that is called for, if there is no other that may be."""
    tool = max(intended, key=intended.__getitem__, default="")
    rival = max((likely for other, likely in intended.items() if other != tool), default=0.0)
    if tool in unlikely or (claimed and tool not in claimed) or rival >= RIVAL:
        return ""
    return tool if intended.get(tool, 0.0) > (MEANT if tool in claimed else CERTAIN) else ""


def _spoken_for(text: str, data: Patterns) -> frozenset[str]:
    return frozenset(tool for tool, (pattern, _) in data.evidence.items() if pattern.search(text))


def _fitting(options: dict[str, re.Pattern[str]], line: str) -> dict[str, bool]:
    return {choice: bool(pattern.search(line)) for choice, pattern in options.items()}
