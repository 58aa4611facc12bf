"""Which tools the words of a line speak for, and which they speak against."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

from appliance.reply.understanding.conversions import CONVERTER
from appliance.reply.understanding.corrections import KEEPERS
from appliance.reply.understanding.line import LOOKUP, Line
from appliance.reply.understanding.patterns import NUMBER, Patterns
from appliance.reply.understanding.tools_meant import ToolSigns

LIKELY, POSSIBLE = 0.01, 0.002
"""How likely a tool must be by its intents to be offered, and how likely if words speak for it as well."""
SHARE = 0.02
"""Of how likely the likeliest tool is: what is less likely is not offered beside it. With these three 338 of 342 unseen
lines with a tool get the right one, among 1.9 (models/intents/en.unseen.tsv, 2026-11-26)."""
MEANT = 0.3
"""How likely a tool must be to be offered beside another that is as good as named, or missed where it is not here."""
TAKERS = frozenset(
    {"set_timer", "home_set", "unlock_door", "add_to_list", "send_message", "play_music", "remember", "calculate"}
)
"""Tools that do something with what another one found."""
FINDERS = frozenset({"lookup", "search_documents", "get_weather", "home_state", "read_list", "list_timers", "get_time"})
"""Tools that find out what another one can take."""
ELSEWHERE = frozenset({"get_weather", "get_time"})
"""Those of them that can take a place which another one found."""
SENDER, ADDER = "send_message", "add_to_list"
CALCULATE, CLOCK, TIMERS = "calculate", "get_time", "list_timers"
RECKONERS = frozenset({CALCULATE, CONVERTER})
"""Tools that go on with a number that was said or found before."""
CHANGERS = {"home_state": "home_set", "read_list": ADDER}
"""Finder -> what is meant by an order to do something with "it", if nothing else is."""
READERS = FINDERS | {CONVERTER, "recall", "repeat"}
"""Tools that only tell."""
CERTAIN, RIVAL = 0.5, 0.1
"""How likely the one tool is that is called for, and less than how much each other: right in 249 of 251 unseen lines
where it was so (2026-11-26, models/cards/intents.md)."""
SURE = 0.8
"""How likely a tool is that nothing said before can make another one of: of 23 follow-ups by a stranger whose own tool
was not offered, the likeliest other one is as likely in one (2026-11-26, before they were cut from bench/lessons)."""
PLAIN = 0.9
"""How likely the tool is that a condition is looked up by, whatever words of the line say; a judgement."""
IDLE = 0.7
"""How likely it must be that a line calls for no tool for none to be offered, and none CERTAIN: 47 of 67 unseen remarks
and questions that everybody can answer, and one of 333 requests (2026-11-24)."""
FAR = 0.35
"""Of how likely the likeliest named source is: how warm the nursery is, no weather report tells. A judgement."""
SOUGHT = 0.1
"""How likely a source must be, before all other tools, for a question to be put to it: less rules out more remarks."""
ASKED = 0.2
"""How likely a tool is that a line seems to want."""
UNASKED, CALM = 0.03, 0.1
"""How likely a tool that changes something must be where the line does not ask the box to do anything; and how likely
at least for each bit that it is likelier to call for none. One is offered for 10 of 58 unseen lines that call for none
(2026-11-26)."""


def tool_signs(line: Line, data: Patterns) -> ToolSigns:
    claimed, spoken = _named(data.sources, line.text), spoken_for(line.text, data)
    ruled_out = frozenset() if line.conditional else _named(data.ruled_out, line.digits)
    numbers = max(1, len(set(NUMBER.findall(line.digits)))) if line.quantity else 0
    enough = {tool for tool, (_, needed) in data.evidence.items() if 0 < needed <= numbers}
    unlikely = _unlikely(line, data, numbers, spoken | enough, claimed) | ruled_out
    uncounted = _uncounted(line, claimed) | _too_few(line, data, numbers) - spoken
    if data.unfinished.search(line.text):
        unlikely |= data.evidence.keys()
    claimed = _likelier(claimed - ruled_out, line.intended)
    meant = frozenset(tool for tool, likely in line.intended.items() if likely >= MEANT) - ruled_out
    due = named = _named(data.wanted, line.text)
    known = frozenset(line.intended.keys() | data.evidence.keys())
    asked = _asked(line, data, spoken | claimed) - ruled_out
    if line.conditional:
        unlikely -= FINDERS
    if line.idle and all(line.intended.get(tool, 1.0) < MEANT for tool in due):
        return ToolSigns(known, unlikely=known - line.open_to, faint=known, idle=True)
    whole = data.orders_in(line.text) and not data.unfinished.search(line.text)
    unlikely -= asked | (named - ruled_out if whole else frozenset())
    due |= asked | {tool for tool in meant if not line.chat and line.intended[tool] >= CERTAIN}
    if line.condition:
        claimed = _named(data.sources, line.condition.test) or claimed  # what is looked at is in it, not in the order
    finding = _finding(line, claimed & FINDERS)
    sent = _named(data.sent, line.text) & claimed
    closed = unlikely | uncounted
    certain = "" if line.conditional else _certain(line, claimed, closed, bool(data.acts.match(line.text)))
    if len(claimed) == 1 == len(sent) and not line.chat:
        (certain,) = sent
        unlikely -= sent  # what it is to be found there for may look like any other request
    return ToolSigns(
        known=known,
        unlikely=unlikely,
        faint=_faint(line, data, spoken | enough),
        meant=meant,
        possible=frozenset(tool for tool, likely in line.intended.items() if likely >= LIKELY) - ruled_out,
        certain=certain,
        claimed=claimed,
        ordered=_ordered(line, data, finding),
        finding=finding,
        called_for=spoken | claimed,
        wanted=due if line.chat or line.bare else due | meant,
        sure=named | {tool for tool, likely in line.intended.items() if likely >= SURE},
        due=due,
        uncounted=uncounted,
        asked=frozenset(tool for tool in asked if line.intended.get(tool, 0.0) >= CERTAIN),
    )


def _asked(line: Line, data: Patterns, called_for: Set[str]) -> set[str]:
    """The source that a question is most likely for: asked for it, a small model makes an answer up.

    Where nothing is likely and a word is strange, that is the encyclopaedia. Of 75 unseen questions for a source 68 can
    only be answered so, 65 by `CERTAIN` alone; so are 5 of 325 other lines, and 3.
    """
    telling = not line.asks and (line.chat or (line.bare and not data.questions.search(line.text)))
    called_for = {tool for tool in called_for if line.intended.get(tool, 1.0) >= POSSIBLE}  # "what on earth is a ..."
    if telling or not line.intended or line.conditional:
        return set()
    best, likely = likeliest(line.intended)
    if best not in data.sources or likely < SOUGHT:
        own = data.personal.search(line.text)
        told = line.asks and best in KEEPERS  # it is told where it was found, and asked what it is
        called_for = called_for & READERS if line.asks else called_for
        return set() if (likely >= ASKED and not told) or called_for or own or not line.strange else {LOOKUP}
    known = best == "recall" or (best == LOOKUP and not line.strange)  # "what year was it", of what was just found
    return set() if known else {best}


def _unlikely(line: Line, data: Patterns, numbers: int, spoken_for: Set[str], claimed: Set[str]) -> frozenset[str]:
    """spoken_for: by words or numbers."""
    too_long = {tool for tool, most in data.brief.items() if len(line.text.split()) > most}
    learnt = set() if line.conditional else data.sources.keys() & line.intended.keys()
    unspoken = (data.evidence.keys() | learnt) - spoken_for - claimed
    return frozenset(_doubtful(unspoken, line, claimed) | too_long) - line.open_to


def _likelier(claimed: Set[str], intended: dict[str, float]) -> frozenset[str]:
    """Without those that a word speaks for which another one of them is far likelier to be meant by."""
    best = max((intended.get(tool, 0.0) for tool in claimed), default=0.0)
    return frozenset(tool for tool in claimed if best < MEANT or intended.get(tool, 0.0) >= best * FAR)


def _doubtful(unspoken: Set[str], line: Line, claimed: Set[str]) -> set[str]:
    """Tools that are not offered. unspoken: those that no word speaks for.

    What hangs on a condition was not among the lines that the intents were learnt from: it takes both to rule it out.
    """
    _, best = likeliest(line.intended)
    share = best * SHARE
    enough = RIVAL if line.recent else max(LIKELY, share)
    known = not (line.strange or claimed or line.intended.get(LOOKUP, 0.0) == best > line.calm)
    least = {LOOKUP: MEANT if known else enough}  # what everybody knows the model knows as well
    unlikely = {tool for tool in unspoken if line.intended.get(tool, 0.0) < least.get(tool, enough)}
    beaten = {tool for tool, likely in line.intended.items() if likely < max(POSSIBLE, share) and tool not in claimed}
    return unlikely if line.conditional else unlikely | beaten


def _too_few(line: Line, data: Patterns, numbers: int) -> frozenset[str]:
    """What reckons with more numbers than were said, here or just before."""
    sure = {tool for tool, likely in line.intended.items() if likely >= CERTAIN and line.counted_before}
    return frozenset(tool for tool, (_, needed) in data.evidence.items() if 0 < numbers < needed) - sure


def _uncounted(line: Line, claimed: Set[str]) -> frozenset[str]:
    """What reckons with numbers that a source has yet to give."""
    best, _ = likeliest(line.intended)
    if best not in FINDERS & claimed:
        return frozenset()
    said = len(NUMBER.findall(line.digits))
    return frozenset(tool for tool, needed in ((CALCULATE, 2), (CONVERTER, 1)) if said < needed)


def _faint(line: Line, data: Patterns, spoken_for: Set[str]) -> frozenset[str]:
    """None in an order, a condition or a correction, nor of those that are only meant by a few words.

    spoken_for: by words or numbers. Who names a number to the box, and does not only tell, asks for more than who
    names none.
    """
    if (
        line.conditional
        or data.orders_in(line.text)
        or data.requests.search(line.text)
        or data.amending.match(line.digits)
    ):
        return frozenset()
    numbered = spoken_for if line.quantity and not line.chat else frozenset()
    needed = {tool: LIKELY if tool in numbered else max(UNASKED, line.calm * CALM) for tool in line.intended}
    faint = {tool for tool, likely in line.intended.items() if likely < needed[tool]}
    return frozenset(faint.difference(data.brief))


def _ordered(line: Line, data: Patterns, finding: Set[str]) -> frozenset[str]:
    """finding: see ToolSigns."""
    if not line.condition:
        return frozenset()
    order = line.condition.act
    if data.orders.match(order) and not data.acts.match(order):  # "tell me": nothing is done to what was found
        on = (
            {LOOKUP} & {likeliest(line.ordered)[0]} if line.condition.follows else set()
        )  # "and look up where she was born"
        return frozenset(tool for tool in TAKERS - {SENDER} | on if line.ordered.get(tool, 0.0) >= ASKED)
    if asked := elsewhere(order, line.ordered, data):
        return asked
    changed = frozenset(CHANGERS[tool] for tool in finding & CHANGERS.keys())
    if TIMERS in finding and data.referring.search(order) and NUMBER.search(order) and not line.condition.follows:
        return frozenset({"adjust_timer"})  # "give it 10 more"
    meant = frozenset(tool for tool in TAKERS if line.ordered.get(tool, 0.0) >= (CERTAIN if changed else MEANT))
    return meant or changed or taken_by(order, line.ordered, data) or spoken_for(order, data) & TAKERS


def taken_by(text: str, likely: dict[str, float], data: Patterns) -> frozenset[str]:
    """The tools that an order calls for which does something with what was found; none where it only asks on.

    likely: of each tool, that the order means it.
    """
    best, sure = likeliest(likely)
    asks = best in READERS and sure >= MEANT
    takers = {tool: likely[tool] for tool in TAKERS & likely.keys() if likely[tool] >= (MEANT if asks else RIVAL)}
    meant = frozenset(tool for tool, share in takers.items() if share >= MEANT or share == max(takers.values()))
    return meant or (frozenset() if asks else spoken_for(text, data) & TAKERS)


def elsewhere(text: str, likely: dict[str, float], data: Patterns) -> frozenset[str]:
    """The source that it asks of a place which only another part of its line names: "and how warm is it there"."""
    best, sure = likeliest(likely)
    return frozenset({best} & ELSEWHERE) if sure >= CERTAIN and data.there.search(text) else frozenset()


def _finding(line: Line, claimed: Set[str]) -> frozenset[str]:
    """claimed: the sources that are as good as named, which a word can be by chance."""
    if not line.condition:
        return frozenset()
    best, sure = likeliest(line.tested)
    enough = CERTAIN if sure >= PLAIN else MEANT if claimed else RIVAL
    likely = {tool for tool, share in line.tested.items() if share >= enough} & FINDERS
    reckoned = {best} & {CALCULATE} if sure >= CERTAIN else set()
    return frozenset(likely | reckoned | (claimed if sure < PLAIN else set()))


def _certain(line: Line, claimed: Set[str], unlikely: Set[str], ordered: bool) -> str:
    """The tool that is called for, if there is no other that may be; nothing is converted where no unit is named.

    ordered: it begins with a verb for doing something, so that it is no question.
    """
    intended, (tool, sure) = line.intended, likeliest(line.intended)
    if tool == CALCULATE and not line.measured:
        intended = {other: likely for other, likely in intended.items() if other != CONVERTER}
    told = READERS if ordered and tool not in READERS else frozenset[str]()
    rival = max((intended[other] for other in intended.keys() - {tool} - told), default=0.0)
    if tool in unlikely or (claimed - told and tool not in claimed) or rival >= RIVAL:
        return ""
    return tool if sure > (MEANT if tool in claimed else CERTAIN) else ""


def likeliest(intended: Mapping[str, float]) -> tuple[str, float]:
    """The tool that is meant before all others, and how likely, 0 to 1; no name where nothing is known."""
    return max(intended.items(), key=lambda each: each[1], default=("", 0.0))


def _named(table: dict[str, re.Pattern[str]], text: str) -> frozenset[str]:
    return frozenset(tool for tool, pattern in table.items() if pattern.search(text))


def spoken_for(text: str, data: Patterns) -> frozenset[str]:
    return frozenset(tool for tool, (pattern, _) in data.evidence.items() if pattern.search(text))
