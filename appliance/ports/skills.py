"""A skill is one ability of the box, whole: its tools, what it needs, and what it does without being asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from appliance.errors import ModelMissing
from appliance.ports.boxes import NO_CALLS, Calls
from appliance.ports.bridge import Bridge
from appliance.ports.items import ItemsOf
from appliance.ports.memory import MemoryStore
from appliance.ports.orders import Orders
from appliance.ports.rings import Rings, WakeSounds
from appliance.ports.sound import SoundOf
from appliance.ports.speaker import VoiceLearner
from appliance.ports.talking import PrivateMode, Talking
from appliance.ports.timers import Clock, ClockSetter, TimerStore
from appliance.ports.tools import Spoken, Tool
from appliance.settings import Settings

LAST = 100
"""`Skill.rank` of a skill that does not mind where its tools are read."""


@dataclass(frozen=True)
class Pausable:
    """What of a skill's can be told to pause, and then to go on."""

    name: str
    """What it is called when it is asked which is meant: the music. Its last word is what an answer has to hold."""
    runs: Callable[[], bool]
    paused: Callable[[], bool]
    pause: Callable[[str], Spoken]
    """Of the words that say which; empty is whatever runs. Raises BadArgument, CannotBeDone."""
    resume: Callable[[str], Spoken]
    """Likewise, of whatever is paused."""


class Announce(Protocol):
    def __call__(self, text: str, anyway: bool = False) -> None:
        """A short chime, then `text`; returns at once. anyway: also in quiet hours. Raises CannotBeDone, saying why."""
        ...


def nobody_hears(text: str, anyway: bool = False) -> None:
    """An `Announce` where nothing is heard."""


class Volume(Protocol):
    @property
    def level(self) -> int:
        """Percent, 0 to 100."""
        ...

    def set(self, level: int) -> None: ...


class Ledger(Protocol):
    """What was done in the turns before this one."""

    @property
    def said(self) -> str:
        """What was said of the last deed; empty when there is none."""
        ...

    @property
    def undoable(self) -> bool:
        """Whether all of the last deed can be taken back; see ports.undoable."""
        ...

    def undo(self) -> None:
        """Take the last deed back: the one before it is the last one then. Raises ApplianceError; it then stays."""
        ...


Chore = Callable[[Callable[[], bool]], None]
"""Work on a thread of its own; may take hours. It is given what it asks often whether to go on: that blocks while
somebody is served, and is false once the service ends, where the chore returns at once."""


@dataclass(frozen=True)
class Meaning:
    """What a line orders: a tool of the skill that read it, and its arguments."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Excerpt:
    """What a skill holds that is about a question of the world: the model reads it beside the question."""

    text: str
    outside: bool
    """Whether it is from outside the box; it is then without marks and hidden characters (SkillContext.harmless)."""
    told: Callable[[], None]
    """Called when an answer that it bears out was said."""


@dataclass(frozen=True)
class SkillPrompt:
    """What a skill adds to the head of the prompt while it is on; from `prompt/` of its folder."""

    rules: str = ""
    """Lines behind the rules of a small model: when to call its tools, and when not."""
    world: str = ""
    """In place of the rule that questions about the world are answered from what the model knows."""
    examples: str = ""
    """A conversation for a model that was not taught; written as reply/prompts/examples.txt is."""


@dataclass(frozen=True)
class Skill:
    name: str
    """That of its folder."""
    summary: str = ""
    """What it can do, as `help` says after "I can": "run timers". Empty: `help` does not name it. The loader takes it
    from `phrases/`, where that has one."""
    tools: Sequence[Tool] = ()
    """Those that the model may call."""
    coming: Callable[[], Sequence[Tool]] | None = None
    """Gives those that come and go while the box runs, as they are now: for the model too, and asked at the beginning
    of each turn. A tool that did not change is the same object again. None: there never are any."""
    commands: Sequence[Tool] = ()
    """Those that whole sentences and the engine call: nothing is gained by a model that weighs them."""
    answers: Sequence[Tool] = ()
    """Each says a reviewed sentence; a line that means one gets it, and no word of the model's (schema.answering)."""
    answers_from: float = 0.5
    """How likely a line must mean any of them, 0 to 1."""
    needs: str = ""
    """The network, a file or a device, in a few words; empty is nothing."""
    missing: Callable[[], str] = lambda: ""
    """A sentence that tells why it cannot work now; empty when it can. Asked in every turn: it may not take long."""
    does_too: frozenset[str] = frozenset()
    """What people ask for, beside its name, that it does: keys of reply/prompts/cannot.yaml."""
    guests: frozenset[str] = frozenset()
    """Names of the tools that a guest may use."""
    at_once: frozenset[str] = frozenset()
    """Names of the tools that are never put off: they are about this moment, or about times of their own. So is every
    tool of a skill that rings, and every one that takes words for `when`."""
    of_body: frozenset[str] = frozenset()
    """Names of the tools that are about this box's own loudspeaker and microphone: somebody who stands before another
    device never means those."""
    verbatim: frozenset[str] = frozenset()
    """Names of the tools that keep or pass on a text as it was said: a time behind its beginning is part of it. So is
    every tool that keeps a fact."""
    orders: Orders | None = None
    """What the user wants done later."""
    rings: Rings[Any] | None = None
    duck: Callable[[bool], None] | None = None
    """Makes what it plays quieter while somebody speaks, and then as loud as before; may take seconds. None: it plays
    nothing."""
    pausable: Pausable | None = None
    wakes: WakeSounds | None = None
    """What it can play in place of the chime when an alarm rings."""
    expected: Callable[[], str] = lambda: ""
    """What may well be said to it now, as it is written: speech to text then takes what sounds like it for it. Asked
    before every transcript; empty when it is nothing in particular."""
    known: Callable[[], Sequence[str]] = tuple
    """What it knows by name now, as it is written, such as rooms and people: speech to text finds it likelier. Asked
    before every transcript. What rings is known by Rings.running."""
    reads: Callable[[str], Sequence[Meaning]] = lambda line: ()
    """What all of a line orders, where its words are names that only this skill knows; in their order. Asked of each
    line that no sentence knows: milliseconds."""
    excerpt: Callable[[str], Excerpt | None] = lambda line: None
    """What it holds about what a line asks of the world; None where it holds nothing. Asked where the model is not sure
    of what it knows: some 10 ms."""
    names: Callable[[], Sequence[str]] = tuple
    """What the lists that it keeps are called now, in every way: a whole sentence takes such a name for one, however
    many words it has. Asked of each line that may name one: a millisecond."""
    chore: Chore | None = None
    """What it does in the background of a running service, again and again, such as reading files."""
    erase: Callable[[], None] = lambda: None
    """What a factory reset does here; what is in the box's own database goes without it."""
    rank: int = LAST
    """Where the model reads its tools among those of others: the lowest first, of equals by name."""
    folder: Path | None = None
    """Where it was loaded from; set by the loader, as `offers` is."""
    offers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Tool -> lines that mean it, as people say them."""
    prompt: SkillPrompt = SkillPrompt()
    asks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Tool -> argument -> what is asked when it was not said. Set by the loader, as `prompt` is."""
    title: str = ""
    """What it is called when it is spoken of, where that is not its name; from `phrases/` too."""

    @property
    def all_tools(self) -> tuple[Tool, ...]:
        return (*self.tools, *self.commands, *self.answers)


def nothing_stored(name: str) -> Path:
    """A `SkillContext.model_file` where there is no model store."""
    raise ModelMissing(f"model {name} is not here", remedy="run: appliance models fetch")


@dataclass(frozen=True)
class SkillContext:
    """What a skill may be built with. All of it is there before the first skill is made, and lasts longer."""

    settings: Settings
    name: str
    """What the box is called."""
    clock: Clock
    set_clock: ClockSetter
    memory: MemoryStore
    timers: TimerStore
    items: ItemsOf
    """What a skill keeps beside timers and facts; see ports.ItemStore."""
    volume: Volume
    last_said: Callable[[], str]
    """The answer before this one; empty when there is none."""
    last_heard: Callable[[], str]
    """The user's line before this one, in this conversation; empty when there is none, or it is not to be kept."""
    ledger: Ledger
    talk: Talking
    """The conversation that is going on."""
    private: PrivateMode
    silence: Callable[[], None]
    """Ends ringing and speaking."""
    close_microphone: Callable[[], None]
    """Raises CannotBeDone where none listens, or where nobody could open it again."""
    sound_of: SoundOf
    harmless: Callable[[str, int], str]
    """A text from outside without what could pass for the box's own marks, of at most so many characters."""
    may_wait: Callable[[str], bool] = lambda order: False
    """Whether a text is by itself a whole sentence for what can be done later."""
    announce: Announce = nobody_hears
    """Says a text aloud on this box."""
    calls: Calls = NO_CALLS
    """With other boxes of the house."""
    model_file: Callable[[str], Path] = nothing_stored
    """The verified file of an item of the model store, by its name in the manifest. Raises PartMissing, BadSettings."""
    bridge: Bridge | None = None
    """What reaches the network; None where the box has none."""
    voices: VoiceLearner | None = None
    """None where no voice is told from another."""
    skills: Callable[[], Sequence[Skill]] = tuple
    """Those that are on, once all of them are made."""
