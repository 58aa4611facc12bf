"""MCP: the tools of the owner's servers, which come and go while the box runs; the bridge reaches them."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.mcp.allowed import Allowed
from appliance.skills.mcp.servers import Servers
from appliance.skills.schema import tool
from appliance.skills.written import Words

NAME = "mcp"


def make(context: SkillContext) -> Skill:
    chosen, words = context.settings.mcp, Words(Path(__file__).parent, context.settings.words.language)
    allowed = Allowed(context.items(NAME), chosen)
    servers = Servers(chosen, allowed, context.bridge, words, context.harmless)
    there = bool(chosen) and context.bridge is not None
    if there:
        servers.follow()
    return Skill(
        NAME,
        coming=servers.offered if there else None,
        commands=[
            tool(servers.mcp_servers, "read"),
            tool(servers.allow_mcp_tool, "act"),
            tool(servers.forbid_mcp_tool, "act"),
        ],
        at_once=frozenset({"mcp_servers", "allow_mcp_tool", "forbid_mcp_tool"}),
        needs="a server in [mcp.NAME] of the settings, and the bridge",
        missing=lambda: "" if there else words.say("no_server"),
    )
