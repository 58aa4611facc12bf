"""The skills of a box, and what the other rooms take from them together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from appliance.errors import ApplianceError, logged
from appliance.ports import Chore, Excerpt, Meaning, Orders, Rings, Skill, SkillPrompt, Tool, WakeSounds
from appliance.skills.gated import GatedTool, RefusingTool
from appliance.skills.rings import Owned, together
from appliance.skills.written import FALLBACK, Words

log = logging.getLogger(__name__)

NAME_WORDS = 4
"""Of what is found likelier in speech; a reminder of more words is a sentence, and no name."""


@dataclass(frozen=True)
class Skills:
    on: tuple[Skill, ...]
    off: tuple[Skill, ...] = ()
    """Switched off by the owner: an order for one is understood, and refused."""
    absent: tuple[Skill, ...] = ()
    """What they need was not there at the start: likewise, until it is."""
    language: str = FALLBACK

    def for_model(self) -> list[Tool]:
        """Those that the model may call, in the order in which it reads them."""
        return [each for skill in self.on for each in _gated(skill, skill.tools)]

    @property
    def coming(self) -> Callable[[], list[Tool]] | None:
        """What gives those that come and go, of all skills; None where none has any."""
        having = [skill.coming for skill in self.on if skill.coming]
        return (lambda: [tool for coming in having for tool in coming()]) if having else None

    def commands(self) -> list[Tool]:
        """Those that the model never sees: whole sentences and the engine call them."""
        return [each for skill in self.on for each in _gated(skill, skill.commands)] + self.refusing()

    def reviewed(self) -> list[Tool]:
        """Those that say a reviewed sentence."""
        return [each for skill in self.on for each in skill.answers]

    def refusing(self) -> list[Tool]:
        """Those of the skills that are switched off or absent; each says so."""
        words = Words(Path(__file__).parent, self.language)
        why: list[tuple[Skill, Callable[[], str]]] = [
            *((skill, partial(words.say, "off", skill=skill.title or skill.name)) for skill in self.off),
            *((skill, skill.missing) for skill in self.absent),
        ]
        return [RefusingTool(tool, reason) for skill, reason in why for tool in skill.all_tools]

    @property
    def refused(self) -> frozenset[str]:
        """Names of the tools of those."""
        return frozenset(tool.name for skill in (*self.off, *self.absent) for tool in skill.all_tools)

    @property
    def skill_of(self) -> dict[str, str]:
        """Tool -> the name of its skill."""
        return {tool.name: skill.name for skill in self.on for tool in skill.all_tools}

    @property
    def does_too(self) -> dict[str, str]:
        """What people ask for -> the skill that does it under another name."""
        return {kind: skill.name for skill in self.on for kind in skill.does_too}

    @property
    def answers(self) -> dict[str, float]:
        """Name of a skill with reviewed sentences -> how likely a line must mean any of them."""
        return {skill.name: skill.answers_from for skill in self.on if skill.answers}

    @property
    def sentences(self) -> tuple[Path, ...]:
        """Folders of the whole sentences that mean a tool."""
        folders = [skill.folder / "sentences" for skill in (*self.on, *self.off, *self.absent) if skill.folder]
        return tuple(folder for folder in folders if folder.is_dir())

    @property
    def prompts(self) -> tuple[SkillPrompt, ...]:
        """What each skill that is on adds to the head of the prompt."""
        return tuple(skill.prompt for skill in self.on)

    @property
    def asks(self) -> dict[str, Mapping[str, str]]:
        """Tool -> argument -> what is asked when it was not said."""
        return {tool: questions for skill in self.on for tool, questions in skill.asks.items()}

    @property
    def offers(self) -> dict[str, Sequence[str]]:
        """Tool -> lines that mean it, of all skills, also of those that are off."""
        return {tool: lines for skill in (*self.on, *self.off, *self.absent) for tool, lines in skill.offers.items()}

    @property
    def guests(self) -> frozenset[str]:
        """Names of the tools that a guest may use."""
        return frozenset[str]().union(*(skill.guests for skill in self.on))

    @property
    def of_body(self) -> frozenset[str]:
        """Names of the tools that are about this box's own loudspeaker and microphone."""
        return frozenset[str]().union(*(skill.of_body for skill in self.on))

    @property
    def at_once(self) -> frozenset[str]:
        """Names of the tools that are never put off: those that say so, those that have a time of their own because
        they ring, and those that are not to be had."""
        ringing = [tool.name for skill in self.on if skill.rings for tool in skill.all_tools]
        return frozenset[str]().union(ringing, self.refused, *(skill.at_once for skill in self.on))

    @property
    def putting_off(self) -> frozenset[str]:
        """Names of the tools that keep what the user wants done later."""
        return frozenset(tool.name for skill in self.on if skill.orders for tool in skill.all_tools)

    @property
    def verbatim(self) -> frozenset[str]:
        """Names of the tools that keep or pass on a text as it was said."""
        return frozenset[str]().union(*(skill.verbatim for skill in self.on))

    @property
    def orders(self) -> list[Orders]:
        """What the user wants done later, of each skill that keeps some."""
        return [skill.orders for skill in self.on if skill.orders]

    @property
    def rings(self) -> Rings[Owned]:
        """Of all skills that have some."""
        return together([skill.rings for skill in self.on if skill.rings])

    @property
    def ducks(self) -> list[Callable[[bool], None]]:
        """Of those that play something."""
        return [skill.duck for skill in self.on if skill.duck]

    @property
    def chores(self) -> list[Chore]:
        """Of those that do something in the background."""
        return [skill.chore for skill in self.on if skill.chore]

    @property
    def wakes(self) -> WakeSounds | None:
        """Of the first that can play in place of the chime."""
        return next((skill.wakes for skill in self.on if skill.wakes), None)

    def expected(self) -> str:
        """What may well be said now (ports.Transcriber)."""
        return " ".join(filter(None, (skill.expected() for skill in self.on)))

    def known(self, remembered: bool = True) -> tuple[str, ...]:
        """Names of what the skills know now, sorted (ports.Transcriber). remembered: also those out of the memory."""
        skills = (skill for skill in self.on if remembered or not any(tool.memory for tool in skill.tools))
        known = {name for skill in skills for name in _known(skill)}
        return tuple(sorted(name for name in known if 0 < len(name.split()) <= NAME_WORDS))

    def reads(self, line: str) -> Sequence[Meaning]:
        """What all of a line orders, by the first skill that finds something in it."""
        return next(filter(None, (skill.reads(line) for skill in self.on)), ())

    def excerpt(self, line: str) -> Excerpt | None:
        """What the first skill that holds something holds about what a line asks of the world."""
        return next(filter(None, (skill.excerpt(line) for skill in self.on)), None)

    def names(self) -> list[str]:
        """What lists are called now."""
        return [name for skill in self.on for name in skill.names()]

    def erase(self) -> None:
        """What each skill keeps beside the database. One that fails is logged, and keeps no other from it."""
        for skill in (*self.on, *self.off, *self.absent):
            with logged(log, "the skill %s did not erase what it keeps", skill.name):
                skill.erase()


def _known(skill: Skill) -> Iterator[str]:
    """None where they cannot be read now: what is said is then heard as it is without them."""
    with suppress(ApplianceError):
        yield from skill.known()
        yield from skill.rings.running() if skill.rings else ()


def _gated(skill: Skill, tools: Sequence[Tool]) -> Iterator[Tool]:
    return (GatedTool(tool, skill.missing) if skill.needs else tool for tool in tools)
