"""The one prompt, built so that its head never changes: persona and rules, tools, examples, conversation, newest line.

The clock and the place stand beside the newest line: at the head they would throw the whole prompt cache away. All that
the model reads is in `prompts/`; nothing of it is written here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib import resources
from itertools import groupby, pairwise
from textwrap import shorten
from typing import Any

import yaml

from appliance.ports import Effect, Fact, MemoryUse, Message, SkillPrompt, Tool
from appliance.reply.schemas import value_part

BETWEEN_FACTS = "; "
CANNOT_NAMED = 8
"""Abilities that the rules name as lacking, the most asked for first: each costs tokens in every head."""
SEARCH, ANALYSE = "tool_search", "analyse"
"""Steps that the engine itself provides (choices.yaml)."""
RESULT = "-> "
"""Marks what a tool answered. It stands before the user's next line: the model reads it and never writes it."""


PURPOSE_MAX_CHARS = 120
"""Of a tool's description, whose first sentence is shown: servers write whole pages, and twelve stand beside a line."""
CUT = " …"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, eq=False)
class Choice:
    """Something the model may write that is no tool of the box: the engine acts on it. Stands in for ports.Tool."""

    name: str
    description: str
    schema: dict[str, Any] = field(default_factory=dict)
    effect: Effect = "read"
    untrusted: bool = False
    memory: MemoryUse = ""

    def ready(self) -> bool:
        return True

    def question(self, arguments: dict[str, Any]) -> str:
        """Never asked: it changes nothing by itself."""
        raise NotImplementedError

    def call(self, arguments: dict[str, Any]) -> str:
        """Never called: the engine does what it means."""
        raise NotImplementedError


def choice(name: str, ids: Sequence[int] = ()) -> Choice:
    """One of `choices.yaml`.  ids: the numbers that it may name, where nothing but a number is wanted of it."""
    row = _data("choices")[name]
    properties: dict[str, dict[str, Any]] = {
        key: {"type": "integer" if key == "id" else "string", "description": meaning}
        for key, meaning in row.get("arguments", {}).items()
    }
    if ids:
        properties = {"id": {"enum": [*ids]}} if "id" in properties else {}
    return Choice(name, row["description"], {"type": "object", "properties": properties, "required": list(properties)})


def head(
    tools: Sequence[Tool],
    skills: Collection[str],
    name: str,
    small: bool,
    taught: bool = False,
    prompts: Sequence[SkillPrompt] = (),
    persona: str = "",
) -> list[Message]:
    """The part that is the same in every turn of every conversation.

    skills: names of those that are on.  taught: see ModelFacts; the examples are three quarters of it.  prompts: what
    the skills add.  persona: see there; what models were taught, they were taught behind a head without one.
    """
    system = _text("system").format(
        name=name,
        rules=_rules("rules_small" if small else "rules_large", skills, prompts),
        tools=catalogue(tools),
        persona=persona,
    )
    return [Message("system", system), *([] if taught else _conversation(prompts))]


def talk_head(name: str, taught: bool = False, persona: str = "") -> list[Message]:
    """The part that is the same wherever people only talk; `head` does everything else."""
    system = Message("system", _text("talk").format(name=name) + persona)
    return [system, *([] if taught else _examples(_blocks(_text("talk_examples"))))]


def world_head(persona: str = "") -> list[Message]:
    """The same where something is asked of the world at large, for a model as its makers left it."""
    return [Message("system", _text("world") + persona)]


def persona(usual: str, others: Mapping[str, str]) -> str:
    """What a head says of the owner's roles.

    usual: what the one in force asks for, or empty.  others: name -> what it asks for, of those that may be picked.
    """
    texts = [usual, *(_text("role").format(role=name, prompt=text) for name, text in others.items())]
    return "".join(f"\n{text}" for text in texts if text)


def catalogue(tools: Sequence[Tool]) -> str:
    """A line for each tool: signature and purpose."""
    return "\n".join(_signature(tool) for tool in tools)


def profile(facts: Sequence[Fact], rules: Sequence[Fact], facts_chars: int, rules_chars: int) -> list[Message]:
    """What is known of the user, newest first, as far as there is room."""
    known, wished = _fitting(facts, facts_chars), _fitting(rules, rules_chars)
    parts = [_text("rules").format(rules=wished)] if wished else []
    parts += [_text("profile").format(facts=known)] if known else []
    return [Message("system", "\n\n".join(parts))] if parts else []


@dataclass(frozen=True)
class Beside:
    """What stands beside a line."""

    facts: Sequence[str] = ()
    """Stored ones that may matter here."""
    wishes: Sequence[str] = ()
    """Standing rules: a small model heeds only what is near."""
    running: Sequence[str] = ()
    """Timers that the line may mean."""
    tools: Sequence[Tool] = ()
    """A shortlist beyond those in the head."""
    background: str = ""
    """See `background`."""

    @property
    def text(self) -> str:
        """A line for each of them that there is."""
        texts = (
            self.background,
            _text("known").format(text=BETWEEN_FACTS.join(self.facts)) if self.facts else "",
            _text("wishes").format(text=" ".join(self.wishes)) if self.wishes else "",
            _text("running").format(text=", ".join(self.running)) if self.running else "",
            _text("shortlist").format(text=catalogue(self.tools)) if self.tools else "",
        )
        return "".join(f"{text}\n" for text in texts if text)


def line(
    heard: str, now: datetime, place: str, beside: Beside, answers: Sequence[str] = (), speaker: str = ""
) -> Message:
    """What the user said, with the time and place at which it was said, below what the last turn's tools answered.

    speaker: a guest's name.
    """
    moment = f"{now:%A} {now.day} {now:%b %Y %H:%M}"
    said = _text("line").format(
        context=", ".join(part for part in (moment, place, speaker) if part),
        extras=beside.text,
        heard=said_by(heard, speaker),
    )
    return Message("user", "\n".join([*(f"{RESULT}{answer}" for answer in answers), said]), turn_begins=True)


def said_by(heard: str, speaker: str) -> str:
    """A line with who said it; speaker: a guest's name, or empty."""
    return _text("speaker").format(speaker=speaker, heard=heard) if speaker else heard


def results(found: Sequence[str], remark: str) -> str:
    """What the steps so far gave, and a remark behind it."""
    return "\n".join([*(f"{RESULT}{text}" for text in found), remark])


def background(text: str) -> str:
    """What memory gave, framed: it is no instruction and no template, and the newest wins."""
    return _text("background").format(text=text) if text else note("no_memory")


def digest(text: str, query: str, stage: str) -> str:
    """Asks for the digest of a result, or of memories."""
    return _text("digest_memory" if stage == "memory digest" else "digest").format(text=text, query=query)


def absent(name: str) -> str:
    """What people ask for that cannot be done without the skill of that name."""
    return str(_data("cannot")[name])


def lacking(skills: Collection[str]) -> frozenset[str]:
    """Names of the skills that people ask for and that are not here."""
    return frozenset(_data("cannot")) - {*skills}


def note(name: str, **values: str) -> str:
    """One of the short notes that a step leaves for the model."""
    return str(_data("notes")[name]).format(**values)


def unknown(text: str) -> str:
    """A line as it was read, without what was known beside it."""
    return _beside_known().sub("", text)


@cache
def _beside_known() -> re.Pattern[str]:
    start, end = _text("known").split("{text}")
    return re.compile(rf"^{re.escape(start)}.*{re.escape(end)}\n", re.MULTILINE)


def instruction(name: str, **values: str) -> str:
    """One of the texts that end a prompt: caveat, retry, analyse, part, final, excerpt."""
    return _text(name).format(**values)


@cache
def _text(name: str) -> str:
    return resources.files("appliance.reply").joinpath("prompts", f"{name}.txt").read_text("utf-8").strip()


@cache
def _data(name: str) -> dict[str, Any]:
    text = resources.files("appliance.reply").joinpath("prompts", f"{name}.yaml").read_text("utf-8")
    return dict(yaml.safe_load(text))


def _signature(tool: Tool) -> str:
    parts = [_parameter(name, part) for name, part in tool.schema.get("properties", {}).items()]
    purpose = " ".join(_SENTENCE_END.split(tool.description.strip())[0].split())
    return f"{tool.name}({', '.join(parts)}): {shorten(purpose, PURPOSE_MAX_CHARS, placeholder=CUT)}"


def _parameter(name: str, part: dict[str, Any]) -> str:
    """`name`, with its choices where it has some and its meaning where the name does not say it."""
    part = value_part(part) | {key: value for key, value in part.items() if key == "description"}
    options = "|".join(str(option) for option in part.get("enum", ()))
    meaning = options or part.get("description", "")
    return f"{name}: {meaning}" if meaning else name


def _fitting(facts: Sequence[Fact], room_chars: int) -> str:
    lines = list[str]()
    for fact in facts:
        room_chars -= len(fact.text) + 3
        if room_chars < 0:
            break
        lines.append(f"- {fact.text}")
    return "\n".join(lines)


def _rules(name: str, skills: Collection[str], prompts: Sequence[SkillPrompt]) -> str:
    """How to reply, with what the skills add to it and what none of them does."""
    lacks = [what for skill, what in _data("cannot").items() if skill not in skills]
    return (
        _text(name)
        .format(
            cannot=", ".join(lacks[:CANNOT_NAMED]),
            world=next((each.world for each in prompts if each.world), _text("world_rule")),
            skills="\n".join(each.rules for each in prompts if each.rules),
        )
        .rstrip()
    )


def _conversation(prompts: Sequence[SkillPrompt]) -> list[Message]:
    """The examples: those of each skill, one skill after the other, with as much talk before and behind each."""
    ours = [_blocks(each.examples) for each in prompts if each.examples]
    talk, shares = _blocks(_text("examples")), len(ours) + 1
    ends = [round(len(talk) * share / shares) for share in range(shares + 1)]
    first, *others = [talk[begin:end] for begin, end in pairwise(ends)]
    return _examples([*first, *(block for pair in zip(ours, others, strict=True) for part in pair for block in part)])


def _blocks(text: str) -> list[str]:
    return [block.strip() for block in text.split("\n\n")]


def _examples(blocks: Sequence[str]) -> list[Message]:
    """Blocks of lines: `> ` the user's, `-> ` what tools answered, any other the assistant's.

    What a block ends with, the model reads with the line of the next one.
    """
    messages, read = list[Message](), list[str]()
    for block in blocks:
        for is_read, lines in groupby(block.splitlines(), key=lambda line: line.startswith(("> ", RESULT))):
            if is_read:
                read += [line.removeprefix("> ") for line in lines]
            else:
                messages += [Message("user", "\n".join(read)), Message("assistant", "\n".join(lines))]
                read = []
    return messages
