"""A server of the MCP SDK over stdio, with some of the tools of mcp/servers.yaml: `town_server.py`.

One tool always fails, and one fails and is withdrawn; any other says that it did what it was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import yaml
from mcp.server.mcpserver import Context, MCPServer

GROUPS = ("vacuum", "media", "maps")
FAILS, GOES = "clean_rooms", "locate_robot"
KINDS = {"integer": int, "number": float, "boolean": bool}


def names() -> list[str]:
    """Of all its tools."""
    return [name for tools in _groups().values() for name in tools]


def served() -> MCPServer:
    server = MCPServer("town")
    for tools in _groups().values():
        for name, told in tools.items():
            server.add_tool(_does(name, told["takes"]), name=name, description=told["is"])

    async def withdrawn(ctx: Context) -> str:
        server.remove_tool(GOES)
        await ctx.notify_tools_changed()
        raise RuntimeError("the robot cannot be heard any more")

    server.remove_tool(GOES)
    server.add_tool(withdrawn, name=GOES, description=_groups()["vacuum"][GOES]["is"])
    return server


def _does(name: str, takes: dict[str, str]) -> Callable[..., str]:
    def does(**given: Any) -> str:
        if name == FAILS:
            raise RuntimeError("no robot of that room answers; which floor is it on?")
        return f"{name} was done with {given}"

    parameters = [_parameter(each, kind) for each, kind in takes.items()]
    vars(does)["__signature__"] = Signature(sorted(parameters, key=lambda each: each.default is None))
    does.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    return does


def _parameter(name: str, kind: str) -> Parameter:
    """As servers.yaml writes it."""
    takes: Any = list[str] if kind.startswith("[") else KINDS.get(kind, str)
    if not name.endswith("?"):
        return Parameter(name, Parameter.KEYWORD_ONLY, annotation=takes)
    return Parameter(name.removesuffix("?"), Parameter.KEYWORD_ONLY, annotation=takes | None, default=None)


def _groups() -> dict[str, dict[str, Any]]:
    told = yaml.safe_load(Path(__file__).with_name("mcp").joinpath("servers.yaml").read_text(encoding="utf-8"))
    return {group: told[group] for group in GROUPS}


if __name__ == "__main__":
    served().run("stdio")
