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
    True: "da6efb792132bd7fb46e5e65f060f1ee3bd865e652563292da929adb1174a52c",
    False: "5a05dafaf5936f8c14f99a82e6ddefb10282180ebd49b0ad57ec469aff3ac060",
}
"""Small model or not -> SHA-256 of the head that reply/lora/ serves behind. The adapters that ship were made behind one
with fewer tools (models/cards/lora.md); whoever changes the head measures again, or makes them anew."""
UNTAUGHT_CHARS = 13_200
"""Of the head with examples, for a small model: more would not fit on the smallest board (tests/reply/test_room.py)."""


def head(small: bool = True, taught: bool = False, off: Collection[str] = ()) -> list[Message]:
    skills = load(skill_context(settings=Settings(skills=Chosen(off=[*off]))))
    on = {*skills.skill_of.values()}
    shown = skills.for_model()[: Settings().reply.catalogue_max]
    return prompt.head(shown, on, "Jarvis", small, taught, skills.prompts)


def text(messages: Sequence[Message]) -> str:
    return "\0".join(f"{message.role}\n{message.text}" for message in messages)


def test_head_is_the_one_that_was_measured_with_the_adapters() -> None:
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
