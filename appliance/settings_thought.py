"""Settings of what thinks, replies and remembers; settings.py tells of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from appliance.machine import at_most_cores

APP = "voice-appliance"
"""The name of its folders."""

Threads = Annotated[int, Field(ge=1, le=64, validate_default=True), AfterValidator(at_most_cores)]
"""Never more than there are cores, whatever the profile says: a board with fewer is no mistake of its owner's."""


class Table(BaseModel):
    """One table of the file: nothing else may stand in it, and nothing changes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelServer(Table):
    """A server on the LAN that may think in the box's place."""

    url: str = Field(min_length=1)
    """Its address with the version, such as http://server:8080/v1; llama-server, vLLM, Ollama and others that speak
    OpenAI's chat format."""
    model: str = ""
    """The model's name there."""
    key_files: list[Path] = Field([], max_length=8)
    """Each holds one key and is readable by its owner only; the keys are used in turn. Without any, none is sent."""


class Thought(Table):
    model: str = "qwen2.5-coder-1.5b"
    """A name from `appliance models list`."""
    context_tokens: int = Field(6_144, ge=1_024, le=131_072)
    """Tokens in sight: the prompt's head, the conversation and the answer. Each costs 28 kB of memory (1.5B)."""
    threads: Threads = 2
    """Threads while an answer is written."""
    threads_batch: Threads = 2
    """Threads while a prompt is read."""
    batch_tokens: int = Field(256, ge=32, le=2_048)
    """Tokens read between two looks at the stop signal."""
    repack: bool = True
    """Lay the weights out anew for this CPU: 1.9 times the prefill on ARM (docs/design/facts.md), 0.6 times on x86."""
    flash_attention: bool = False
    """Off on a CPU: 16 fresh tokens behind 2,400 took 820 ms with it, 530 without (2 EPYC cores, 1.5B, 2026-11-22)."""
    taught: bool = True
    """Use what the model was taught for this work, where something was (models/cards/lora.md)."""
    reply_tokens: int = Field(96, ge=16, le=1_024)
    """Longest answer, in tokens: about 20 s of speech."""
    deadline_s: float = Field(30, ge=1, le=600)
    """A turn that has said nothing by then ends with an apology."""
    server: str = ""
    """An OpenAI-compatible server on the LAN that thinks instead, such as http://server:8080/v1; empty is none. With
    the next two it is the short way to write one `[[thought.servers]]`."""
    server_model: str = ""
    """The model's name there."""
    server_key_file: Path | None = None
    """Holds the server's key; readable by its owner only."""
    servers: list[ModelServer] = Field([], max_length=6)
    """More servers, asked in turn with that one: a table for each, `[[thought.servers]]`."""

    @property
    def pool(self) -> list[ModelServer]:
        """Every model server that is set; empty is none."""
        if not self.server:
            return self.servers
        keys = [self.server_key_file] if self.server_key_file else []
        return [ModelServer(url=self.server, model=self.server_model, key_files=keys), *self.servers]


class Role(Table):
    """One of several ways to be, not a profile of a board."""

    prompt: str = Field(min_length=1, max_length=600)
    """What the model is told while it is in force, whatever it does: act, talk, or answer a question."""
    tools: list[str] = []
    """Those it may use; empty is all."""


class Reply(Table):
    """One turn, from the line heard to the answer."""

    fast_lane: bool = True
    """Common sentences are understood without the model."""
    region: str = Field("US", min_length=2, max_length=2)
    """ISO 3166 country whose telephone numbers need no prefix."""
    plan: bool = True
    """Off: every turn takes the loop."""
    plan_timeout_s: float = Field(20, ge=0.5, le=300)
    """A plan that has not begun by then is empty: the loop takes over."""
    query_min_chars: int = Field(4, ge=0, le=20)
    """A shorter line gets an empty plan."""
    question_max_chars: int = Field(2_000, ge=100, le=20_000)
    """A longer line is refused."""
    sentences_max: int = Field(3, ge=1, le=20)
    """Longest answer: a sentence that answers, one that explains, at most one quip."""
    steps_max: int = Field(5, ge=1, le=8)
    """Steps in one plan."""
    turns_max: int = Field(8, ge=1, le=16)
    """Passes of the model in one turn; then what is known is told with a caveat."""
    catalogue_max: int = Field(20, ge=5, le=200)
    """Tools up to which all stand in the pinned head. Of more, the first whose lines are known (a skill's `offer/`) do;
    the others are shown beside a line that may mean them."""
    router: Literal["hybrid", "all", "keyword", "llm"] = "hybrid"
    """How it chooses: hybrid by words, those that are spelt much like them, and in English by what they mean; all: not
    at all; keyword: by words; llm: by asking the model, which costs a pass of it for each line."""
    router_limit: int = Field(12, ge=1, le=50)
    """Tools on the router's shortlist, at most. Of 200 lines for 200 tools of servers 171 get the right one, 169
    with 8, 174 with 16, for 280, 200 and 330 tokens (bench.router, 2026-11-28)."""
    searches_max: int = Field(3, ge=0, le=10)
    """tool_search calls in one turn."""
    tool_timeout_s: float = Field(8, ge=0.1, le=120)
    """A tool that takes longer has failed."""
    duplicates_within: int = Field(5, ge=0, le=20)
    """The same call within so many is not run again."""
    result_max_chars: int = Field(1_200, ge=200, le=8_000)
    """Of one result that is not digested, and of any text from outside, in a prompt."""
    results_kept: int = Field(16, ge=1, le=100)
    """Results of a conversation that `memory.gate_share` looks at."""
    digest: Literal["auto", "on", "off"] = "auto"
    """Of long results the sentences about the line are kept, for a small model (auto) or for any (on), and digested by
    the model where that fits the time: auto, where nobody waits long for it; on, all of `digest_timeout_s`. off: they
    are cut to `result_max_chars`."""
    digest_from_chars: int = Field(400, ge=0, le=8_000)
    """Shorter results stay as they are."""
    digest_batch_chars: int = Field(2_500, ge=200, le=20_000)
    """Read of it in the one pass, at most; fewer where the board is too slow for as many."""
    digest_max_chars: int = Field(600, ge=100, le=2_000)
    """Of one digest, or of the sentences that take its place."""
    digest_timeout_s: float = Field(8, ge=0.5, le=60)
    """Shared by the digests of one turn, as far as they are waited for."""
    budget_s: float = Field(12, ge=1, le=120)
    """Of one turn until its answer begins; optional stages that would exceed their share of it are dropped."""
    conversation_gap_s: float = Field(300, ge=1)
    """Turns further apart than this belong to two conversations."""
    conversations_max: int = Field(32, ge=1, le=1_000)
    """Conversations that other devices may have going on beside the box's own; the one that rested longest makes room
    for a new one."""
    roles: dict[str, Role] = {}
    """Ways to be, of which the plan picks one: a table for each, `[reply.roles.NAME]`. One alone is always in force."""
    role: str = ""
    """The role in force until the plan picks another: a name of `roles`; empty is none, unless there is just one."""

    @field_validator("role")
    @classmethod
    def _known_role(cls, name: str, given: ValidationInfo) -> str:
        roles = given.data.get("roles", {})
        if name and name not in roles:
            raise ValueError(f"one of: {', '.join(roles)}" if roles else "there is no table [reply.roles.NAME]")
        return name

    @property
    def usual_role(self) -> str:
        """The role that every turn begins with; empty is none."""
        return self.role or (next(iter(self.roles)) if len(self.roles) == 1 else "")


class Memory(Table):
    """What is known beyond a conversation."""

    gate_share: float = Field(0.5, ge=0, le=1)
    """Share of a line's words that earlier results must hold for memory not to be searched where there is no plan."""
    found_max: int = Field(8, ge=1, le=50)
    """Entries that one search gives."""
    batch_chars: int = Field(2_000, ge=200, le=20_000)
    """Read in one pass when what was found is digested; fewer where the board is too slow for as many."""
    digest_max_chars: int = Field(500, ge=100, le=2_000)
    """Of one digest, or of the sentences that take its place."""
    facts_offered: int = Field(3, ge=0, le=10)
    """Nearest stored facts shown with each line."""
    facts_max_chars: int = Field(1_200, ge=0, le=8_000)
    """Of known facts in the prompt."""
    rules_max_chars: int = Field(600, ge=0, le=4_000)
    """Of the user's standing rules in the prompt."""
    exchanges_max: int = Field(5_000, ge=100, le=1_000_000)
    """Exchanges kept, the newest: half a year with 27 a day (a judgement), less than 4 MB of file."""
    vectors: Literal["auto", "off"] = "auto"
    """Whether what is remembered is found by other words than its own too: `auto` where there is a table of meanings of
    the language (English), which takes 7 MB of memory and 128 bytes for each fact and exchange."""
    final_step: bool = True
    """After a reply, what was said about the user is saved."""
    final_retries: int = Field(2, ge=0, le=5)
    """Further attempts after a bad one."""
