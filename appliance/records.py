"""The turn record: what one turn was, did and cost. The shape is stable: fleet tooling reads it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Lane = Literal["fast", "plan", "loop", "hub", "host", "none"]
HeadName = Literal["", "plan", "talk", "world"]
StepKind = Literal["tool", "recall", "reviewed", "ask", "analyse", "say"]
StepEffect = Literal["read", "act", "irreversible"]
StepOutcome = Literal["ok", "error", "timeout", "duplicate", "denied", "unconfirmed"]
Outcome = Literal["said", "asked", "silent", "stopped", "error"]
Branch = Literal[
    "facts", "memory_unread", "recall_skipped", "role", "unknown_role", "dependent", "offered_again", "gone",
    "searched", "searched_enough", "digest_none", "left_out", "tools_refused", "garbled", "retried", "caveat",
    "unwritten", "fact_updated", "bad_id",
]  # fmt: skip
"""What each is: docs/reference.md."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class Step(_Record):
    kind: StepKind
    tool: str | None = None
    arguments: dict[str, Any] = Field(default_factory=dict)
    effect: StepEffect | None = None
    """What the tool may do; None of a step without one."""
    outcome: StepOutcome = "ok"
    ms: int = 0
    digested: bool = False


class ModelUse(_Record):
    """Tokens of this turn, over all model calls."""

    calls: int = 0
    prompt_tokens: int = 0
    fresh_tokens: int = 0
    """Prompt tokens actually evaluated: not found in a pinned or shared prefix."""
    generated_tokens: int = 0


class Milliseconds(_Record):
    """Time of each stage; null where the stage did not run or the audio did not arrive at the pace of a microphone."""

    endpoint: int | None = None
    stt: int | None = None
    recall: int | None = None
    plan: int | None = None
    tools: int | None = None
    first_token: int | None = None
    first_audio: int | None = None
    """From the end of the user's speech to the first sample of the answer."""
    total: int | None = None


class MemoryUse(_Record):
    recalled: int = 0
    digest_chars: int = 0
    written: list[str] = Field(default_factory=list)


class AudioFacts(_Record):
    seconds: float | None = None
    """Length of the utterance, with the wake word that it begins with."""
    wake_score: float | None = None


class TurnRecord(_Record):
    turn: int
    conversation: str
    channel: str = "voice"
    heard: str = ""
    lane: Lane = "none"
    head: HeadName = ""
    """What the first pass of the plan was read behind (reply/context.py); empty where no plan was made."""
    steps: list[Step] = Field(default_factory=list)
    said: str = ""
    outcome: Outcome = "silent"
    branches: list[Branch] = Field(default_factory=list)
    """Ways that it took which nothing else here tells, in their order."""
    model: ModelUse = Field(default_factory=ModelUse)
    ms: Milliseconds = Field(default_factory=Milliseconds)
    memory: MemoryUse | None = None
    audio: AudioFacts | None = None
    private: bool = False
    """Private mode was on as it began: no log holds its words, whatever the settings."""

    def as_json(self) -> str:
        """One line."""
        return self.model_dump_json()

    def as_log(self) -> str:
        """One line without anybody's words: for the journal."""
        steps = [step.model_dump(exclude={"arguments"}) for step in self.steps]
        return self.model_copy(update={"steps": steps}).model_dump_json(exclude={"heard", "said"}, warnings=False)
