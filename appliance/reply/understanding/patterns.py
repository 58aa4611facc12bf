"""The patterns of signs/*.yaml, compiled: en.yaml explains the sections."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import dropwhile

from appliance.reply.languages import written_for

QUANTITY = "#"
"""Stands for a number or length before the patterns of a tool; twice for two of them."""
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
TIME_OF_DAY = re.compile(r"(?<!\d)\d{1,2}:\d\d(?!\d)")
_PAUSE = re.compile(r"[,;.!?]+ ")
NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Patterns:
    """By default nothing is known."""

    evidence: dict[str, tuple[re.Pattern[str], int]] = field(default_factory=dict)
    """Tool -> what speaks for it, and how many numbers do; 0 is none."""
    sources: dict[str, re.Pattern[str]] = field(default_factory=dict)
    sent: dict[str, re.Pattern[str]] = field(default_factory=dict)
    ruled_out: dict[str, re.Pattern[str]] = field(default_factory=dict)
    wanted: dict[str, re.Pattern[str]] = field(default_factory=dict)
    brief: dict[str, int] = field(default_factory=dict)
    choices: dict[str, dict[str, dict[str, re.Pattern[str]]]] = field(default_factory=dict)
    operators: dict[str, re.Pattern[str]] = field(default_factory=dict)
    comparing: dict[str, re.Pattern[str]] = field(default_factory=dict)
    """What two things are compared by, ANY where that is open -> words for it."""
    customs: dict[str, re.Pattern[str]] = field(default_factory=dict)
    """What is usual in a country -> what asks for it."""
    kinds: dict[str, re.Pattern[str]] = field(default_factory=dict)
    """Words of which one may take the place of another in a fact."""
    spellings: dict[str, str] = field(default_factory=dict)
    """Part of a unit's name as it is said -> as the model writes it."""
    supposing: str = ""
    """How a condition begins in the lines that the intents were learnt from."""
    taught: dict[str, str] = field(default_factory=dict)
    """A word as a recogniser may spell it -> as the lines do that the intents were learnt from."""
    akin: dict[str, str] = field(default_factory=dict)
    """A word -> another that tells the same of somebody."""
    called: dict[str, str] = field(default_factory=dict)
    """What somebody is called -> what a stored fact may call them."""
    next_days: dict[str, str] = field(default_factory=dict)
    """A day, as it is said -> the one behind it."""
    conditions: re.Pattern[str] = NEVER
    personal: re.Pattern[str] = NEVER
    recent: re.Pattern[str] = NEVER
    asking: re.Pattern[str] = NEVER
    counting: re.Pattern[str] = NEVER
    hesitant: re.Pattern[str] = NEVER
    whereabouts: re.Pattern[str] = NEVER
    seasonal: re.Pattern[str] = NEVER
    correcting: re.Pattern[str] = NEVER
    lasting: re.Pattern[str] = NEVER
    claiming: re.Pattern[str] = NEVER
    retelling: re.Pattern[str] = NEVER
    keeping: re.Pattern[str] = NEVER
    denying: re.Pattern[str] = NEVER
    joining: re.Pattern[str] = NEVER
    amending: re.Pattern[str] = NEVER
    elliptic: re.Pattern[str] = NEVER
    reckoning: re.Pattern[str] = NEVER
    accounting: re.Pattern[str] = NEVER
    again: re.Pattern[str] = NEVER
    homeward: re.Pattern[str] = NEVER
    difference: re.Pattern[str] = NEVER
    altogether: re.Pattern[str] = NEVER
    versus: re.Pattern[str] = NEVER
    lengths: re.Pattern[str] = NEVER
    lengthwise: re.Pattern[str] = NEVER
    seeking: re.Pattern[str] = NEVER
    amended: re.Pattern[str] = NEVER
    alike: re.Pattern[str] = NEVER
    hour: re.Pattern[str] = NEVER
    telling: re.Pattern[str] = NEVER
    remarks: re.Pattern[str] = NEVER
    views: re.Pattern[str] = NEVER
    left: re.Pattern[str] = NEVER
    questions: re.Pattern[str] = NEVER
    moments: re.Pattern[str] = NEVER
    altering: re.Pattern[str] = NEVER
    linking: re.Pattern[str] = NEVER
    backing: re.Pattern[str] = NEVER
    together: re.Pattern[str] = NEVER
    units: re.Pattern[str] = NEVER
    targets: re.Pattern[str] = NEVER
    purposes: re.Pattern[str] = NEVER
    things: re.Pattern[str] = NEVER
    percent: re.Pattern[str] = NEVER
    day_hours: re.Pattern[str] = NEVER
    places: re.Pattern[str] = NEVER
    dates: re.Pattern[str] = NEVER
    days: re.Pattern[str] = NEVER
    pointing: re.Pattern[str] = NEVER
    unkept: re.Pattern[str] = NEVER
    confidential: re.Pattern[str] = NEVER
    day_after: re.Pattern[str] = NEVER
    unfinished: re.Pattern[str] = NEVER
    toward: re.Pattern[str] = NEVER
    unplaced: re.Pattern[str] = NEVER
    vague: re.Pattern[str] = NEVER
    shelves: re.Pattern[str] = NEVER
    either: re.Pattern[str] = NEVER
    instead: re.Pattern[str] = NEVER
    what_for: re.Pattern[str] = NEVER
    shelved: re.Pattern[str] = NEVER
    led_to: re.Pattern[str] = NEVER
    taking_back: re.Pattern[str] = NEVER
    misnamed: re.Pattern[str] = NEVER
    timing: re.Pattern[str] = NEVER
    wishing: re.Pattern[str] = NEVER
    empty: re.Pattern[str] = NEVER
    counted_or_held: re.Pattern[str] = NEVER
    family: re.Pattern[str] = NEVER
    acts: re.Pattern[str] = NEVER
    orders: re.Pattern[str] = NEVER
    joints: re.Pattern[str] = NEVER
    requests: re.Pattern[str] = NEVER
    sudden: re.Pattern[str] = NEVER
    referring: re.Pattern[str] = NEVER
    pronouns: re.Pattern[str] = NEVER
    demonstratives: re.Pattern[str] = NEVER
    persons: re.Pattern[str] = NEVER
    willing: re.Pattern[str] = NEVER
    there: re.Pattern[str] = NEVER
    situated: re.Pattern[str] = NEVER
    passing_on: re.Pattern[str] = NEVER
    subjects: re.Pattern[str] = NEVER
    amounts: re.Pattern[str] = NEVER
    listed: re.Pattern[str] = NEVER
    adding: re.Pattern[str] = NEVER
    set_to: re.Pattern[str] = NEVER
    between: re.Pattern[str] = NEVER
    here: re.Pattern[str] = NEVER
    frames: re.Pattern[str] = NEVER
    usual: re.Pattern[str] = NEVER
    besides: re.Pattern[str] = NEVER
    once: re.Pattern[str] = NEVER
    relations: re.Pattern[str] = NEVER
    put_right: re.Pattern[str] = NEVER
    standing: re.Pattern[str] = NEVER
    idioms: re.Pattern[str] = NEVER
    addressed: re.Pattern[str] = NEVER
    share_of: re.Pattern[str] = NEVER
    leading: re.Pattern[str] = NEVER
    hereabouts: re.Pattern[str] = NEVER
    counted: re.Pattern[str] = NEVER
    fronted: re.Pattern[str] = NEVER
    noted: re.Pattern[str] = NEVER
    own: re.Pattern[str] = NEVER
    first_person: re.Pattern[str] = NEVER
    moving: re.Pattern[str] = NEVER
    asked_last: re.Pattern[str] = NEVER
    askers: re.Pattern[str] = NEVER
    unaimed: re.Pattern[str] = NEVER
    uncounted: re.Pattern[str] = NEVER
    back: re.Pattern[str] = NEVER
    grave: re.Pattern[str] = NEVER
    ended: re.Pattern[str] = NEVER
    ordinals: re.Pattern[str] = NEVER
    list_words: re.Pattern[str] = NEVER
    spoken_clock: re.Pattern[str] = NEVER
    raised: re.Pattern[str] = NEVER
    lowered: re.Pattern[str] = NEVER
    held_at: re.Pattern[str] = NEVER

    def spoken_for(self, tool: str, text: str) -> str:
        """The clauses of a line that speak for a tool; all of it where none does, or all do."""
        clauses, lead = list[str](), ""
        for part in re.split(rf"[,;.!?]+ | {self.joints.pattern} ", text):
            if lead or not clauses or not (self.begins_request(part) or self.subjects.match(part)):
                clauses[-1:] = [" ".join([*clauses[-1:], part])]
            else:
                clauses.append(part)
            lead = "" if lead else (part if self.fronted.match(part) else "")
        for_it = [*filter(None, (self.sources.get(tool), self.evidence.get(tool, (None, 0))[0]))]
        spoken = [clause for clause in clauses if any(words.search(clause) for words in for_it)]
        return ". ".join(spoken or [text])

    def as_called(self, text: str) -> str:
        """A text with what stored facts may call whom it tells of behind it: grandpa, grandfather."""
        said = (self.called.get(word, "") for word in re.findall(r"\w+", text.casefold()))
        return " ".join([text, *filter(None, said)])

    def asks_first(self, text: str) -> bool:
        """Whether it begins with a word of a question, behind such as "so" and "now"."""
        said = dropwhile(lambda word: self.hesitant.fullmatch(word.rstrip(",")), text.split())
        return bool(self.asking.match(" ".join(said)))

    def asks_behind(self, text: str) -> bool:
        """Whether a question follows what is told first."""
        paused = any(self.begins_question(text, found.end()) for found in _PAUSE.finditer(text))
        return paused or bool(self.asked_last.match(text))

    def begins_question(self, text: str, at: int = 0) -> bool:
        """Whether it begins as one does there; "can you keep that" is none."""
        return bool(self.questions.match(text, at) and not self.requests.match(text, at))

    def orders_in(self, text: str) -> list[int]:
        """Where in it an order begins, at its start or behind a joint."""
        return [start for start in self._starts(text) if self.acts.match(text, start)]

    def holds_request(self, text: str) -> bool:
        """As `begins_request`, also behind a joint: "there are nine of us so what's nine times four"."""
        return any(self.begins_request(text[start:]) for start in self._starts(text))

    def _starts(self, text: str) -> list[int]:
        joints = re.finditer(rf"[,.;:!?]+ |{self.joints.pattern} ", text, re.IGNORECASE)
        return [0, *(joint.end() for joint in joints)]

    def begins_request(self, text: str) -> bool:
        """Whether it begins as a request does, for a change or for anything else."""
        return bool(self.acts.match(text) or self.orders.match(text))


@cache
def patterns(language: str) -> Patterns | None:
    data = written_for(language, "signs")
    if data is None:
        return None
    return Patterns(
        evidence={tool: _evidence(text) for tool, text in data["evidence"].items()},
        sources=_table(data["sources"]),
        sent=_table(data["sent"]),
        ruled_out=_table(data["ruled_out"]),
        wanted=_table(data["wanted"]),
        brief=data["brief"],
        spellings=data["spellings"],
        taught=data["taught"],
        supposing=data["supposing"],
        akin=data["akin"],
        next_days=data["next_days"],
        called=data["called"],
        comparing=_table(data["comparing"]),
        customs=_table(data["customs"]),
        kinds=_table(data["kinds"]),
        operators=_table(data["operators"]),
        choices={
            tool: {name: _table(options) for name, options in arguments.items()}
            for tool, arguments in data["choices"].items()
        },
        **{
            each.name: whole(data[each.name])
            for each in fields(Patterns)
            if each.default is NEVER and each.name in data
        },
    )


def _list(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts


def _table(texts: Mapping[str, str | list[str]]) -> dict[str, re.Pattern[str]]:
    return {name: whole("|\n".join(_list(text))) for name, text in texts.items()}


def _evidence(text: str) -> tuple[re.Pattern[str], int]:
    words = text.lstrip(QUANTITY)
    return whole(words.removeprefix("|")), len(text) - len(words)


def whole(text: str) -> re.Pattern[str]:
    """Of whole words, in any case."""
    return re.compile(rf"(?<!\w)(?:{joined(text)})(?!\w)", re.IGNORECASE)


def joined(text: str) -> str:
    """A line that ends in a bar goes on with the next one; any other end of a line is a blank."""
    return text.replace("|\n", "|").replace("\n", " ")
