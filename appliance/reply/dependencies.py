"""What a turn is taken with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from appliance.audio import Stale
from appliance.ports import (
    Clock,
    Excerpt,
    LanguageModel,
    MemoryStore,
    Message,
    ModelFacts,
    SkillPrompt,
    Tool,
    Usage,
    ValueStore,
)
from appliance.reply.conversation import Conversation
from appliance.reply.phrases import Asks
from appliance.reply.plan import Answer
from appliance.reply.select import Prior
from appliance.reply.understanding.fastlane import FastLane
from appliance.settings import Settings


@runtime_checkable
class NativeModel(Protocol):
    """A model that makes tool calls in a format of its own, as servers on the LAN do."""

    @property
    def native(self) -> bool:
        """Whether the server whose turn it is takes tools, as far as is known; else the text protocol serves."""
        ...

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        """Raises ToolsRefused, ModelChanged, TurnFailed, Cancelled."""
        ...

    def on_board(self) -> ModelFacts:
        """Of the model that answers while the server does not, and that keeps the heads which are pinned."""
        ...


@dataclass(frozen=True)
class Dependencies:
    model: LanguageModel
    tools: Sequence[Tool]
    """Those that the model may call."""
    commands: Sequence[Tool]
    """Those that whole sentences and the engine call: nothing is gained by a model that weighs them."""
    memory: MemoryStore
    clock: Clock
    conversation: Conversation
    settings: Settings
    name: str
    """What the box is called."""
    lane: Callable[[str], FastLane] = FastLane
    """The whole sentences that mean a tool, by language: made once for each."""
    guests: Collection[str] = ()
    """Names of the tools that a guest may use."""
    of_body: Collection[str] = ()
    """Names of the tools that are about this box's own loudspeaker and microphone."""
    skill_of: Mapping[str, str] = field(default_factory=dict)
    """Tool -> the skill it belongs to."""
    does_too: Mapping[str, str] = field(default_factory=dict)
    """What people ask for -> the skill that does it under another name."""
    prompts: Sequence[SkillPrompt] = ()
    """What the skills add to the head of the prompt."""
    asks: Asks = field(default_factory=dict)
    """The questions of the skills for an argument that was not said."""
    putting_off: Collection[str] = ()
    """Names of the tools that put an order off."""
    answers: Mapping[str, float] = field(default_factory=dict)
    """Skill with reviewed sentences -> how likely a line must mean any of them."""
    prior: Prior = lambda text: {}
    """Scores of a line for tools that the classifier was never taught."""
    coming: Callable[[], Sequence[Tool]] | None = None
    """Gives the tools that come and go, for the model too; see ports.Skill. None: there never are any."""
    excerpt: Callable[[str], Excerpt | None] = lambda line: None
    """What the skills hold about what a line asks of the world."""
    running: Callable[[], Sequence[str]] = lambda: ()
    """Names of the timers that run, told beside a line that shares a word with one."""
    private: Callable[[], bool] = lambda: False
    """Whether nothing of what is said may be kept."""
    unsaved: Callable[[], str] = lambda: ""
    """What to say if something was kept since the last call that is lost when the box is switched off; else empty."""
    values: ValueStore | None = None
    """Small things that survive a restart; without, nothing is thought over."""

    @property
    def skills(self) -> set[str]:
        return {*self.skill_of.values()}
