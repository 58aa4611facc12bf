"""Which tools stand in the prompt's head, and how the others are found where there are too many for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.ports import Tool
from appliance.reply import prompt
from appliance.reply.channels import Channel
from appliance.reply.dependencies import Dependencies
from appliance.reply.router import Router
from appliance.reply.toolset import Toolset

SEARCH, ANALYSE = "tool_search", "analyse"
"""Steps that the engine itself provides (prompts/choices.yaml)."""

Pick = Callable[[str, Sequence[Tool]], Sequence[str]]


class Catalogue:
    """Up to `catalogue_max` tools, all of them stand in the pinned head.

    Of more, the first ones do, and a router chooses among the rest for each line; `tool_search` looks again.
    """

    def __init__(self, needs: Dependencies, pick: Pick) -> None:
        """pick: names tools for a line, by a pass of the model."""
        self._settings, self._conversation = needs.settings.reply, needs.conversation
        self._guests, settings, tools = needs.guests, self._settings, needs.tools
        self._router = Router(settings.router, settings.router_limit, pick=pick)
        many = len(tools) > settings.catalogue_max
        first = list(tools[: settings.catalogue_max - settings.router_limit] if many else tools)
        extras: list[Tool] = [prompt.choice(SEARCH)] if many else []
        if not needs.model.facts.small:
            extras.append(prompt.choice(ANALYSE))
        self.pinned: list[Tool] = [*first, *extras]
        self._rest = {tool.name: tool for tool in tools[len(first) :]}
        self.all: dict[str, Tool] = {tool.name: tool for tool in [*needs.commands, *self.pinned, *self._rest.values()]}

    def shortlist(self, heard: str) -> list[Tool]:
        """Of the tools that are not pinned: what the line seems to be about, and what failed a turn ago.

        Of a line that is about none of them the model reads none: it has `tool_search`. All of 200 would be 3,300
        tokens, read anew in every turn, and more than the context holds (bench/growth.py).
        """
        if not self._rest:
            return []
        carried = self._conversation.carried
        found = self._router.matches(heard, [*self._rest.values()], carried.picks)
        return [self._rest[name] for name in dict.fromkeys([*carried.failed, *found]) if name in self._rest]

    def toolset(self, channel: Channel, shortlist: Sequence[Tool]) -> Toolset:
        tools = Toolset(channel, self._settings.roles, self._guests, self.all, role=self._default_role)
        tools.add([*self.pinned, *shortlist])
        return tools

    def search(self, query: str, tools: Toolset) -> str:
        """`tool_search`: widens what may be offered from the next pass on; a note for the model."""
        tools.searches += 1
        if tools.searches > self._settings.searches_max:
            return prompt.note("searched")
        found = self._router.matches(query, [*self._rest.values()], self._conversation.carried.picks)
        more = [self._rest[name] for name in found]
        tools.add(more)
        return prompt.note("found", tools=prompt.catalogue(more)) if more else prompt.note("none")

    @property
    def _default_role(self) -> str:
        """A single role is always in force; of several the plan picks one."""
        names = list(self._settings.roles)
        return names[0] if len(names) == 1 else ""
