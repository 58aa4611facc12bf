"""Which tools a turn may use, and which of them the model reads about where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.ports import Tool
from appliance.reply import prompt
from appliance.reply.calls.grounding import said_parameters
from appliance.reply.house import House
from appliance.reply.prompt import Choice
from appliance.reply.router import Router
from appliance.reply.understanding.corrections import MEMORY_TOOLS, PREFERENCE, RECALL
from appliance.reply.understanding.line import LOOKUP
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.relevance import telling
from appliance.reply.understanding.tool_signs import (
    CALCULATE,
    CHANGERS,
    CLOCK,
    FINDERS,
    RECKONERS,
    TAKERS,
    TIMERS,
)
from appliance.reply.without import kept
from appliance.reply.work import ACT, Work

SEARCH, ANALYSE = "tool_search", "analyse"
OPTIONAL = {"lookup", RECALL, "stop"}
"""What the first two find, the model may know already, or be told beside the line; "okay thanks" sounds like a stop.
A lookup that a question asks for is none of them (ToolSigns.asked)."""
KEEPING = MEMORY_TOOLS - {PREFERENCE, RECALL}
"""What one can do about a thing that no tool does: "remember to book a table"."""

SET_TIMER, ADJUST_TIMER = "set_timer", "adjust_timer"
ADD, DIRECTION = "add", "direction"
TIMER_TOOLS = frozenset({ADJUST_TIMER, "cancel_timer", "list_timers"})
"""What starts a timer, and what there is to do with one that runs."""
FAMILIES: tuple[frozenset[str], ...] = (
    *map(frozenset, CHANGERS.items()),
    RECKONERS,
    frozenset({"play_music", "set_volume"}),
)
"""Tools about the same: who has just used one may mean another, whatever the words ("well that wants to be off")."""

FOUND_FIRST = FINDERS - {CLOCK, TIMERS}
"""What an order or a sum may need to know first."""
STEPS_WORDS = 9
"""Of a line that may be two steps: the 60 lessons of such lines all have as many (bench/lessons/worked.yaml)."""

Pick = Callable[[str, Sequence[Tool]], Sequence[str]]


class Catalogue:
    """Up to `catalogue_max` tools, all of them stand in the pinned head.

    Of more, the first ones do, and a router chooses among the rest for each line; `tool_search` looks again.
    """

    def __init__(self, house: House, pick: Pick) -> None:
        """pick: names tools for a line, by a pass of the model."""
        settings, tools, commands = house.settings.reply, house.tools, house.commands
        self._small = small = house.model.facts.small
        self._settings, self._running, self._conversation = settings, house.running, house.conversation
        self._commands = {tool.name: tool for tool in commands}  # never shown to the model
        self._router = Router(settings.router, settings.router_limit, pick=pick)
        many = len(tools) > settings.catalogue_max
        first = list(tools[: settings.catalogue_max - settings.router_limit] if many else tools)
        extras: list[Tool] = [prompt.choice(SEARCH)] if many else []
        if not small:
            extras.append(prompt.choice(ANALYSE))
        self.pinned: list[Tool] = [*first, *extras]
        self._rest = list(tools[len(first) :])
        self._more = {tool.name: tool for tool in self._rest}
        self.all: dict[str, Tool] = {tool.name: tool for tool in [*commands, *self.pinned, *self._more.values()]}

    def shortlist(self, heard: str) -> list[Tool]:
        """Of the tools that are not pinned: what the line seems to be about, and what failed a turn ago.

        Of a line that is about none of them the model reads none: it has `tool_search`. All of 200 would be 3,300
        tokens, read anew in every turn, and more than the context holds (bench/growth.py).
        """
        if not self._more:
            return []
        carried = self._conversation.carried
        names = dict.fromkeys([*carried.failed, *self._router.matches(heard, self._rest, carried.picks)])
        return [self._more[name] for name in names if name in self._more]

    def allow(self, work: Work, shortlist: Sequence[Tool]) -> None:
        """Set what may run: by channel and by the role in force."""
        role = self._settings.roles.get(work.role)
        for tool in [*self.pinned, *shortlist, *self._commands.values()]:
            known_here = work.channel.tools is None or tool.name in work.channel.tools
            in_role = role is None or not role.tools or tool.name in role.tools or isinstance(tool, Choice)
            if known_here and in_role:
                work.allowed[tool.name] = None
            else:
                work.allowed.pop(tool.name, None)

    def search(self, query: str, work: Work) -> str:
        """`tool_search`: widens what may run from the next pass on; a note for the model."""
        work.searches += 1
        if work.searches > self._settings.searches_max:
            return prompt.note("searched")
        picks = self._conversation.carried.picks
        found = [self._more[name] for name in self._router.matches(query, self._rest, picks)]
        self.allow(work, found)
        return prompt.note("found", tools=prompt.catalogue(found)) if found else prompt.note("none")

    def certain(self, work: Work) -> str:
        """The name of the one tool that the line calls for, if it is here and may run; or none."""
        name = "" if work.completing else work.signs.tools.certain
        if name not in work.just_used and (work.elliptic or self._may_go_on(name, work)):
            return ""
        if name not in work.allowed or name in OPTIONAL:
            return ""
        if work.earlier and name not in work.just_used | work.signs.tools.sure:
            return ""
        tool, asks = self.all[name], work.signs.asks and not work.signs.words.acts.match(work.heard)
        if tool.effect != "read" and (work.signs.claiming or asks):
            return ""  # "did you unlock it" and "is the light on" may order nothing
        return kept("certain", name if self._fits(tool, work) else "", "")

    def offered(self, work: Work) -> list[Tool]:
        """Those that the model may call now. A small one is only offered what the line, or a result, can be about."""
        tools = [self.all[name] for name in work.allowed if name not in self._commands]
        only = work.must or (work.completing if self._small else "")
        if only not in ("", ACT) and only in work.allowed:
            return [self.all[only]]
        ordered = [tool for tool in tools if tool.name in work.signs.tools.ordered]
        if self._small and work.results and ordered:
            return ordered
        fitting = [tool for tool in tools if self._fits(tool, work) or _accounts(tool, work)] if self._small else tools
        acting = [tool for tool in fitting if tool.effect != "read"] if work.must == ACT else []
        return acting or fitting

    def _fits(self, tool: Tool, work: Work) -> bool:
        score = tool.ready() and tool.name in work.signs.tools.possible | work.just_used | work.awaited
        return kept("rules", kept("offering", self._fits_rules(tool, work), tool.ready()), score)

    def _fits_rules(self, tool: Tool, work: Work) -> bool:
        signs = work.signs
        if signs.conditional and not work.results and not self._finds(tool, work):
            return False
        if tool.name in work.settled:
            return False
        if self._instead(tool, work) or self._needless(tool, work):
            return False
        if tool.name in work.just_used | work.awaited or _resumed(tool, work) or self._goes_on(tool, work):
            return True
        if tool.ready() and (_may_follow(tool, work) if work.results else _may_be_found_first(tool, work)):
            return True
        if tool.effect != "read" and tool.name in signs.tools.faint:
            return False
        if said_parameters(tool) & set(tool.schema.get("required", ())) and not work.countable(tool.name):
            return False
        waits = tool.name in signs.tools.uncounted and not (work.results or NUMBER.search(work.beside))
        return tool.name not in signs.tools.unlikely and not waits and tool.ready()

    def _needless(self, tool: Tool, work: Work) -> bool:
        """Whether what it would give is known already, or is for another one to do."""
        signs, reads = work.signs, tool.effect == "read"
        if work.answered and reads and tool.name not in signs.tools.claimed - {CLOCK} and not _tells_now(tool, work):
            return True
        adds = tool.name == SET_TIMER and ADD in signs.fitting(ADJUST_TIMER, DIRECTION)
        return (adds and self._named(work)) or (work.acquainted and tool.name == LOOKUP)

    def _instead(self, tool: Tool, work: Work) -> bool:
        """Whether it would stand in for one that is not here: "book a table for four" is no timer, and no sum."""
        tools, asks = work.signs.tools, work.signs.asks and tool.effect == "read"
        missing = not asks and (tools.wanted & tools.sure) - self.all.keys()
        return bool(missing) and tool.name not in KEEPING | tools.meant

    def _goes_on(self, tool: Tool, work: Work) -> bool:
        """Whether it may be meant without its own words: by what the last turn was about, and for a timer that runs by
        its name as well. What changes a timer takes an order besides, or a number.
        """
        signs = work.signs
        again = signs.quantity and tool.name in work.just_used & RECKONERS  # "they agreed eighteen fifty"
        if (signs.tools.idle and not again) or not tool.ready():
            return False
        if tool.name == ADJUST_TIMER and signs.quantity and (SET_TIMER in signs.tools.meant or self._named(work)):
            return not _orders_nothing(work)  # "six hours will do", "the ash is thicker, six more on it"
        if tool.effect != "read" and _orders_nothing(work):
            return False  # "and is the hall light on", "did you turn it off"
        if tool.name not in TIMER_TOOLS:
            used = work.just_used | work.resumed
            return any(tool.name in family and not used.isdisjoint(family) for family in FAMILIES)
        points, orders = signs.words.referring.search(work.heard), signs.words.acts.match(work.heard)
        likely = tool.name not in signs.tools.unlikely
        asked = tool.effect == "read" or orders or likely or (tool.name == ADJUST_TIMER and signs.quantity)
        just_set = not work.just_used.isdisjoint({SET_TIMER, *TIMER_TOOLS})
        return bool(asked and not signs.chat and ((just_set and points) or self._named(work)))

    def _named(self, work: Work) -> bool:
        """Whether the line names a timer that runs."""
        return any(telling(name) & telling(work.heard) for name in self._running())

    def _may_go_on(self, name: str, work: Work) -> bool:
        """Whether a line that points, "put them on", may be for what the last turn was about, not for `name`."""
        others = (tool for tool in self.all.values() if tool.effect != "read" and tool.name not in {name, *TIMER_TOOLS})
        points = work.signs.words.referring.search(work.heard)
        return points is not None and any(self._goes_on(tool, work) for tool in others)

    def _finds(self, tool: Tool, work: Work) -> bool:
        """Whether it can tell what an order waits for."""
        finding = work.signs.tools.finding & work.allowed.keys()
        return tool.effect == "read" and (not finding or tool.name in finding)


def _orders_nothing(work: Work) -> bool:
    """Whether it is a question or a remark, which nothing is done upon that changes anything."""
    return work.signs.asks or work.signs.claiming or work.signs.chat


def _resumed(tool: Tool, work: Work) -> bool:
    """Whether the line goes back to it, behind some talk."""
    return tool.name in work.resumed and (tool.effect == "read" or not _orders_nothing(work))


def _may_follow(tool: Tool, work: Work) -> bool:
    """Whether it may do something with what was found: what only reads always, what acts where the line may mean it."""
    possible = work.signs.tools.possible
    if tool.effect == "read":
        return tool.name in possible | FINDERS | RECKONERS
    return tool.name in possible and not _orders_nothing(work)


def _may_be_found_first(tool: Tool, work: Work) -> bool:
    """Whether it may find what a long order or sum lacks where no source is spoken for: "eggs for six of her cakes"."""
    tools = work.signs.tools
    if tool.name not in FOUND_FIRST or tools.idle or work.signs.chat or len(work.heard.split()) < STEPS_WORDS:
        return False
    takes = not (tools.meant | tools.called_for).isdisjoint(TAKERS | RECKONERS)
    return takes and (tools.meant | tools.claimed | tools.asked).isdisjoint(FOUND_FIRST)


def _tells_now(tool: Tool, work: Work) -> bool:
    """Whether it is the clock, and asked for the time that it is somewhere: memory may know where, and never that."""
    return tool.name == CLOCK and work.signs.words.hour.search(work.heard) is not None


def _accounts(tool: Tool, work: Work) -> bool:
    """Whether it reckons what the line asks for from a number that is stored: "how old does that make her"."""
    asks = work.signs.words.accounting.search(work.heard)
    return tool.name == CALCULATE and bool(asks and NUMBER.search(work.beside))
