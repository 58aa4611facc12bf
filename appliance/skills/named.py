"""Whole sentences with names in them that only one skill knows, such as whom the owner sends messages to."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import yaml
from hassil import Intents, recognize_all
from hassil.intents import TextSlotList, WildcardSlotList

from appliance.ports import Meaning

TEXT = "text"
"""The slot of any words."""
MOST_CHARS = 400
"""Of a line with a free text in it: 27 s of speech."""


class NamedSentences:
    def __init__(self, folder: Path, language: str, slot: str, names: Collection[str]) -> None:
        """folder: of the skill; `named/<language>.yaml` in it is tool -> sentences in hassil's form, with the slots
        `slot`, which is one of `names`, and TEXT. Without that file there are none."""
        file = folder / "named" / f"{language}.yaml"
        told: dict[str, list[str]] = yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else {}
        data: dict[str, Any] = {
            "language": language,
            "intents": {tool: {"data": [{"sentences": sentences}]} for tool, sentences in told.items()},
        }
        self._intents = Intents.from_dict(data) if told and names else None
        self._lists = {
            slot: TextSlotList.from_strings([*names], allow_template=False, name=slot),
            TEXT: WildcardSlotList(TEXT),
        }

    def read(self, line: str) -> list[Meaning]:
        """What all of `line` orders; none where it is anything else.

        Of several ways the one counts that leaves the least to the free text.
        """
        if self._intents is None or len(line) > MOST_CHARS:
            return []
        found = list(recognize_all(line, self._intents, slot_lists=self._lists))
        if not found:
            return []
        best = min(found, key=lambda each: sum(len(slot.text) for slot in each.entities_list if slot.name == TEXT))
        spoken = {each.name: _as_said(each.text_span, str(each.value), line) for each in best.entities_list}
        return [Meaning(best.intent.name, spoken)]


def _as_said(span: tuple[int, int] | None, value: str, line: str) -> str:
    """With its commas and capitals, where it stands in the line."""
    return (line[slice(*span)] if span else value).strip(" ,.")
