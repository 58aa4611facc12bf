"""The head of the prompt: general rules and talk, and what each skill that is on adds of its own."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Sequence
from pathlib import Path

import yaml

import appliance
from appliance.ports import Message
from appliance.reply import prompt
from appliance.settings import Settings
from appliance.settings import Skills as Chosen
from appliance.simulated import skill_context
from appliance.skills.loader import load
from bench import scripted

REPLY = Path(appliance.__file__).parent / "reply"
TAUGHT = {
    True: "e63ef8782d2ba30fb5b9c752a4cb0b87a026b5c20f1fbb96b9b9f96b0b79edb6",
    False: "52967ff6576567422d6d0b9726cb8a2d8163126316e635115696239f185c926b",
}
"""Small model or not -> SHA-256 of the head that reply/lora/ was made with. Another head needs other adapters."""
UNTAUGHT_CHARS = 13_004
"""Of the head with examples, for a small model: more would not fit on the smallest board (tests/reply/test_room.py)."""


def head(small: bool = True, taught: bool = False, off: Collection[str] = ()) -> list[Message]:
    skills = load(skill_context(settings=Settings(skills=Chosen(off=[*off]))))
    on = {*skills.skill_of.values()}
    return prompt.head(skills.for_model(), on, "Jarvis", small, taught, skills.prompts)


def text(messages: Sequence[Message]) -> str:
    return "\0".join(f"{message.role}\n{message.text}" for message in messages)


def test_head_is_the_one_that_the_adapters_were_taught_with() -> None:
    for small, digest in TAUGHT.items():
        assert hashlib.sha256(text(head(small, taught=True)).encode()).hexdigest() == digest


def test_examples_of_all_skills_fit() -> None:
    assert len(text(head())) <= UNTAUGHT_CHARS


def test_a_skill_that_is_off_leaves_neither_rule_nor_example() -> None:
    whole, without = text(head()), text(head(off=["memory", "arithmetic"]))
    assert "call remember" in whole
    assert 'forget(what="hazelnuts")' in whole
    assert "call remember" not in without
    assert not re.search(r"\b(remember|recall|forget|calculate|convert_units)\(", without)
    assert "set_timer(" in without


def test_a_skill_that_knows_the_world_replaces_the_rule_for_it() -> None:
    rule = prompt.head([], (), "Jarvis", True, prompts=[scripted.PROMPT])[0].text
    assert "Call lookup" in rule
    assert "Use say for every question about the world" not in rule


def test_talk_stands_between_the_skills() -> None:
    """A model that reads sixty calls in a row and then sixty answers writes answers."""
    written = [message.text for message in head()[1:] if message.role == "assistant"]
    kinds = "".join("s" if each.startswith("say ") else "c" for each in written)
    assert kinds[0] == kinds[-1] == "s"
    assert max(map(len, re.findall("c+", kinds))) <= 11


def test_nothing_in_reply_names_a_tool() -> None:
    """A word such as "stop" is a word as well: only what is written as a call, or told to be called, is looked for."""
    skills = load(skill_context())
    names = {tool.name for tool in (*skills.for_model(), *skills.commands())} | {*scripted.EVERY}
    names -= {"update_memory"}  # a step of the engine itself, prompts/choices.yaml
    one, several = ("|".join(name for name in names if ("_" in name) is many) for many in (False, True))
    named = re.compile(rf"\b(?:{one})\(|\bcall (?:{one})\b|\b(?:{several})\b", re.IGNORECASE)
    for folder in ("prompts", "wording", "sentences"):
        for file in (REPLY / folder).iterdir():
            assert not named.search(file.read_text(encoding="utf-8")), file


def test_nothing_in_reply_names_a_skill() -> None:
    """But for memory, which is a room as well, for what hassil calls lists and prompts/ notes, and for what people ask
    of a box that lacks it (cannot.yaml)."""
    names = {skill.name for skill in load(skill_context()).on} - {"memory", "lists", "notes"}
    for file in REPLY.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        assert not names & {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}, file
    for file in (REPLY / "prompts").glob("*.yaml"):
        assert not names & yaml.safe_load(file.read_text(encoding="utf-8")).keys(), file
