"""Turns in writing, timed as somebody who reads along would: until the first whole sentence."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance import build
from appliance.audio import never
from appliance.ports import MemoryStore, Tool
from appliance.records import TurnRecord
from appliance.reply.engine import Engine
from appliance.settings import Settings
from appliance.skills.skillset import Skills
from appliance.terminal.chat import Console
from appliance.tts.text import TextMouth
from bench.results import Row
from bench.scripted import PROMPT, skill_of

SENTENCE_ENDS = (".", "!", "?", "…")


@dataclass(frozen=True)
class Timed:
    record: TurnRecord
    first_sentence_s: float
    """From the line to the end of the first whole sentence; of an answer without one, to its end."""

    def row(self) -> Row:
        return self.record.model_dump() | {"first_sentence_s": round(self.first_sentence_s, 4)}


def ask(console: Console, text: str) -> Timed:
    """One turn with what follows it; what follows is in no figure, for nobody waits for it."""
    began_s, ended_s = time.monotonic(), list[float]()

    def said(clause: str) -> None:
        if clause.endswith(SENTENCE_ENDS):
            ended_s.append(time.monotonic())

    record = console.answer(text, said)
    over_s = time.monotonic()
    console.settle(never)
    console.read_ahead(never)
    return Timed(record, (ended_s[0] if ended_s else over_s) - began_s)


def made(
    parts: build.Parts,
    chosen: Settings,
    tools: Sequence[Tool] | None = None,
    memory: MemoryStore | None = None,
    skills: Skills | None = None,
) -> Console:
    """A console of its own over the loaded model, with other tools, memory or skills, its head read."""
    skills = skills or parts.skills
    needs = parts.dependencies(chosen, tools, memory, skills)
    scripted = skill_of(tools or (), needs.skill_of)
    prompts = [*needs.prompts, *([PROMPT] if scripted else [])]
    engine = Engine(replace(needs, skill_of={**needs.skill_of, **scripted}, prompts=prompts))
    engine.warm_up()
    return Console(
        engine,
        parts.conversation,
        skills.rings.alarms,
        skills.rings.telling,
        parts.clock,
        memory or parts.memory,
        TextMouth,
    )
