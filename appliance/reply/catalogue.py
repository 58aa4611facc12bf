"""Which tools stand in the prompt's head, and how the others are found where there are too many for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from appliance.language.meanings import meanings
from appliance.ports import ModelFacts, Tool
from appliance.reply import prompt
from appliance.reply.channels import Channel
from appliance.reply.conversation import Conversation
from appliance.reply.dependencies import Dependencies
from appliance.reply.line import Line
from appliance.reply.prompt import ANALYSE, SEARCH
from appliance.reply.router import Router, Strategy
from appliance.reply.select import CERTAIN, OFFER, TALK, of_their_skills
from appliance.reply.toolset import Toolset
from appliance.reply.turn import Turn

Pick = Callable[[str, Sequence[Tool]], Sequence[str]]


class Here(Mapping[str, Tool]):
    """All tools that are here: those of the conversation that is taken up, and the box's own of any other name."""

    def __init__(self, own: dict[str, Tool], conversation: Conversation) -> None:
        self.own, self._conversation = own, conversation

    def __getitem__(self, name: str) -> Tool:
        brought = self._conversation.talk.tools
        return brought[name] if name in brought else self.own[name]

    def __iter__(self) -> Iterator[str]:
        yield from {**self._conversation.talk.tools, **self.own}

    def __len__(self) -> int:
        return len({*self._conversation.talk.tools, *self.own})


class Catalogue:
    """Up to `catalogue_max` tools all stand in the pinned head.

    Of more, the first whose lines are known stand there. The others are shown beside a line that may mean them: by the
    classifier's scores where their lines are known, else by a router; `tool_search` looks again. The router looks for
    tools of unknown lines among few as well: what one of them seems to be for is not refused, though no score speaks
    for it. Those that come and go are never in the head, which stays what it is: they are taken as they are when a turn
    begins, and stay so until it ends.
    """

    def __init__(self, needs: Dependencies, taught: Set[str], pick: Pick) -> None:
        """taught: names that the classifier has scores for.  pick: names tools for a line, by a pass of the model."""
        self._settings, self._conversation = needs.settings.reply, needs.conversation
        self.reviewed = {name for name, skill in needs.skill_of.items() if skill in needs.answers}
        self._guests, self._of_body, settings, tools = needs.guests, needs.of_body, self._settings, needs.tools
        self._skill_of, self._language = needs.skill_of, needs.settings.words.language
        self._coming = needs.coming
        many = len(tools) > settings.catalogue_max or self._coming is not None
        known = _known(needs, taught)
        unknown = {tool.name: tool for tool in tools if tool not in known}
        routes = bool(unknown) or self._coming is not None
        room = settings.catalogue_max - (settings.router_limit if routes else 0)
        first = known[: max(0, room)] if many else tools
        self._router = self._made_router(settings.router if many else "hybrid", pick)
        self._first, self._model = first, needs.model
        self._search = [prompt.choice(SEARCH)] if many and routes and settings.searches_max else []
        self._analyse = prompt.choice(ANALYSE)
        self._unknown, self._routed, self._prior = unknown, unknown, needs.prior
        self._unseen = {tool.name: tool for tool in known if tool not in first}
        self._sought, self._by_lines = unknown | self._unseen, frozenset(tool.name for tool in known)
        self._instead = frozenset[str]()
        """Names of those that the head shows, and the conversation has brought in their place."""
        every: list[Tool] = [*needs.commands, *tools, *self._search, self._analyse]
        self.all = Here({tool.name: tool for tool in every}, needs.conversation)
        self._fixed = frozenset(self.all.own)
        kept = {tool.name for tool in every if tool.memory or isinstance(tool, prompt.Choice)}
        self.irreplaceable = frozenset(kept | self.reviewed)
        """Names of those in whose place a conversation brings none: the memory is this box's, and so are the sentences
        that were reviewed, and what the engine itself does."""

    def _made_router(self, strategy: Strategy, pick: Pick) -> Router:
        return Router(strategy, self._settings.router_limit, pick)

    def pinned(self, facts: ModelFacts) -> list[Tool]:
        """What the head of such a model shows."""
        return [*self._first, *self._search, *([] if facts.small else [self._analyse])]

    def take_coming(self) -> None:
        """Those that come and go, and those of the conversation that is taken up: at the beginning of a turn, and when
        one goes on.

        Those that are gone stay known: one that was asked about may get its yes, and says itself that it is gone.
        """
        coming = self._coming() if self._coming else ()
        now = {tool.name: tool for tool in coming if tool.name not in self._fixed}
        self.all.own.update(now)
        brought = self._conversation.talk.tools
        untold = {name: tool for name, tool in brought.items() if name not in self._by_lines}
        self._routed = {**self._unknown, **now, **untold}
        self._sought = self._routed | {name: brought.get(name, tool) for name, tool in self._unseen.items()}
        self._instead = frozenset(tool.name for tool in self._first) & brought.keys()
        self._router.meanings = meanings(self._language) if untold or self._coming else None

    def find(self, turn: Turn) -> None:
        """Open what a turn's line seems to be about, by its scores or by the router, and what the last turn was about.

        For small talk, and where a tool is certain by its scores, the router goes by words alone: what is merely about
        something like it would be read in vain.

        Of a line that is about none of them the model reads none: it has `tool_search`. All of 200 would be 3,300
        tokens, read anew in every turn, and more than the context holds (bench/growth.py).
        """
        if not self._sought:
            return
        line, tools, failed = turn.line, turn.tools, self._conversation.carried.failed
        if failed & self._sought.keys():
            turn.took_branch("offered_again")
        if failed - self._sought.keys() - self._fixed:
            turn.took_branch("gone")
        untaught = {name for name in self._sought.keys() - self._routed.keys() if not self._is_taught(name, line)}
        scores = {**(self._prior(line.text) if untaught else {}), **line.scores}
        likely = [
            name for name in self._sought if scores.get(name, scores.get(self._skill_of.get(name, ""), 0.0)) >= OFFER
        ]
        carried = self._conversation.carried
        known = (line.no_tool or 0.0) >= TALK or line.wanted >= CERTAIN
        tools.find(self._beyond([*failed, *likely, *self._matches(line.text, by_words=known)]))
        going_on = carried.awaited | of_their_skills(carried.used, self._skill_of)
        going_on |= carried.used & self._routed.keys() - self._unknown.keys()  # a server's tools are many, and no skill
        tools.add([tool for name, tool in self._sought.items() if name in going_on])

    def _is_taught(self, name: str, line: Line) -> bool:
        """By a score of its own, or by that of its skill."""
        return name in line.scores or self._skill_of.get(name, "") in line.scores

    def beside(self, offered: Sequence[Tool]) -> list[Tool]:
        """Those of the offered that the head does not show, or as another device has them."""
        return [tool for tool in offered if tool.name in self._sought or tool.name in self._instead]

    def toolset(self, channel: Channel) -> Toolset:
        """For a turn that begins now."""
        self.take_coming()
        own, role = self._conversation.talk.tools.keys(), self._settings.usual_role
        tools = Toolset(
            channel, self._settings.roles, self._guests, self.all, self.reviewed, own, self._of_body, role=role
        )
        tools.add(self.pinned(self._model.facts))
        return tools

    def fit(self, tools: Toolset) -> None:
        """Open what there is for the model that answers now, in the middle of a turn."""
        beyond = self._beyond([*tools.open])
        tools.open.clear()
        tools.add([*self.pinned(self._model.facts), *beyond])

    def search(self, query: str, turn: Turn) -> str:
        """`tool_search`: widens what may be offered from the next pass on; a note for the model."""
        tools = turn.tools
        tools.searches += 1
        if tools.searches > self._settings.searches_max:
            turn.took_branch("searched_enough")
            return prompt.note("searched")
        tools.find(more := [self._sought[name] for name in self._matches(query)])
        if not more:
            return prompt.note("none")
        turn.took_branch("searched")
        return prompt.note("found", tools=prompt.catalogue(more))

    def _beyond(self, names: Sequence[str]) -> list[Tool]:
        """Those of the named that the head does not show, each once."""
        return [self._sought[name] for name in dict.fromkeys(names) if name in self._sought]

    def _matches(self, query: str, by_words: bool = False) -> list[str]:
        if not self._routed:
            return []
        return self._router.matches(query, [*self._routed.values()], self._conversation.carried.picks, by_words)


def _known(needs: Dependencies, taught: Set[str]) -> list[Tool]:
    """The tools that a line is known to mean by its words: the classifier's, by themselves or by their skill, and those
    whose skill has lines."""
    known = {tool.name for tool in needs.tools if {tool.name, needs.skill_of.get(tool.name, "")} & taught}
    offered = needs.prior("").keys() if len(known) < len(needs.tools) else ()
    return [tool for tool in needs.tools if tool.name in known or tool.name in offered]
