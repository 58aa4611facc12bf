"""Tools beyond those on board, whose results a case writes: what a household may connect one day."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.ports import Spoken, Tool
from appliance.skills.schema import FunctionTool, tool
from appliance.skills.written import prompt
from bench.cases import Result

SKILL_OF = {
    "get_weather": "weather", "home_set": "home", "home_state": "home", "unlock_door": "doors",
    "send_message": "messages", "play_music": "music",
}  # fmt: skip
"""Tool -> the skill that it would belong to, by the name that the classifier knows it by; but for those that stand in
for one on board, whose results a case writes."""
HANG_S = 2.5
"""Longer than a tool may take in an evaluation (2 s), and over when the next case calls it."""
NOTHING = "Nothing was found."


@dataclass
class Script:
    """The results of the case that runs now."""

    results: Sequence[Result] = field(default_factory=tuple)

    def find(self, name: str, arguments: dict[str, Any]) -> Result:
        """Nothing found, where the case says nothing. Raises CannotBeDone where it says so."""
        words = " ".join(map(str, arguments.values())).casefold()
        fitting = (each for each in self.results if each.tool == name and each.when.casefold() in words)
        found = next(fitting, Result(tool=name, gives=NOTHING))
        if found.fails:
            raise CannotBeDone(found.fails)
        if found.hangs:
            time.sleep(HANG_S)
        return found


class Tools:
    def __init__(self, script: Script) -> None:
        self._script = script

    def lookup(self, query: Annotated[str, Field(description="name of what is asked about")]) -> str:
        """Look up a person, film, book, product, event or place in the encyclopedia."""
        return self._script.find("lookup", {"query": query}).gives

    def get_weather(self, place: str = "", day: str = "") -> str:
        """Tell the weather now or on a day."""
        return self._script.find("get_weather", {"place": place, "day": day}).gives

    def home_state(self, what: Annotated[str, Field(description="device or room")]) -> str:
        """Tell the state of lights, heating, doors and sensors at home."""
        return self._script.find("home_state", {"what": what}).gives

    def home_set(self, device: str, state: str) -> Spoken:
        """Switch or set something at home: lights, heating, plugs, blinds."""
        self._script.find("home_set", {"device": device, "state": state})
        return Spoken(f"The {device.removeprefix('the ')} is set to {state}.")

    def unlock_door(self, door: str) -> Spoken:
        """Unlock a door."""
        self._script.find("unlock_door", {"door": door})
        return Spoken(f"The {door} is unlocked.")

    def add_to_list(self, item: str, list: str = "shopping") -> Spoken:
        """Put something on a list."""
        self._script.find("add_to_list", {"item": item, "list": list})
        return Spoken(f"{item.capitalize()} is on the {list.removesuffix(' list')} list.")

    def read_list(self, list: str = "shopping", item: str = "") -> str:
        """Tell what is on a list."""
        return self._script.find("read_list", {"list": list, "item": item}).gives

    def search_documents(self, query: str) -> str:
        """Search the household's own documents: manuals, contracts, letters, recipes."""
        return self._script.find("search_documents", {"query": query}).gives

    def send_message(self, to: str, text: str) -> Spoken:
        """Send a message to somebody."""
        self._script.find("send_message", {"to": to, "text": text})
        return Spoken(f"The message to {to} is sent.")

    def play_music(self, what: str) -> Spoken:
        """Play music, an artist or a radio station."""
        self._script.find("play_music", {"what": what})
        return Spoken(f"Playing {what}.")

    def named(self, names: Sequence[str]) -> list[FunctionTool]:
        """Those of the catalogue above that a case asks for, always in the same order."""
        every = [
            tool(self.lookup, "read", untrusted=True),
            tool(self.get_weather, "read", untrusted=True),
            tool(self.home_state, "read", untrusted=True),
            tool(self.home_set, "act"),
            tool(self.unlock_door, "irreversible", ask="Shall I unlock the {door}?"),
            tool(self.add_to_list, "act"),
            tool(self.read_list, "read"),
            tool(self.search_documents, "read", untrusted=True),
            tool(self.send_message, "irreversible", ask="Shall I send {to} this message: {text}?"),
            tool(self.play_music, "act"),
        ]
        return [each for each in every if each.name in names]


def skill_of(tools: Iterable[Tool], on_board: Container[str]) -> dict[str, str]:
    """Of those tools that stand here for none on board."""
    names = [tool.name for tool in tools]
    return {name: SKILL_OF[name] for name in names if name in SKILL_OF and name not in on_board}


PROMPT = prompt(Path(__file__).parent / "household")
"""What the tools above add to the head of the prompt, when a case has them."""
EVERY = tuple(name for name in vars(Tools) if not name.startswith("_") and name != "named")
