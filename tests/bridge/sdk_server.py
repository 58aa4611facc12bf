"""A small server made with the official SDK, as its documentation shows one: `sdk_server.py stdio` or `PORT`."""

from __future__ import annotations

import sys

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("town")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def get_weather(town: str, days: int = 1) -> str:
    """Tell the weather of a town."""
    return f"{town}: rain for {days} days"


@server.tool()
async def learn(ctx: Context) -> str:
    """Have one more tool from now on."""

    def sing(song: str) -> str:
        """Sing a song."""
        return f"la la {song}"

    server.add_tool(sing)
    await ctx.notify_tools_changed()
    return "learnt"


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", port=int(sys.argv[1]))
