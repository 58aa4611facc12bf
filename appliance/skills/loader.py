"""Finds every skill: the packages beside this file that have a `make`, and the folders of the owner's own."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from appliance.errors import ApplianceError, BadSkill, explained
from appliance.ports import Skill, SkillContext, Tool
from appliance.skills.guarded import guarded
from appliance.skills.schema import FunctionTool
from appliance.skills.skillset import Skills
from appliance.skills.written import Offers, prompt, written

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
OWN = "own_skill_"
"""Before the folder's name: what the module of an owner's skill is called."""

Make = Callable[[SkillContext], Skill]


def load(context: SkillContext) -> Skills:
    """Every skill, made. One of the owner's that cannot be used is logged with what to do, and left out."""
    chosen = context.settings.skills
    on: list[Skill] = []
    context = replace(context, skills=lambda: on)
    made = [_with_files(make(context), folder, context) for folder, make in on_board()]
    for folder in _own_folders(chosen.own):
        try:
            made.append(_own(folder, context, made))
        except BadSkill as error:
            log.error("%s", error)
    if unknown := set(chosen.off) - {skill.name for skill in made}:
        known = ", ".join(skill.name for skill in made)
        log.error("skills.off names %s, which is no skill here; choose of %s", ", ".join(sorted(unknown)), known)
    made.sort(key=lambda skill: (skill.rank, skill.name))
    off = tuple(skill for skill in made if skill.name in chosen.off)
    absent = tuple(skill for skill in made if skill not in off and skill.needs and skill.missing())
    on += [skill for skill in made if skill not in off and skill not in absent]
    return Skills(tuple(on), off, absent, context.settings.words.language)


def on_board() -> Iterator[tuple[Path, Make]]:
    """The folder of each skill of the release, by name, and what makes it."""
    for found in sorted(pkgutil.iter_modules([str(HERE)]), key=lambda each: each.name):
        if found.ispkg:
            module = importlib.import_module(f"{__package__}.{found.name}")
            if hasattr(module, "make"):
                yield HERE / found.name, module.make


def sentences_on_board() -> tuple[Path, ...]:
    """Folders of the whole sentences of the release's skills."""
    return tuple(folder / "sentences" for folder, _ in on_board())


def _with_files(skill: Skill, folder: Path, context: SkillContext) -> Skill:
    language = context.settings.words.language
    said = written(folder, "phrases", language)
    orders: Mapping[str, str] = said.get("orders", {})

    def worded(tools: Sequence[Tool]) -> list[Tool]:
        return [
            replace(tool, language=language, order=orders.get(tool.name, ""))
            if isinstance(tool, FunctionTool)
            else tool
            for tool in tools
        ]

    return replace(
        skill,
        summary=said.get("summary", skill.summary),
        title=said.get("title", ""),
        tools=worded(skill.tools),
        commands=worded(skill.commands),
        answers=worded(skill.answers),
        folder=folder,
        offers=Offers(folder, language),
        prompt=prompt(folder),
        asks=said.get("asks", {}),
    )


def _own_folders(own: Path | None) -> list[Path]:
    if own is None:
        return []
    try:
        return sorted(folder for folder in own.iterdir() if (folder / "__init__.py").is_file())
    except OSError as error:
        log.error("%s cannot be read (%s); correct skills.own or create the folder", own, error.strerror)
        return []


def _own(folder: Path, context: SkillContext, others: Sequence[Skill]) -> Skill:
    """Raises BadSkill."""
    remedy = "correct it, or name it in skills.off and move it away"
    try:
        with explained(lambda error: BadSkill(f"{type(error).__name__}: {error}", remedy=remedy), log, logging.DEBUG):
            skill = _with_files(_module(folder).make(context), folder, context)
            return guarded(_checked(skill, others), context.settings.words.language)
    except ApplianceError as error:
        raise BadSkill(f"the skill in {folder} is left out: {error.what}", remedy=error.remedy) from None


def _module(folder: Path) -> ModuleType:
    """The package in `folder`, under a name of its own, so that it hides none of the release."""
    name = f"{OWN}{folder.name}"
    places = [str(folder)]
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=places)
    assert spec
    assert spec.loader
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _checked(skill: Skill, others: Sequence[Skill]) -> Skill:
    """Raises BadSkill, also where its lines cannot be read."""
    tools = {tool.name for tool in skill.all_tools}
    taken = {tool.name: other.name for other in others for tool in other.all_tools}
    if skill.name in {other.name for other in others}:
        raise BadSkill(f"there is a skill {skill.name} already", remedy="give it another name")
    if twice := sorted(tools & taken.keys()):
        raise BadSkill(f"{taken[twice[0]]} has a tool {twice[0]} already", remedy="give the tool another name")
    if strange := sorted(skill.offers.keys() - tools):
        raise BadSkill(f"offer/ has lines for {strange[0]}, which is no tool of it", remedy="name one of its tools")
    return skill
