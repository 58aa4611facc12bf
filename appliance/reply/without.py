"""The groups of rules that can be switched off, to measure what each is worth (docs/ablation.md).

A group is passed through `kept` where its result enters the turn. `fired` holds the groups whose result was anything
but neutral since it was last cleared: a case in which a group did not fire ends the same without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

GROUPS = (
    "conditions", "dependence", "apart", "missed", "duty", "offering", "held", "memory", "reckoner", "beside",
    "results", "speech", "force", "draft", "ellipsis", "talk", "world", "repairs", "certain", "addressing", "rules",
)  # fmt: skip
Value = TypeVar("Value")

_off: set[str] = set()
fired: set[str] = set()


def switch_off(groups: Iterable[str]) -> None:
    """Those of `GROUPS` that are off from now on, in this process."""
    _off.clear()
    _off.update(groups)


def kept(group: str, value: Value, neutral: Value) -> Value:
    """`value`, or `neutral` where its group is switched off."""
    if value != neutral:
        fired.add(group)
    return neutral if group in _off else value
