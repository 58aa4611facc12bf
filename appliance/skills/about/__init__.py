"""About the box itself, what it is, hears, keeps and needs: reviewed sentences, for this must not be guessed."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from appliance.ports import Skill, SkillContext, Spoken
from appliance.skills.schema import answering
from appliance.skills.written import written

KINDS = "about_"
"""Before the name of each sentence that answers a line."""
WITH_SERVER = "_server"
"""Behind the name of a sentence: its form for a box that asks a model server."""


def make(context: SkillContext) -> Skill:
    phrases = written(Path(__file__).parent, "phrases", context.settings.words.language)
    ending = WITH_SERVER if context.settings.thought.pool else ""

    def said(name: str, line: str) -> Spoken:
        return Spoken(phrases.get(f"{name}{ending}", phrases[name]).format(name=context.name))

    names = [name for name in phrases if name.startswith(KINDS) and not name.endswith(WITH_SERVER)]
    answers = [answering(name, partial(said, name)) for name in names]
    return Skill("about", answers=answers, guests=frozenset(names))
