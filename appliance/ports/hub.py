"""What the hub and the core say to each other: one JSON object a line over a local socket, many requests at once.

A request is {"id": 7, "do": "turn", "arguments": {..}}; `ARGUMENTS` has a model for each `do`. While it is at work its
`Told` events (hub_told.py) come as {"id": 7, "event": "say", "text": ".."}. Its end is {"id": 7, "is": {..}}, or a
`Refusal` (refusals.py): {"id": 7, "error": "what is wrong", "remedy": "what to do", "code": 2, "kind": "no_call"}.

Whoever may open the socket is the hub. It has authenticated its own callers, and says which channel and which person a
conversation is of: by their token, never by a text.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from appliance.json_lines import MOST_BYTES
from appliance.ports import owner
from appliance.ports.commands import Word
from appliance.ports.satellite import FromHost, Hosted
from appliance.records import TurnRecord

LINE_BYTES = MOST_BYTES
"""Of one line, in both directions; a longer one ends the connection. As spec/hub.md has a body's."""
TOOLS_MOST, TOOL_BYTES = 32, 8_192
"""Of one conversation; and of one tool's schema, as JSON."""
DESCRIPTION_CHARS, RESULT_CHARS = 1_000, 20_000
"""Of what is told of one tool; of one result's message, and of its context as JSON."""
ROUNDS_MOST = 8
"""Times that one turn may have a client's tools run (spec/hub.md)."""
PCM_HZ, PCM_S = 16_000, 24
"""Rate of what is to be transcribed, int16 and mono; and its longest: LINE_BYTES hold 24.5 s in base64."""

Do = Literal[
    "start", "turn", "continue", "stop", "end", "command", "status", "transcribe", "speak", "watch", "announce",
    "silence", "mute", "admit", "settings", "choose", "skills", "switch", "restart", "examine", "satellite", "host",
]  # fmt: skip
StopReason = Literal["complete", "tool_calls", "validation_required"]
Name = Annotated[str, Field(min_length=1, max_length=128)]
"""Of a conversation, or of a call."""
Short = Annotated[str, Field(max_length=60)]
Text = Annotated[str, Field(max_length=20_000)]
"""The core takes lines of reply.question_max_chars, and says so of a longer one."""


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Open(BaseModel):
    """Of a shape that others may add to, as OpenAI's clients do."""

    model_config = ConfigDict(extra="ignore")


class Function(_Open):
    name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,63}$")
    description: str = Field("", max_length=DESCRIPTION_CHARS)
    parameters: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})
    """JSON schema of an object."""


class ClientTool(_Open):
    """One of the conversation's own: OpenAI's form, and what this box asks of a tool beside it."""

    type: Literal["function"] = "function"
    function: Function
    effect: Literal["read", "act", "irreversible"] = "act"
    """What it does to the world. Before one that cannot be undone the person is asked."""
    trusted: bool = False
    """Its results are as good as the box's own. Otherwise they are text from outside."""


class Earlier(_Said):
    """One message of a conversation that went before."""

    role: Literal["user", "assistant"]
    text: Text


class Start(_Said):
    """Begin a conversation of that name anew, with tools of its own. Answered by Nothing."""

    conversation: Name
    channel: Short = "satellite"
    person: Short = ""
    room: Short = ""
    timezone: Short = ""
    tools: list[ClientTool] = Field([], max_length=TOOLS_MOST)
    history: list[Earlier] = Field([], max_length=100)


class TurnAsked(_Said):
    """A line, behind those that the device answered alone (`earlier`). Told `Say` for each clause; Outcome answers."""

    conversation: Name
    text: Text
    channel: Short = ""
    """As it was started with, and so is the person; another one is refused. Empty: whoever it is."""
    person: Short = ""
    speaker: Short = ""
    """Who spoke, on a channel that puts that before the words; empty: the person."""
    room: Short = ""
    """Where from now on, if anywhere else."""
    earlier: list[Earlier] = Field([], max_length=20)
    timezone: Short = ""
    """Of the device. The box tells its own time whatever it is: both stand in one house."""


class Result(_Said):
    """What a call of a client's tool gave."""

    id: Name
    success: bool = True
    message: str = Field("", max_length=RESULT_CHARS)
    context: Any = None
    """JSON that the model is to read beside the message."""


class Continue(_Said):
    """Results of calls, or the answer to a question: one of the two. Told and answered as TurnAsked is.

    Where some calls have no result yet, the outcome is `tool_calls` again, with those.
    """

    conversation: Name
    results: list[Result] = Field([], max_length=TOOLS_MOST)
    answer: Text = ""


class Conversation(_Said):
    """For `stop`, which ends the turn that runs in it, and `end`, which forgets it. Answered by Nothing."""

    conversation: Name


class Commanded(_Said):
    """A command of a skill (ports/commands.py). Answered by an Answer."""

    skill: str = Field(max_length=40)
    words: list[Word] = Field([], max_length=60)
    yes: bool = False
    """What cannot be undone is done without a question."""
    may_act: bool
    """Whether whoever gave it may change anything."""


class Transcribe(_Said):
    pcm: str
    """Base64 of int16, mono, PCM_HZ. Answered by Heard."""


class Speak(_Said):
    text: Text
    """Told `Audio` for each piece; answered by Nothing."""


class Announce(_Said):
    text: str = Field(min_length=1, max_length=300)
    """Said aloud on the box. Answered by Nothing."""


class Admit(_Said):
    """A device asks to be let in: its name is said aloud first. Refused where the button does not let it. Answered by
    Nothing, once it was said and nobody has turned it away."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")


class Nothing(_Said):
    """For what needs no arguments: `status`, answered by a State; `watch`, told what happens until the connection ends,
    unanswered; `silence`, which ends what the box itself says or rings, at once; `mute`, answered once the microphone
    is closed; and `settings`, `skills`, `restart` and `examine` of owner.py."""


ARGUMENTS: dict[Do, type[BaseModel]] = {
    "start": Start,
    "turn": TurnAsked,
    "continue": Continue,
    "stop": Conversation,
    "end": Conversation,
    "command": Commanded,
    "status": Nothing,
    "transcribe": Transcribe,
    "speak": Speak,
    "watch": Nothing,
    "announce": Announce,
    "silence": Nothing,
    "mute": Nothing,
    "admit": Admit,
    "settings": Nothing,
    "choose": owner.Choose,
    "skills": Nothing,
    "switch": owner.Switch,
    "restart": Nothing,
    "examine": Nothing,
    "satellite": Hosted,
    "host": FromHost,
}


class Request(_Said):
    id: int = Field(ge=1)
    """Of no other request of this connection that is not done with."""
    do: Do
    arguments: dict[str, Any] = {}


class Call(_Said):
    """One that the client is to run."""

    id: str
    name: str
    """As it was registered."""
    arguments: dict[str, Any]


class Outcome(_Said):
    said: str
    """All of the answer so far: the clauses of this request together."""
    stop_reason: StopReason
    calls: list[Call] = []
    question: str = ""
    """What the person is to be asked; it is in `said` as well."""
    options: list[str] = []
    """Answers to it, where there are only those."""
    record: TurnRecord | None = None


class State(_Said):
    """How the box is."""

    ready: bool
    state: str
    """Of the box's own ears and voice, such as "idle"."""
    status: dict[str, Any]
    """As the core's /status has it."""


class Heard(_Said):
    text: str
    """Empty where there was no speech."""
