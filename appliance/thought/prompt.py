"""The one prompt, built so that its head never changes: persona and rules, tools, examples, conversation, newest line.

The clock and the place stand beside the newest line: at the head they would throw the whole prompt cache away. All that
the model reads is in `prompts/`; nothing of it is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any

from appliance.ports import Message, Tool

RESULT = "-> "
"""Marks what a tool answered. It stands before the user's next line: the model reads it and never writes it."""


def head(tools: Sequence[Tool], name: str) -> list[Message]:
    """The part that is the same in every turn of every conversation."""
    catalogue = "\n".join(_signature(tool) for tool in tools)
    return [Message("system", _text("system").format(name=name, tools=catalogue)), *_examples(_text("examples"))]


def line(heard: str, now: datetime, place: str, answers: Sequence[str]) -> Message:
    """What the user said, with the time and place at which it was said, below what the last turn's tools answered."""
    moment = f"{now:%a} {now.day} {now:%b %Y %H:%M}"
    said = _text("line").format(heard=heard, context=f"{moment}, {place}" if place else moment)
    return Message("user", "\n".join([*(f"{RESULT}{answer}" for answer in answers), said]))


@cache
def _text(name: str) -> str:
    return resources.files("appliance.thought").joinpath("prompts", f"{name}.txt").read_text().strip()


def _signature(tool: Tool) -> str:
    parts = [_parameter(name, part) for name, part in tool.schema.get("properties", {}).items()]
    return f"{tool.name}({', '.join(parts)}): {' '.join(tool.description.split())}"


def _parameter(name: str, part: dict[str, Any]) -> str:
    """`name`, with its choices where it has some and its meaning where the name does not say it."""
    part = next((each for each in part.get("anyOf", ()) if each.get("type") != "null"), part) | {
        key: value for key, value in part.items() if key == "description"
    }
    options = "|".join(str(option) for option in part.get("enum", ()))
    meaning = options or part.get("description", "")
    return f"{name}: {meaning}" if meaning else name


def _examples(text: str) -> list[Message]:
    """Blocks of `> user` lines and the assistant's lines below them, with an empty line between blocks."""
    messages = []
    for block in text.split("\n\n"):
        lines = block.strip().splitlines()
        user = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
        messages += [Message("user", "\n".join(user)), Message("assistant", "\n".join(lines[len(user) :]))]
    return messages
