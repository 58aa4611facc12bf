"""What the Command API takes and gives (spec/hub.md). The OpenAPI document is made of these, and of routes.py."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from appliance.ports.command_api import EARLIER_CHARS, EARLIER_MOST
from appliance.ports.commands import Word
from appliance.ports.hub import RESULT_CHARS, TOOLS_MOST, ClientTool, StopReason
from appliance.ports.owner import OneCheck, OneModel

ConversationId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,80}$")]
"""Chosen by the client, such as a UUID; it is the token's own, and means nothing to others."""
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
Short = Annotated[str, Field(max_length=60)]


class Strict(BaseModel):
    """A key that is not known is a mistake."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class AnsweredAlone(Strict):
    """A line that the client answered by itself."""

    heard: str = Field(min_length=1, max_length=EARLIER_CHARS)
    said: str = Field(min_length=1, max_length=EARLIER_CHARS)


class NodeContext(Strict):
    """Where the client is. Who it is comes from its token."""

    node_id: Short = ""
    room: Short = ""
    """Counts where the token names no room."""
    timezone: Short = ""
    """IANA name such as Europe/Berlin."""
    speaker: Short = ""
    """Who speaks, by name: for guests, as a part of the text. It gives no rights."""
    earlier: list[AnsweredAlone] = Field([], max_length=EARLIER_MOST)
    """What was answered without the hub since the last line that it got, oldest first: the box reads it as earlier
    turns of the conversation. To be sent once."""


class ConversationStart(Strict):
    conversation_id: ConversationId
    node_context: NodeContext = NodeContext()
    client_tools: list[ClientTool] = Field([], max_length=TOOLS_MOST)
    """OpenAI's function schemas; they live as long as the conversation."""


class Started(Strict):
    status: Literal["success"] = "success"
    conversation_id: str


class VoiceCommand(Strict):
    voice_command: Line
    conversation_id: ConversationId
    node_context: NodeContext = NodeContext()


class Output(Strict):
    success: bool = True
    message: str = Field("", max_length=RESULT_CHARS)
    context: JsonValue = None


class ToolResult(Strict):
    tool_call_id: str = Field(min_length=1, max_length=128)
    output: Output


class VoiceContinue(Strict):
    """Either the results of tool calls, or the answer to a question."""

    conversation_id: ConversationId
    tool_results: list[ToolResult] = Field([], max_length=TOOLS_MOST)
    validation_response: Line | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> VoiceContinue:
        if bool(self.tool_results) == (self.validation_response is not None):
            raise ValueError("either tool_results or validation_response")
        return self


class CalledFunction(Strict):
    name: str
    arguments: str
    """A JSON object, as text."""


class ToolCall(Strict):
    id: str
    type: Literal["function"] = "function"
    function: CalledFunction


class ValidationRequest(Strict):
    question: str
    options: list[str] | None = None
    """Answers, where there are only those."""


class RequestInformation(Strict):
    voice_command: str
    conversation_id: str


class CommandResult(Strict):
    """`tool_calls`: run these and continue. `validation_required`: ask, and continue. `complete`: say the message."""

    commands: list[JsonValue] = []
    """Always empty: it is there for clients of an older form."""
    request_information: RequestInformation
    stop_reason: StopReason
    assistant_message: str
    tool_calls: list[ToolCall] | None = None
    validation_request: ValidationRequest | None = None


class ConversationEnd(Strict):
    conversation_id: ConversationId


class Stop(Strict):
    conversation_id: ConversationId | Literal[""] = ""


class Stopped(Strict):
    stopped: Literal["box"] = "box"
    """What was: the box itself, and the answer that was being made in the conversation."""


class Done(Strict):
    status: Literal["success"] = "success"


class SkillCommand(Strict):
    """As `appliance alarms add 7:00` in a terminal: skill "alarms", words ["add", "7:00"]."""

    skill: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    words: list[Word] = Field([], max_length=60)
    """The action, and what it is done with. Without any: what the skill keeps, or its first action."""
    yes: bool = False
    """What cannot be undone is done without a question."""


class SkillAnswer(Strict):
    said: str
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    rows: list[dict[str, Any]] | None = None
    """What the skill keeps, as it is stored."""


class Announcement(Strict):
    text: str = Field(min_length=1, max_length=300)


class Correction(Strict):
    text: str = Field(min_length=1, max_length=1_000)
    """What the fact is to say from now on."""


class Login(Strict):
    token: str = Field(min_length=1, max_length=200)


class SignedIn(Strict):
    csrf: str
    """To be sent as the header X-CSRF with each change."""
    name: str
    role: str


class PairRequest(Strict):
    code: str = Field(pattern=r"^[0-9]{8}$")
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")
    """What the new token is to be called."""


class AdmissionRequest(Strict):
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")
    """What the new token is to be called; the box says it aloud."""
    role: Literal["household", "satellite"] = "household"
    room: Short = ""
    """Where it stands."""


class Paired(Strict):
    token: str
    """Told this once."""
    name: str
    role: str


class Health(Strict):
    alive: bool = True


class Readiness(Strict):
    ready: bool
    trouble: str = ""
    """Why not, in words."""


class BoxStatus(BaseModel):
    """Of the box as the core tells it, with what the hub knows beside it."""

    model_config = ConfigDict(extra="allow")

    ready: bool
    trouble: str = ""
    """Why not, in words."""
    state: str
    """Of its own ears and voice, such as "idle"."""
    turns: list[dict[str, Any]]
    """The newest ones since the hub was started, newest last, with their milliseconds and without words."""
    name: str
    version: str


class Checks(Strict):
    checks: list[OneCheck]


class Installed(Strict):
    """The release and its models; they are changed by who may become root on the box."""

    version: str
    release: str
    previous: str
    """The release before, which is still there; empty where none is."""
    models: list[OneModel]


class SwitchSkill(Strict):
    on: bool


class Door(Strict):
    """For a page before anybody has signed in."""

    owned: bool
    """Whether anybody has a token of the owner: where nobody has, the box reads out a code for the first."""
    language: str
    """In which the box is spoken to, and the page speaks: "en", "de"."""


class ProblemDetail(BaseModel):
    """RFC 9457, with what to do about it."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str
    kind: str
    """A word for programs."""
    field: str
    """What of the body is wrong, where it is one field of it."""
    error: dict[str, Any]
    """The same for OpenAI's clients."""
