"""The real engine around a canned model: what it writes is given, everything else happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from appliance.audio import Stale, never
from appliance.errors import BadArgument, CannotBeDone
from appliance.memory.by_voice import ByVoice
from appliance.ports import Announce, FactKind, Grammar, LanguageModel, Meaning, MemoryStore, SoundOf, Spoken, Tool
from appliance.records import TurnRecord
from appliance.reply.conversation import Conversation
from appliance.reply.delayed import put_off
from appliance.reply.dependencies import Dependencies
from appliance.reply.engine import Engine
from appliance.reply.understanding.fastlane import FastLane, PutOff
from appliance.service.orders import DueOrders
from appliance.settings import Memory, Reply, Settings, Speaker, Words
from appliance.simulated import AskedPrivate, CannedModel, HandSetClock, HandSetVolume, MemoryFacts, skill_context
from appliance.skills.loader import load, sentences_on_board
from appliance.skills.schema import FunctionTool, tool
from appliance.skills.skillset import Skills
from appliance.tts.text import TextMouth

NOW = datetime(2026, 3, 14, 18, 30, tzinfo=UTC)


Minutes = Annotated[float, Field(json_schema_extra={"said": True})]


class Household:
    """Tools of every sort; `did` is what they did, `gives` what the reading ones answer."""

    def __init__(self) -> None:
        self.did: list[tuple[str, Any]] = []
        self.gives = "Blade Runner is a film by Ridley Scott."

    def get_time(self) -> Spoken:
        """Tell the time."""
        return Spoken("It is 6:30 PM.")

    def set_timer(self, minutes: Minutes = 0, label: str = "") -> Spoken:
        """Start a timer."""
        if not minutes:
            raise BadArgument("How long should the timer be?")
        self.did.append(("set_timer", minutes))
        return Spoken(f"{minutes:g} minutes, starting now.")

    def lookup(self, query: str) -> str:
        """Look something up."""
        self.did.append(("lookup", query))
        return self.gives

    def read_list(self, list: str = "shopping") -> str:
        """Tell what is on a list."""
        return "milk, eggs"

    def unlock_door(self, door: str) -> Spoken:
        """Unlock a door."""
        self.did.append(("unlock_door", door))
        return Spoken(f"The {door} is unlocked.")

    def get_weather(self, place: str = "") -> str:
        """Tell the weather."""
        if not place:
            raise CannotBeDone("the weather station does not answer")
        return f"{place}: rain"

    def sleep(self) -> str:
        """Never comes back."""
        time.sleep(5)
        return "too late"

    def explode(self) -> str:
        """Breaks."""
        raise RuntimeError("boom")

    def remember(self, fact: str) -> Spoken:
        """Keep something."""
        return Spoken("I will remember that.")

    def recall(self, topic: str) -> str:
        """Look up what was talked about."""
        return f"[2026-03-01] The user likes {topic}."

    def stop(self) -> Spoken:
        """Be quiet."""
        return Spoken("")

    def tools(self) -> list[Tool]:
        reads: list[FunctionTool] = [
            tool(each, "read") for each in (self.get_time, self.read_list, self.get_weather, self.sleep, self.explode)
        ]
        acts = [tool(each, "act") for each in (self.set_timer, self.stop)]
        own = [tool(self.remember, "act", memory="keep"), tool(self.recall, "read", memory="recall")]
        outside = tool(self.lookup, "read", untrusted=True)
        door = tool(self.unlock_door, "irreversible", ask="Shall I unlock the {door}?")
        return [*reads, *acts, *own, outside, door]


def send_message(to: str, text: str) -> str:
    """Send a message to somebody."""
    return f"sent {text} to {to}"


SENDER = tool(send_message, "irreversible", ask="Shall I send {to} this: {text}?")


SKILLS = {
    "unlock_door": "doors", "get_weather": "weather", "read_list": "lists", "send_message": "messages",
    "set_timer": "timers", "remember": "memory", "recall": "memory",
}  # fmt: skip
"""Tool -> its skill, by the name that the classifier knows it by."""


def unlikely(line: str) -> dict[str, float]:
    """The classifier was taught neither, and no line means one of them; `lookup` it was not taught either."""
    return dict.fromkeys(("sleep", "explode"), 0.0)


class Doubting(CannedModel):
    """Is not sure of what it writes."""

    def __init__(self, texts: Sequence[str], doubt: float) -> None:
        super().__init__(texts)
        self.doubt = doubt

    def generate(self, prompt: Any, grammar: Any, limit: Any, usage: Any, stale: Any) -> Any:
        yield from super().generate(prompt, grammar, limit, usage, stale)
        usage.doubt = self.doubt


class Rig:
    def __init__(
        self,
        *writes: str,
        reply: dict[str, Any] | None = None,
        memory: dict[str, Any] | None = None,
        parameters: int = 1_500_000_000,
        more_tools: Sequence[Tool] = (),
        model: LanguageModel | None = None,
        sound_of: SoundOf = str.casefold,
        parts: dict[str, Any] | None = None,
        without: Collection[str] = (),
    ) -> None:
        """writes: what the model writes, a text a pass.  parts: others of the house.  without: tools that it lacks."""
        self.canned = model if isinstance(model, CannedModel) else CannedModel(writes, parameters=parameters)
        self.home, self.memory, self.clock = Household(), MemoryFacts(), HandSetClock(NOW)
        settings = Settings(
            place="Utrecht", reply=Reply(**{"tool_timeout_s": 0.2} | (reply or {})), memory=Memory(**(memory or {}))
        )
        kept = settings.reply
        self.conversation = Conversation(kept.conversation_gap_s, kept.results_kept, kept.conversations_max)
        tools = [each for each in (*self.home.tools(), *more_tools) if each.name not in without]
        needs = Dependencies(
            model or self.canned, tools, (), self.memory, self.clock, self.conversation, settings, "Jarvis"
        )
        own: dict[str, Any] = {"guests": {"lookup", "get_time"}, "skill_of": SKILLS, "prior": unlikely}
        needs = replace(needs, **(own | (parts or {})))
        waits = put_off([*needs.tools, *needs.commands], (), ())
        lane = lane_of(sentences_on_board(), waits, sound_of)
        self.engine = Engine(needs if "lane" in (parts or {}) else replace(needs, lane=lane))
        self._turn = 0

    def say(self, heard: str, channel: str = "chat", stale: Stale = never, speaker: str = "") -> TurnRecord:
        self._turn += 1
        return self.engine.reply(self._turn, heard, channel, TextMouth(stale=stale), stale, speaker)

    def grammar(self, place: int = 0) -> Grammar:
        """What the model wrote under in that pass."""
        grammar = self.canned.grammars[place]
        assert grammar is not None
        return grammar

    def knows(self, text: str, kind: FactKind = "user") -> int:
        return self.memory.save(text, kind, NOW).id

    @property
    def read(self) -> list[str]:
        """The newest message of each prompt that the model was given."""
        return [messages[-1].text for messages in self.canned.prompts]


def lane_of(
    sentences: Sequence[Path],
    waits: PutOff,
    sound_of: SoundOf = str.casefold,
    reads: Callable[[str], Sequence[Meaning]] = lambda line: (),
    refused: Collection[str] = (),
) -> Callable[[str], FastLane]:
    return cache(
        lambda language: FastLane(
            language, sound_of=sound_of, name="Jarvis", sentences=sentences, put_off=waits, reads=reads, refused=refused
        )
    )


def lane_of_skills(skills: Skills) -> Callable[[str], FastLane]:
    waits = put_off([*skills.for_model(), *skills.commands()], skills.at_once, skills.verbatim)
    return lane_of(skills.sentences, waits, reads=skills.reads, refused=skills.refused)


class Board:
    """The skills of the board in the real engine, around a canned model."""

    def __init__(self, *writes: str, language: str = "en", **context: Any) -> None:
        """writes: what the model writes, a text a pass.  context: fields of SkillContext.

        speaker: True where voices are told from each other.
        """
        self.clock, self.volume = HandSetClock(NOW), HandSetVolume()
        self.memory: MemoryStore = context.pop("memory", None) or MemoryFacts()
        settings = Settings(
            place="Utrecht, Netherlands",
            words=Words(language=language),
            mcp=context.pop("mcp", {}),
            speaker=Speaker(on=context.pop("speaker", False)),
        )
        conversation = Conversation(settings.reply.conversation_gap_s, settings.reply.results_kept)
        told = ByVoice(self.memory, lambda: conversation.hears) if settings.speaker.on else self.memory
        self.private = private = AskedPrivate()
        doubles = {
            "settings": settings,
            "memory": told,
            "clock": self.clock,
            "volume": self.volume,
            "last_said": lambda: conversation.last_said,
            "last_heard": lambda: conversation.carried.heard,
            "ledger": conversation.ledger,
            "talk": conversation,
            "private": private,
            "may_wait": lambda order: lane(language).may_wait(order),
        }
        self.skills = load(skill_context(**(doubles | context)))
        lane: Callable[[str], FastLane] = lane_of_skills(self.skills)
        parts: dict[str, Any] = {
            "settings": settings,
            "memory": told,
            "clock": self.clock,
            "conversation": conversation,
            "tools": self.skills.for_model(),
            "commands": [*self.skills.commands(), *self.skills.reviewed()],
            "lane": lane,
            "skill_of": self.skills.skill_of,
            "answers": self.skills.answers,
            "does_too": self.skills.does_too,
            "guests": self.skills.guests,
            "of_body": self.skills.of_body,
            "asks": self.skills.asks,
            "putting_off": self.skills.putting_off,
            "coming": self.skills.coming,
            "private": lambda: private.on,
        }
        rig = Rig(*writes, parts=parts)
        self.engine: Engine = rig.engine
        self.canned, self.say, self.conversation = rig.canned, rig.say, conversation


class Evening(Board):
    """A box in a running service, without its threads."""

    def __init__(self, *writes: str, language: str = "en", **context: Any) -> None:
        self.announced = list[str]()
        aloud: Announce = lambda text, anyway=False: self.announced.append(text)  # noqa: E731
        super().__init__(*writes, language=language, announce=aloud, **context)
        self.due = DueOrders(self.skills.orders, lambda work: work(self.engine), language)

    def wait(self, **length: float) -> str:
        """What it tells when that time has passed."""
        self.clock.pass_time(timedelta(**length).total_seconds() + 1)
        self.due.each_round()
        told = self.due.sentence()
        self.due.told()
        return told


def outcomes(record: TurnRecord) -> list[tuple[str | None, str]]:
    return [(step.tool, step.outcome) for step in record.steps]
