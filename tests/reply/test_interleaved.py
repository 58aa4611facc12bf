"""Conversations that are taken in turn, at random: none is told a word, a tool or a yes of another one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rig import Rig

from appliance.audio import Stale, never
from appliance.build.client_tools import client_tools
from appliance.ports import Message
from appliance.ports.hub import ClientTool, Continue, Function, Outcome, Result, Start, TurnAsked
from appliance.simulated import CannedModel
from appliance.tts.text import TextMouth

KEYS = ("", "kitchen", "attic", "shed")
"""The first is the box's own."""
ACTS = ("say", "call", "wipe", "yes", "bring")
MARK = re.compile(r"mark[a-z]+\d+")


class Asked(CannedModel):
    """Does what its line asks for, in the words of that line; reads results aloud."""

    def generate(self, prompt: Any, grammar: Any, limit: Any, usage: Any, stale: Stale) -> Any:
        line = prompt[-1].text
        said = MARK.findall(line)
        word = said[-1] if said else "nothing"
        if "-> " not in line and "show a photo" in line:
            self.more(f'show_{word[4:-1].rstrip("0123456789") or "x"}(subject="{word}")')
        elif "-> " not in line and "wipe the screen" in line:
            self.more(f"wipe_{word[4:].rstrip('0123456789')}()")
        else:
            self.more(f"say I heard {word}.")
        yield from super().generate(prompt, grammar, limit, usage, stale)


def tools_of(key: str) -> list[ClientTool]:
    subject = {"type": "object", "properties": {"subject": {"type": "string"}}, "required": ["subject"]}
    photo = Function(name=f"show_{key}", description="Show a photo on the screen.", parameters=subject)
    wipe = Function(name=f"wipe_{key}", description="Wipe the screen.")
    return [ClientTool(function=photo, trusted=True), ClientTool(function=wipe, effect="irreversible")]


@dataclass
class Told:
    """What one conversation was told, and waits for."""

    marks: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)
    asked: bool = False


class House:
    def __init__(self) -> None:
        self.model = Asked()
        self.rig = Rig(model=self.model)
        self.told = {key: Told() for key in KEYS}
        self.count = 0
        for key in KEYS[1:]:
            clients = self.rig.engine.clients
            asked = Start(conversation=key, channel="satellite", tools=tools_of(key))
            clients.start(asked, client_tools(asked.tools, clients.irreplaceable, "en"))

    def act(self, key: str, what: str) -> None:
        mine, self.count = self.told[key], self.count + 1
        mark = f"mark{key or 'own'}{self.count}"
        before, prompts = set(self.rig.home.did), len(self.model.prompts)
        if what == "bring" and mine.calls:
            mine.marks.add(mark)
            result = Result(id=mine.calls.pop(), message=f"the photo of {mark} is there")
            self.take(
                key, self.rig.engine.clients.go_on(Continue(conversation=key, results=[result]), 1, mouth(), never)
            )
        elif what in ("say", "call", "wipe"):
            mine.marks.add(mark)
            words = {"say": "good evening says", "call": "show a photo on the screen of", "wipe": "wipe the screen of"}
            self.say(key, f"{words[what]} {mark}")
        elif what == "yes":
            self.say(key, "yes")
        assert set(self.rig.home.did) == before
        self.check(key, self.model.prompts[prompts:])

    def say(self, key: str, line: str) -> None:
        if not key:
            record = self.rig.say(line)
            assert not any(step.tool and step.outcome == "ok" for step in record.steps), "the tools are others'"
            return
        asked, mine = TurnAsked(conversation=key, text=line), self.told[key]
        was_asked, mine.calls, mine.asked = mine.asked, [], False
        outcome = self.rig.engine.clients.turn(asked, 1, mouth(), never)
        if line == "yes":
            assert bool(outcome.calls) is was_asked, "a yes is for the question of its own conversation"
        self.take(key, outcome)

    def take(self, key: str, outcome: Outcome) -> None:
        assert all(call.name.endswith(f"_{key}") for call in outcome.calls)
        self.told[key].calls = [call.id for call in outcome.calls]
        self.told[key].asked = bool(outcome.options)

    def check(self, key: str, prompts: list[list[Message]]) -> None:
        own = self.told[key].marks
        for prompt in prompts:
            read = "".join(message.text for message in prompt)
            assert set(MARK.findall(read)) <= own
            assert not any(f"show_{other}" in read or f"wipe_{other}" in read for other in KEYS[1:] if other != key)


def mouth() -> TextMouth:
    return TextMouth()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(ACTS)), min_size=2, max_size=14))
def test_none_of_them_crosses_into_another(steps: list[tuple[str, str]]) -> None:
    house = House()
    for key, what in steps:
        house.act(key, what)
