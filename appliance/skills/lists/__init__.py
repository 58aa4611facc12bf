"""Lists: shopping, to do, and any other by its name; things are put on, read, ticked and taken off."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.lists.kept import Lists
from appliance.skills.lists.naming import Naming
from appliance.skills.lists.things import Things
from appliance.skills.lists.tools import ListTools
from appliance.skills.schema import tool
from appliance.skills.written import Words, written

NAME = "lists"


def make(context: SkillContext) -> Skill:
    here, language = Path(__file__).parent, context.settings.words.language
    said, phrases = written(here, "words", language), Words(here, language)
    naming = Naming(said, phrases)
    lists = ListTools(Lists(context.items(NAME)), naming, Things(said, context.sound_of), phrases)
    return Skill(
        NAME,
        tools=[
            tool(lists.add_to_list, "act"),
            tool(lists.read_list, "read"),
            tool(lists.remove_from_list, "act"),
            tool(lists.complete_item, "act"),
        ],
        commands=[
            tool(lists.create_list, "act"),
            tool(lists.clear_list, "irreversible", ask=lists.whether_to_clear),
        ],
        names=lists.names,
        known=lists.known,
        verbatim=frozenset({"add_to_list", "remove_from_list", "complete_item"}),
        rank=70,
    )
