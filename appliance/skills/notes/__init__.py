"""Notes: what was dictated, kept word for word, and read out again by day and by words."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.notes.tools import NoteTools
from appliance.skills.schema import tool
from appliance.skills.written import Words, written

NAME = "notes"


def make(context: SkillContext) -> Skill:
    here, language = Path(__file__).parent, context.settings.words.language
    said, phrases = written(here, "words", language), Words(here, language)
    notes = NoteTools(context.items(NAME), context.clock, said, phrases, language)
    return Skill(
        NAME,
        tools=[tool(notes.add_note, "act", memory="keep"), tool(notes.read_notes, "read")],
        commands=[tool(notes.delete_note, "irreversible", ask=notes.whether_to_delete, memory="forget")],
        verbatim=frozenset({"delete_note"}),
        rank=80,
    )
