"""What the skills say in German: each phrase of theirs, with the same places for values as the English one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from appliance.simulated import HandSetClock, HandSetVolume, MemoryFacts
from appliance.skills.loader import on_board
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.sound.tools import SoundTools
from appliance.skills.written import written

FOLDERS = [folder for folder, _ in on_board() if (folder / "phrases").is_dir()]


def texts(phrases: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(phrases, dict):
        for key, value in phrases.items():
            yield from texts(value, f"{name}.{key}" if name else str(key))
    elif isinstance(phrases, str):
        yield name, phrases


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_phrase_is_there_in_german_with_its_places(folder: Path) -> None:
    english, german = (dict(texts(written(folder, "phrases", language))) for language in ("en", "de"))
    said = {name: text for name, text in english.items() if not name.startswith(("all", "noise", "order"))}
    assert said.keys() <= german.keys()
    assert {name: places(text) for name, text in said.items()} == {name: places(german[name]) for name in said}


def test_volume_and_memory() -> None:
    sound = SoundTools(HandSetVolume(), lambda: "", lambda: None, language="de")
    assert sound.set_volume(level=30) == "Lautstärke 30 Prozent."
    assert sound.tell_volume() == "Meine Lautstärke ist bei 30 Prozent."
    memory = MemoryTools(MemoryFacts(), HandSetClock(datetime(2026, 11, 27, 14, tzinfo=UTC)), 8, "de")
    assert memory.recall("alles über mich me") != ""
    assert memory.remember("Der Schlüssel hängt im Flur.") == "Das merke ich mir."
    assert memory.whether_to_forget("Schlüssel") == "Soll ich das vergessen: Der Schlüssel hängt im Flur?"
    assert memory.forget("Schlüssel") == "Vergessen: Der Schlüssel hängt im Flur."
