"""Care: what somebody's health may hang on gets a reviewed sentence, and never the words of a small model."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.care.advice import Advice

LEAST = 0.4
"""How likely a line must be of this kind: chosen on half of the lines of 27 November 2026 (docs/measured.md)."""


def make(context: SkillContext) -> Skill:
    settings = context.settings
    advice = Advice(Path(__file__).parent, settings.words.language, settings.place, settings.timezone, context.memory)
    answers = advice.answers()
    return Skill(
        "care",
        answers=answers,
        answers_from=LEAST,
        guests=frozenset(answer.name for answer in answers),
    )
