"""Each part of the appliance with its real adapter, made when it is first asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from appliance.build.kept import SNAPSHOTS
from appliance.build.senses import Senses, Tell
from appliance.errors import CannotBeDone, ModelLost, PartMissing
from appliance.ports import (
    NO_CALLS,
    Announce,
    Bridge,
    Calls,
    Clock,
    ClockSet,
    LanguageModel,
    MemoryStore,
    Rings,
    SkillContext,
    Tool,
)
from appliance.settings import Settings
from appliance.wording import said

if TYPE_CHECKING:
    from datetime import datetime

    from appliance.llm.isolated import IsolatedModel
    from appliance.reply.conversation import Conversation
    from appliance.reply.dependencies import Dependencies
    from appliance.reply.engine import Engine
    from appliance.reply.understanding.fastlane import FastLane
    from appliance.skills.arithmetic.units import Converter
    from appliance.skills.skillset import Skills

log = logging.getLogger(__name__)


class Adapters(Senses):
    def __init__(self, settings: Settings, clock: Clock, tell: Tell, stack: ExitStack) -> None:
        super().__init__(settings, clock, tell, stack)
        self._silence: Callable[[], None] = lambda: None
        self._end: Callable[[], None] = lambda: None
        self._mute = cannot(said("nobody_listens", settings.words.language))
        self._muted: Callable[[float], bool] = lambda within_s: False
        self._stop_upkeep: Callable[[], None] = lambda: None
        self._stop_chores: Callable[[], None] = lambda: None
        self._no_llm: PartMissing | ModelLost | None = None
        """Why the model on board cannot be used, where that need not end everything."""
        self._announce: Announce = self._unheard
        self._aloud: Callable[[str], bool] = self._unheard_aloud

    @cached_property
    def name(self) -> str:
        """What the box is called: the last word of its first wake word."""
        return self.settings.ears.wake_words[0].split("_")[-1].title()

    @cached_property
    def lane(self) -> Callable[[str], FastLane]:
        """The whole sentences of the box's own skills, which need no model, by language."""
        return self._lane_of(self.skills, self.skills.for_model())

    def _lane_of(self, skills: Skills, tools: Sequence[Tool]) -> Callable[[str], FastLane]:
        from appliance.reply.delayed import put_off
        from appliance.reply.understanding.fastlane import FastLane
        from appliance.skills.clock.places import is_known

        waits = put_off([*tools, *skills.commands()], skills.at_once, skills.verbatim)
        return cache(
            lambda language: FastLane(
                language,
                is_known,
                self.sound_of,
                self.name,
                skills.sentences,
                waits,
                skills.reads,
                skills.refused,
                skills.names,
            )
        )

    @cached_property
    def engine(self) -> Engine:
        """With its model loaded and the head of its prompt read."""
        from appliance.reply.engine import Engine

        engine = Engine(self.dependencies())
        self._tell("reading the instructions (slow the first time only)")
        engine.warm_up()
        return engine

    def dependencies(
        self,
        settings: Settings | None = None,
        tools: Sequence[Tool] | None = None,
        memory: MemoryStore | None = None,
        skills: Skills | None = None,
    ) -> Dependencies:
        """What turns are taken with; by default with the box's own settings, skills, their tools, and memory."""
        from appliance.reply.dependencies import Dependencies
        from appliance.reply.prior import Prior

        own = tools is None and skills is None
        skills = skills or self.skills
        tools = skills.for_model() if tools is None else tools
        return Dependencies(
            model=self.llm,
            tools=tools,
            commands=[*skills.commands(), *skills.reviewed()],
            memory=memory or self.told,
            clock=self.clock,
            conversation=self.conversation,
            settings=settings or self.settings,
            name=self.name,
            lane=self.lane if own else self._lane_of(skills, tools),
            guests=skills.guests,
            of_body=skills.of_body,
            skill_of=skills.skill_of,
            putting_off=skills.putting_off,
            prompts=skills.prompts,
            asks=skills.asks,
            answers=skills.answers,
            does_too=skills.does_too,
            prior=Prior(skills.offers),
            excerpt=skills.excerpt,
            running=skills.rings.running,
            coming=skills.coming if own else None,
            private=lambda: self.private.on,
            unsaved=self._store.unsaved,
            values=self.values if memory is None else None,
        )

    @cached_property
    def llm(self) -> LanguageModel:
        """What thinks: the model on board, or servers on the LAN with that one behind them."""
        from appliance.llm.absent import AbsentModel

        servers = self.settings.thought.pool
        local = AbsentModel(self._no_llm) if self._no_llm else self.local_llm
        if not servers:
            return local
        from appliance.llm.fallback import Fallback
        from appliance.llm.pool import Pool, pairs_of, patience_s

        pool = Pool(pairs_of(servers, patience_s(servers, self.settings.reply.plan_timeout_s)))
        self._stack.callback(pool.close)
        return Fallback(pool, local)

    def renew_llm(self) -> None:
        """What was made without the model on board is made again, with it."""
        self._no_llm = None
        for made in ("llm", "engine"):
            vars(self).pop(made, None)

    @cached_property
    def local_llm(self) -> IsolatedModel:
        """In a process of its own, where it is being loaded while this one goes on."""
        from appliance.llm.isolated import IsolatedModel
        from appliance.reply.taught import adapters_of

        settings = self.settings
        path = self._catalog.path(settings.thought.model)
        self._tell(f"loading {settings.thought.model}")
        adapters = adapters_of(settings.thought.model) if settings.thought.taught else ()
        model = IsolatedModel(path, settings.thought, settings.state / SNAPSHOTS, adapters)
        self._stack.callback(model.close)
        model.start()
        return model

    @cached_property
    def conversation(self) -> Conversation:
        from appliance.reply.conversation import Conversation

        reply = self.settings.reply
        return Conversation(reply.conversation_gap_s, reply.results_kept, reply.conversations_max)

    @cached_property
    def told(self) -> MemoryStore:
        """What is remembered, as far as the one who speaks may be told."""
        from appliance.memory.by_voice import ByVoice

        return ByVoice(self.memory, lambda: self.conversation.hears) if self.settings.speaker.on else self.memory

    @cached_property
    def skills(self) -> Skills:
        return self.skills_for(self.settings)

    def skills_for(self, settings: Settings) -> Skills:
        """Made anew, with other settings than the box's own."""
        from appliance.memory.items import SqliteItems
        from appliance.memory.timers import SqliteTimers
        from appliance.safety.fence import harmless
        from appliance.skills.loader import load

        return load(
            SkillContext(
                settings=settings,
                name=self.name,
                clock=self.clock,
                set_clock=self._set_clock,
                memory=self.told,
                timers=SqliteTimers(self._store),
                items=lambda skill: SqliteItems(self._store, skill),
                volume=self.volume,
                last_said=lambda: self.conversation.last_said,
                last_heard=lambda: self.conversation.carried.heard,
                ledger=self.conversation.ledger,
                talk=self.conversation,
                private=self.private,
                silence=lambda: self._silence(),
                close_microphone=lambda: self._mute(),
                sound_of=self.sound_of,
                harmless=harmless,
                may_wait=lambda order: self.lane(self.settings.words.language).may_wait(order),
                announce=self.announce,
                calls=self.calls,
                model_file=self._catalog.path,
                bridge=self.bridge,
                voices=self.heard_phrases if settings.speaker.on else None,
            )
        )

    @cached_property
    def bridge(self) -> Bridge | None:
        """What reaches the network, where a socket of it is set."""
        from appliance.bridge.client import SocketBridge

        path, language = self.settings.bridge.socket, self.settings.words.language
        return self._stack.enter_context(SocketBridge(path, language)) if path else None

    @cached_property
    def calls(self) -> Calls:
        """With other boxes of the house."""
        return NO_CALLS

    def announce(self, text: str, anyway: bool = False) -> None:
        """A `ports.Announce`: by the service, while it runs. For every door through which one may come."""
        self._announce(text, anyway)

    def _unheard(self, text: str, anyway: bool = False) -> None:
        """The `Announce` of a box that nobody hears."""
        raise CannotBeDone(said("nobody_hears", self.settings.words.language))

    def _unheard_aloud(self, text: str) -> bool:
        self._unheard(text)
        return False

    def _set_clock(self, moment: datetime) -> ClockSet:
        """A `ClockSetter`. A clock that was made up, by --now, is nothing to set the machine's by."""
        from appliance.body.clock import ShiftedClock
        from appliance.body.clock_helper import ask_helper

        return ClockSet.NOBODY if isinstance(self.clock, ShiftedClock) else ask_helper(moment)

    @property
    def rings(self) -> Rings[Any]:
        return self.skills.rings

    @cached_property
    def converter(self) -> Converter:
        """Free to make: what it reads, it shares with the skill's."""
        from appliance.skills.arithmetic.units import Converter

        return Converter(self.sound_of, self.settings.words.language)


def cannot(sentence: str) -> Callable[[], None]:
    """What a tool does where it cannot be done, and why."""

    def refuse() -> None:
        raise CannotBeDone(sentence)

    return refuse
