"""What the OpenAI-compatible API takes and gives. Keys of theirs that mean nothing here are passed over."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from appliance.ports.hub import TOOLS_MOST, ClientTool

MODEL = "voice-appliance"
"""The one name that is listed; whatever a client asks for, the box answers."""


class _Theirs(BaseModel):
    model_config = ConfigDict(extra="ignore")


class TextPart(_Theirs):
    type: Literal["text"]
    text: str = Field(max_length=20_000)


class Function(_Theirs):
    name: str = Field(max_length=128)
    arguments: str = Field("{}", max_length=20_000)


class MessageCall(_Theirs):
    id: str = Field(min_length=1, max_length=128)
    type: Literal["function"] = "function"
    function: Function


class Message(_Theirs):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[TextPart] | None = None
    tool_calls: list[MessageCall] | None = Field(None, max_length=TOOLS_MOST)
    tool_call_id: str | None = Field(None, max_length=128)

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(_Theirs):
    include_usage: bool = False


class ChatRequest(_Theirs):
    """How the box is to be is set on the box: messages of the system, temperature and the like are passed over."""

    model: str = Field(MODEL, max_length=200)
    messages: list[Message] = Field(min_length=1, max_length=200)
    tools: list[ClientTool] = Field([], max_length=TOOLS_MOST)
    tool_choice: Literal["none", "auto"] = "auto"
    """The box decides whether a tool is needed; none can be forced."""
    n: Literal[1] = 1
    stream: bool = False
    stream_options: StreamOptions | None = None


class Called(BaseModel):
    name: str
    arguments: str


class ChatCall(BaseModel):
    id: str
    type: Literal["function"] = "function"
    function: Called


class Reply(BaseModel):
    role: Literal["assistant"] = "assistant"
    content: str | None
    refusal: str | None = None
    tool_calls: list[ChatCall] | None = None


class Choice(BaseModel):
    index: int = 0
    message: Reply
    logprobs: None = None
    finish_reason: Literal["stop", "tool_calls"]


class Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class ChatCompletion(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str = MODEL
    choices: list[Choice]
    usage: Usage = Usage()


class Model(BaseModel):
    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "home"


class ModelList(BaseModel):
    object: Literal["list"] = "list"
    data: list[Model]


class Transcription(BaseModel):
    text: str


class SpeechRequest(_Theirs):
    """There is one voice, at the speed of the settings."""

    model: str = Field(MODEL, max_length=200)
    voice: Any = None
    input: str = Field(min_length=1, max_length=4_096)
    response_format: Literal["wav", "pcm"] = "wav"
    """wav, at the voice's own rate; pcm: int16 at 24,000 Hz, as OpenAI has it."""
