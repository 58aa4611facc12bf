"""Two hundred tools of MCP servers beside the board's own: is the right one offered? `python -m bench.router`

No language model is loaded: what counts is what it would be offered, in how many milliseconds, and how much it would
have to read anew, at 3.6 characters a token. The 200 lines, one for each tool, stand in mcp/servers.yaml; the lines for
the board's own tools are those of models/training/unseen.en.tsv.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from appliance.audio import never
from appliance.reply.budget import CHARS_PER_TOKEN
from appliance.reply.conversation import Conversation
from appliance.reply.delayed import put_off
from appliance.reply.dependencies import Dependencies
from appliance.reply.engine import Engine
from appliance.reply.grammar import PlanGrammar
from appliance.reply.prior import Prior
from appliance.reply.understanding.fastlane import FastLane
from appliance.safety.fence import harmless
from appliance.settings import McpServer, McpTool, Settings
from appliance.simulated import CannedBridge, CannedModel, MemoryFacts, skill_context
from appliance.skills.loader import load
from appliance.tts.text import TextMouth

SERVERS = Path(__file__).parent / "mcp" / "servers.yaml"
UNSEEN = Path(__file__).parents[1] / "models" / "training" / "unseen.en.tsv"


@dataclass(frozen=True)
class Asked:
    """What came of one line."""

    wanted: str
    line: str
    offered: tuple[str, ...]
    """Tools that the model could call in the first pass, or the one that was called without it."""
    took_s: float
    fresh_tokens: float
    """Of the newest message; 0 where no model was asked."""

    @property
    def right(self) -> bool:
        return self.wanted in self.offered


def schema(takes: Mapping[str, str]) -> dict[str, Any]:
    """The JSON schema of parameters as servers.yaml writes them."""
    parts = {name.removesuffix("?"): _part(kind) for name, kind in takes.items()}
    return {"type": "object", "properties": parts, "required": [name for name in takes if not name.endswith("?")]}


def _part(kind: str) -> dict[str, Any]:
    if kind.startswith("["):
        return {"type": "array", "items": {"type": kind.strip("[]")}}
    return {"type": "string", "enum": kind.split("|")} if "|" in kind else {"type": kind}


def tools_and_lines() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Server, name of a tool, and what the file has of it."""
    for server, tools in yaml.safe_load(SERVERS.read_text(encoding="utf-8")).items():
        for name, told in tools.items():
            yield server, name, told


def bridge() -> CannedBridge:
    """It tells of the file's servers, and reaches none."""
    made = CannedBridge({})
    made.tell("mcp", "tools", [
        {
            "name": f"{server}__{name}", "server": server, "tool": name, "digest": name, "description": told["is"],
            "schema": schema(told["takes"]),
        }
        for server, name, told in tools_and_lines()
    ])  # fmt: skip
    return made


def settings() -> Settings:
    """Every tool of the file is allowed, and asks for no yes."""
    found: dict[str, dict[str, McpTool]] = {}
    for server, name, _ in tools_and_lines():
        found.setdefault(server, {})[name] = McpTool(effect="read")
    return Settings(mcp={name: McpServer(command=[name], tools=tools) for name, tools in found.items()})


class Box:
    """The board's skills in the real engine, around a model that writes nothing of use."""

    def __init__(self, chosen: Settings) -> None:
        context = skill_context(settings=chosen, bridge=bridge(), harmless=harmless)
        skills = load(context)
        tools = skills.for_model()
        self.tools = {tool.name for tool in tools}
        waits = put_off([*tools, *skills.commands()], skills.at_once, skills.verbatim)
        lane = cache(lambda language: FastLane(language, name="Jarvis", sentences=skills.sentences, put_off=waits))
        self.model, self.conversation = CannedModel(), Conversation(chosen.reply.conversation_gap_s, 16)
        self.engine = Engine(
            Dependencies(
                self.model, tools, [*skills.commands(), *skills.reviewed()], MemoryFacts(), context.clock,
                self.conversation, chosen, "Jarvis", lane, skills.guests, skills.skill_of,
                putting_off=skills.putting_off, answers=skills.answers, prior=Prior(skills.offers),
                coming=skills.coming,
            )
        )  # fmt: skip

    def ask(self, wanted: str, line: str) -> Asked:
        """In a conversation of its own."""
        self.conversation.begin()
        self.model.more("say So it is.")
        read = len(self.model.prompts)
        since_s = time.perf_counter()
        record = self.engine.reply(1, line, "chat", TextMouth(stale=never), never)
        took_s = time.perf_counter() - since_s
        if len(self.model.prompts) == read:
            return Asked(wanted, line, tuple(step.tool or "" for step in record.steps), took_s, 0.0)
        grammar = self.model.grammars[read]
        offered = tuple(name for name, _ in grammar.tools) if isinstance(grammar, PlanGrammar) else ()
        return Asked(wanted, line, offered, took_s, len(self.model.prompts[read][-1].text) / CHARS_PER_TOKEN)


def told(title: str, asked: Sequence[Asked]) -> str:
    fresh = [each.fresh_tokens for each in asked if each.fresh_tokens]
    return (
        f"{title}: {100 * statistics.fmean(each.right for each in asked):.1f} % of {len(asked)} right, "
        f"{statistics.fmean(len(each.offered) for each in asked):.1f} offered, "
        f"{1000 * statistics.median(each.took_s for each in asked):.0f} ms, "
        f"fresh tokens {statistics.median(fresh):.0f} (most {max(fresh):.0f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="show the lines that are not offered the right tool")
    chosen = parser.parse_args()
    alone, beside = Box(Settings()), Box(settings())
    rows = [row.split("\t") for row in UNSEEN.read_text(encoding="utf-8").splitlines()]
    own = [(name, line) for name, line in rows if name in alone.tools]
    far = [beside.ask(f"{server}__{name}", each["line"]) for server, name, each in tools_and_lines()]
    parts = {"tools of servers": far}
    parts |= {"own tools alone": [alone.ask(*each) for each in own], "own tools": [beside.ask(*each) for each in own]}
    for title, asked in parts.items():
        print(told(title, asked))
        for each in asked:
            if chosen.wrong and not each.right:
                print(f"  {each.wanted}: {each.line!r} -> {', '.join(each.offered)}")


if __name__ == "__main__":
    main()
