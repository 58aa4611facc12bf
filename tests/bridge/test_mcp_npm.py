"""The reference servers of the npm registry; `make mcp-test` fetches them into the cache."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from platformdirs import user_cache_path
from running_mcp import RunningMcp, running, until

from appliance.safety.fence import harmless
from appliance.settings import APP, McpServer
from appliance.skills.mcp.schemas import Unusable, reduced

pytestmark = pytest.mark.mcp

FETCHED = Path(os.environ.get("MCP_SERVERS", user_cache_path(APP) / "mcp-servers"))


def npm(name: str, *arguments: str, tmp_path: Path) -> McpServer:
    program, node = FETCHED / "node_modules" / ".bin" / name, shutil.which("node")
    if not program.exists() or not node:
        pytest.skip("run: make mcp-test")
    environment = tmp_path / "env"
    environment.write_text("NODE_ENV=production\n")
    environment.chmod(0o600)
    return McpServer(command=[node, str(program.resolve()), *arguments], env_file=environment, memory_mb=1_024)


def usable(bridge: RunningMcp, server: str) -> set[str]:
    """Those whose schema a plan can write."""
    found = set()
    for name, row in bridge.tools(server).items():
        try:
            reduced(row["schema"], harmless)
        except Unusable:
            continue
        found.add(name)
    return found


def test_everything(tmp_path: Path) -> None:
    with running({"every": npm("mcp-server-everything", "stdio", tmp_path=tmp_path)}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("every")["up"], 60)
        assert bridge.call("every", "echo", message="hello")["text"] == "Echo: hello"
        assert "5" in bridge.call("every", "get-sum", a=2, b=3)["text"]
        assert "image/png, left out" in bridge.call("every", "get-tiny-image")["text"]
        assert "echo" in usable(bridge, "every")
        assert len(usable(bridge, "every")) >= len(bridge.tools("every")) - 2


def test_filesystem(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "note.txt").write_text("Buy leeks.\n")
    with running({"files": npm("mcp-server-filesystem", str(folder), tmp_path=tmp_path)}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("files")["up"], 60)
        assert bridge.call("files", "read_text_file", path=str(folder / "note.txt"))["text"] == "Buy leeks.\n"
        refused = bridge.call("files", "read_text_file", path="/etc/passwd")
        assert refused["failed"]
        assert "root:" not in refused["text"]
        assert usable(bridge, "files") >= {"read_text_file", "list_directory", "search_files"}
