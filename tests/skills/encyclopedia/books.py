"""A small encyclopedia as the model store has one, and as a ZIM file; a box that has either."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from appliance.errors import ModelMissing
from appliance.ports import Skill
from appliance.settings import Encyclopedia, Settings
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.encyclopedia import make
from appliance.skills.loader import load

NOW = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
SUMMARIES = {
    "Slovenia": "Slovenia is a country in Central Europe. Ljubljana, the capital, lies near its centre.",
    "Mercury (planet)": "Mercury is the first planet from the Sun.",
    "Mercury (element)": "Mercury is a chemical element with the symbol Hg.",
    "Flamingo": "Flamingos are wading birds. Their pink colour comes from the carotenoids in what they eat.",
    "Königsberg": "Königsberg was a city on the Baltic Sea.",
    "T. S. Eliot": "T. S. Eliot was a poet. He wrote The Waste Land c. 1922.",
    "東京": "東京は日本の首都である。",
}
ARTICLES = [
    ("Corvane Lighthouse", "The Corvane Lighthouse is a tower of granite. It was finished in 1871 by Ada Marsh."),
    ("Mercury", "Mercury is a name of several things."),
    ("Łódź", "Łódź is a city in Poland. Its river is the Łódka."),
    ("Harbour", "A harbour is where ships lie. Granite is common there."),
]


def item(folder: Path, texts: dict[str, str] = SUMMARIES) -> Path:
    path = folder / "summaries.json"
    content = {title: {"title": title, "extract": text, "description": None} for title, text in texts.items()}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def nothing(name: str) -> Path:
    raise ModelMissing(f"model {name} is not here", remedy="run: appliance models fetch")


class Box:
    """A box with this encyclopedia; `call` is a tool of it."""

    def __init__(self, state: Path, summaries: Path | None = None, folder: Path | None = None, **others: Any) -> None:
        self.clock = HandSetClock(NOW)
        settings = Settings(state=state, encyclopedia=Encyclopedia(folder=folder))
        found = nothing if summaries is None else (lambda name: summaries)
        self.context = skill_context(settings=settings, clock=self.clock, model_file=found, **others)
        self.skill: Skill = make(self.context)
        self._tools = {each.name: each for each in self.skill.all_tools}

    def prepare(self) -> None:
        """What the skill does in the background."""
        assert self.skill.chore
        self.skill.chore(lambda: True)

    def call(self, tool: str, **arguments: str) -> str:
        return self._tools[tool].call(arguments)

    def offered(self) -> set[str]:
        return {each.name for each in load(self.context).for_model()}
