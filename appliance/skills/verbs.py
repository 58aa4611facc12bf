"""A command in writing, read as a call of a tool: `alarms add 7:00 on weekdays` is set_alarm(when="7:00 on weekdays").

`verbs.yaml` in a skill's folder names its actions: the tool, then the arguments that the words give, one each; the last
one takes all that is left where "..." stands behind it. `name=value` gives one that no word gives. The name of a tool
is an action too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from appliance.errors import PartMissing, WrongUse
from appliance.language.durations import exact_duration
from appliance.ports import Skill, Tool
from appliance.skills.skillset import Skills

FILE, REST = "verbs.yaml", "..."
LENGTH = "length"
"""Stands for `hours`, `minutes` and `seconds` of a tool."""


@dataclass(frozen=True)
class Action:
    tool: Tool
    takes: tuple[str, ...]
    """Names of the arguments that the words give."""
    rest: bool
    """The last of them takes all words that are left."""
    fixed: Mapping[str, str]

    @property
    def usage(self) -> str:
        """As a line of help has it: WHAT [WHEN...]."""
        required = {*self.tool.schema.get("required", ()), LENGTH}
        last = len(self.takes) - 1
        shown = [f"{name.upper()}{REST if self.rest and at == last else ''}" for at, name in enumerate(self.takes)]
        return " ".join(word if name in required else f"[{word}]" for name, word in zip(self.takes, shown, strict=True))

    def arguments(self, words: Sequence[str], language: str) -> dict[str, Any]:
        """What the words give. Raises WrongUse where they are too few or too many."""
        named = dict(word.split("=", 1) for word in words if self._names(word))
        plain = [word for word in words if not self._names(word)]
        if self.rest and len(plain) > len(self.takes):
            last = len(self.takes) - 1
            plain = [*plain[:last], " ".join(plain[last:])]
        if len(plain) > len(self.takes):
            what = f"{plain[len(self.takes)]!r} is a word too many"
            raise WrongUse(what, remedy=f"give it {self.usage or 'none'}, and put what belongs together in quotes")
        given: dict[str, Any] = dict(self.fixed)
        for name, word in zip(self.takes, plain, strict=False):
            given |= _length(word, language) if name == LENGTH else {name: word}
        return given | named

    def _names(self, word: str) -> bool:
        """Whether it is `name=value` of an argument of the tool's."""
        name, sign, _ = word.partition("=")
        return bool(sign) and name in self.tool.schema.get("properties", {})


def read(skills: Skills, name: str, words: Sequence[str]) -> tuple[Tool, dict[str, Any]]:
    """The tool that a command means, and its arguments, which it has not checked yet.

    words: none is the first action. Raises WrongUse; PartMissing where the skill is off, or lacks what it needs.
    """
    skill = _skill(skills, name)
    table = actions(skill)
    wanted = words[0] if words else next(iter(table), "")
    action = table.get(wanted) or _by_tool(skill, wanted)
    if action is None:
        known = ", ".join(f"{name} {each.usage}".strip() for name, each in table.items())
        remedy = f"choose one of: {known}" if known else f"name one of its tools: {_names(skill)}"
        raise WrongUse(f"{name} has no action {wanted!r}", remedy=remedy)
    arguments = action.arguments(words[1:], skills.language)
    if lacks := [each for each in action.tool.schema.get("required", ()) if each not in arguments]:
        raise WrongUse(f"{lacks[0].upper()} is missing", remedy=f"say {name} {wanted} {action.usage}")
    return action.tool, arguments


def actions(skill: Skill) -> dict[str, Action]:
    """Those of its `verbs.yaml`, in that order. Raises WrongUse for a file that cannot be used."""
    path = skill.folder / FILE if skill.folder else None
    if path is None or not path.is_file():
        return {}
    tools = {tool.name: tool for tool in skill.all_tools}
    try:
        table: Mapping[str, str] = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        return {name: _action(tools, line.split()) for name, line in table.items()}
    except (OSError, ValueError, KeyError, AttributeError, yaml.YAMLError) as error:
        raise WrongUse(f"{path} cannot be used ({error!r})", remedy="correct it; see docs/how-it-works.md") from None


def _action(tools: Mapping[str, Tool], words: Sequence[str]) -> Action:
    """Of a line of the table. Raises KeyError for a tool that the skill has not."""
    first, *others = words
    fixed = dict(word.split("=", 1) for word in others if "=" in word)
    takes = [word for word in others if "=" not in word]
    rest = bool(takes) and takes[-1].endswith(REST)
    return Action(tools[first], tuple(name.removesuffix(REST) for name in takes), rest, fixed)


def _by_tool(skill: Skill, name: str) -> Action | None:
    tool = next((tool for tool in (*skill.tools, *skill.commands) if tool.name == name), None)
    return Action(tool, tuple(tool.schema.get("properties", {})), True, {}) if tool else None


def _skill(skills: Skills, name: str) -> Skill:
    """Raises WrongUse, PartMissing."""
    if skill := next((skill for skill in skills.on if skill.name == name), None):
        if why := skill.missing():
            raise PartMissing(why.rstrip("."), remedy=f"it needs {skill.needs}")
        return skill
    if skill := next((skill for skill in skills.absent if skill.name == name), None):
        raise PartMissing(skill.missing().rstrip("."), remedy=f"it needs {skill.needs}")
    if any(skill.name == name for skill in skills.off):
        raise PartMissing(f"{name} is switched off", remedy="take it out of skills.off in the settings")
    raise WrongUse(f"there is no skill {name!r}", remedy=f"choose one of: {', '.join(each.name for each in skills.on)}")


def _names(skill: Skill) -> str:
    return ", ".join(tool.name for tool in (*skill.tools, *skill.commands))


def _length(word: str, language: str) -> dict[str, float]:
    """In the box's language, or as 5m, 90s and 1h30 are written. Raises WrongUse."""
    seconds = exact_duration(word, language) or exact_duration(word)
    if not seconds:
        raise WrongUse(f"{word!r} is no length", remedy='say it as 5m, 1h30, 90s, or in quotes: "5 minutes"')
    return {"seconds": seconds}
