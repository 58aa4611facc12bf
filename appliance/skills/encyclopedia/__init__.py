"""Encyclopedia: what people, places and things are, from summaries that come with the models, and ZIM files.

Nothing is asked of a network: the summaries are an item of the model store, the ZIM files the owner's.
"""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.encyclopedia.shelf import Shelf, ZimFiles
from appliance.skills.encyclopedia.summaries import Summaries
from appliance.skills.encyclopedia.tools import EncyclopediaTools
from appliance.skills.schema import tool
from appliance.skills.written import Words


def make(context: SkillContext) -> Skill:
    settings, language = context.settings, context.settings.words.language
    words = Words(Path(__file__).parent, language)
    state = settings.state / "encyclopedia"
    summaries = Summaries(lambda: context.model_file(f"encyclopedia/{language}"), state, language)
    shelf = Shelf(summaries, ZimFiles(settings.encyclopedia.folder), language, words.phrases["asides"])
    tools = EncyclopediaTools(shelf, context.clock, words, settings.reply.conversation_gap_s, context.harmless)
    return Skill(
        "encyclopedia",
        tools=[tool(tools.lookup, "read", untrusted=True)],
        commands=[tool(tools.describe, "read", untrusted=True), tool(tools.tell_source, "read")],
        needs="its summaries, which come with the models, or ZIM files in encyclopedia.folder",
        missing=tools.missing,
        guests=frozenset({"lookup", "describe", "tell_source"}),
        reads=tools.reads,
        excerpt=tools.excerpt,
        chore=lambda goes_on: shelf.prepare(),
        rank=70,
    )
