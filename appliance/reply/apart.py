"""What the model is asked of a text that belongs to no turn: an instruction, with one example answered before it."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml

from appliance.ports import Message


def asked(name: str, **values: str) -> list[Message]:
    """One of prompts/apart.yaml.  values: what it leaves open."""
    row, box = _rows()[name], values.get("box", "")
    example = {key: str(text).replace("{box}", box) for key, text in row["example"].items()}
    answer = example.pop("answer")
    first, then = (row["ask"].format(**{**values, **given}) for given in (example, {}))
    return [Message("user", first), Message("assistant", answer), Message("user", then)]


@cache
def _rows() -> dict[str, Any]:
    text = resources.files("appliance.reply").joinpath("prompts", "apart.yaml").read_text("utf-8")
    return dict(yaml.safe_load(text))
