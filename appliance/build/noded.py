"""A node: the very box, with a hub in the place of its language model."""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import TYPE_CHECKING

from appliance.build.adapters import Adapters
from appliance.build.parts import Parts
from appliance.build.shown import PromptPart
from appliance.errors import PartMissing, WrongUse
from appliance.llm.absent import AbsentModel
from appliance.ports import Bridge, LanguageModel, Skill
from appliance.ports.command_api import NodeContext
from appliance.settings import Settings

if TYPE_CHECKING:
    from appliance.bridge.provider import Provider
    from appliance.node.commanding import Commanding
    from appliance.node.proving import Proof
    from appliance.reply.engine import Engine
    from appliance.skills.skillset import Skills

log = logging.getLogger(__name__)

ALONE = ("about", "arithmetic", "care", "clock", "country", "help")
"""Skills that are there while the hub is not: they keep nothing, so nothing of theirs is missed on the hub."""
UNDO = "undo"
"""Takes back what this box did, where it did something last."""
OWN = "own_skill_"
MARGIN_S = 2.0
"""Before the service gives the turn up, for the box to say itself that the hub did not answer."""
START_S = 10.0
"""For a bridge within this process to listen."""


class NoModel(AbsentModel):
    """The language model of a box that has none, and needs none as long as its hub is there."""

    def __init__(self, hub: Commanding) -> None:
        super().__init__(PartMissing("this box thinks on a hub", remedy="take node.hub out of the settings"))
        self._hub = hub

    @property
    def trouble(self) -> str:
        why = self._hub.trouble
        return f"the hub cannot be reached ({why}); run: appliance bridge check" if why else ""


class OnHub(Adapters):
    """What is otherwise than in a box that thinks itself; stands before `Parts`."""

    @cached_property
    def llm(self) -> LanguageModel:
        return NoModel(self.hub)

    @cached_property
    def local_llm(self) -> NoModel:  # type: ignore[override]
        return NoModel(self.hub)

    @cached_property
    def hub(self) -> Commanding:
        from appliance.node.commanding import Commanding
        from appliance.node.functions import functions
        from appliance.node.link import HubLink

        tools = [tool for skill in self._local for tool in skill.tools]
        patience_s = max(self.settings.thought.deadline_s - MARGIN_S, 1.0)
        return Commanding(HubLink(self.bridge), functions(tools), patience_s)

    @cached_property
    def bridge(self) -> Bridge:
        if path := self.settings.bridge.socket:
            from appliance.bridge.client import SocketBridge

            return self._stack.enter_context(SocketBridge(path, self.settings.words.language))
        return self._stack.enter_context(bridge_within([provider(self.settings)], self.settings.words.language))

    @cached_property
    def engine(self) -> Engine:
        from appliance.reply.remote import NodeEngine

        local = [tool.name for skill in self._local for tool in skill.all_tools]
        engine = NodeEngine(self.dependencies(), self.hub, local, [UNDO])
        engine.warm_up()
        return engine

    def skills_for(self, settings: Settings) -> Skills:
        """Those of this box alone: what is not among them is no refusal, but the hub's to answer."""
        made, here = super().skills_for(settings), {*settings.node.tools, *ALONE}
        for unknown in {*settings.node.tools} - {skill.name for skill in (*made.on, *made.off, *made.absent)}:
            log.error("node.tools names %s, which is no skill here", unknown)
        return replace(
            made, on=tuple(each for each in made.on if each.name in here or _is_own(each)), off=(), absent=()
        )

    @property
    def _local(self) -> list[Skill]:
        """Those whose work is done here, hub or not."""
        return [each for each in self.skills.on if each.name in self.settings.node.tools or _is_own(each)]


class NodeParts(OnHub, Parts):
    def prompt(self, line: str, after: Sequence[str]) -> list[PromptPart]:
        raise WrongUse("this box thinks on a hub, which alone knows what its model reads", remedy="ask on the hub")


def _is_own(skill: Skill) -> bool:
    """Whether it is the owner's."""
    from appliance.skills.loader import HERE

    return skill.folder is not None and skill.folder.parent != HERE


def provider(settings: Settings) -> Provider:
    """Of the bridge, wherever that runs. Raises WrongUse."""
    from appliance.bridge.hub import HubProvider
    from appliance.llm.key import read_key

    chosen = settings.node
    if chosen.token_file is None:
        remedy = "have the hub make one (appliance hub token add), and set node.token_file"
        raise WrongUse("node.hub is set, and no token", remedy=remedy)
    token = partial(read_key, chosen.token_file, "node.token_file")
    context = NodeContext(node_id=platform.node()[:60], room=chosen.room, timezone=settings.timezone)
    return HubProvider(chosen.hub, token, context, settings.words.language, chosen.fingerprint)


@contextmanager
def bridge_within(providers: Sequence[Provider], language: str) -> Iterator[Bridge]:
    """A bridge on a thread of this process, for a box that runs outside its jail. Raises WrongUse."""
    from appliance.bridge.client import SocketBridge
    from appliance.bridge.server import Server, listener

    with TemporaryDirectory(prefix="appliance-bridge-") as folder:
        path = Path(folder) / "socket"
        listening, ready, ends = listener(path), Event(), list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]]()

        async def serve() -> None:
            task = asyncio.create_task(Server(providers, language).run(listening))
            ends.append((asyncio.get_running_loop(), task))
            ready.set()
            await asyncio.wait({task})

        thread = Thread(target=lambda: asyncio.run(serve()), name="bridge within", daemon=True)
        thread.start()
        ready.wait(START_S)
        try:
            with SocketBridge(path, language) as bridge:
                yield bridge
        finally:
            for loop, task in ends:
                loop.call_soon_threadsafe(task.cancel)
            thread.join(START_S)


def prove(settings: Settings, what: str) -> list[Proof]:
    """what: a proof's name, or all. Raises WrongUse."""
    from appliance.node import proving
    from appliance.node.link import HubLink
    from appliance.skills.schema import tool

    names = [*proving.PROOFS] if what == "all" else [what]
    sensor = tool(proving.read_test_sensor, "read")
    with bridge_within([provider(settings)], settings.words.language) as bridge:
        return proving.prove(names, HubLink(bridge), sensor, settings.thought.deadline_s)
