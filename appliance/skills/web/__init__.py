"""Web: what a search engine of the home finds, and the pages that it found; the bridge reaches both.

All of it is text from outside. A search acts, for its words leave the home: behind such a text it needs a yes.
"""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.schema import tool
from appliance.skills.web.tools import WebTools
from appliance.skills.written import Words


def make(context: SkillContext) -> Skill:
    settings = context.settings
    words = Words(Path(__file__).parent, settings.words.language)
    bridge = context.bridge if settings.web.search_url else None
    web = WebTools(bridge, context.clock, words, settings.reply.conversation_gap_s, context.harmless)
    return Skill(
        "web",
        tools=[tool(web.web_search, "act", untrusted=True), tool(web.read_page, "read", untrusted=True)],
        commands=[tool(web.tell_web_source, "read")],
        needs="a search engine: web.search_url in the settings, and the bridge",
        does_too=frozenset({"news", "sport", "stocks"}),
        at_once=frozenset({"web_search", "read_page", "tell_web_source"}),
        missing=lambda: "" if bridge else words.say("missing"),
        rank=90,
    )
