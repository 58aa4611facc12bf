"""From a line to a server and back: the real engine, the real socket, the real provider, a real program."""

from __future__ import annotations

from pathlib import Path

from rig import Board
from running_bridge import RunningBridge
from running_mcp import faulty, until

from appliance import build
from appliance.bridge.client import SocketBridge
from appliance.bridge.mcp import McpProvider
from appliance.safety.fence import harmless
from appliance.settings import McpServer, McpTool, Settings
from appliance.skills.verbs import read

FORECAST, LINE = 'weather__get_weather(town="Bath")', "what is the weather forecast for bath"
READS = {"get_weather": McpTool(effect="read")}


def test_a_line_reaches_a_server_and_its_answer_the_model(tmp_path: Path) -> None:
    chosen, path = {"weather": faulty("lies", tools=READS)}, tmp_path / "socket"
    with RunningBridge(path, McpProvider(chosen, "en")), SocketBridge(path, "en") as bridge:
        box = Board(FORECAST, "say Fine.", bridge=bridge, harmless=harmless, mcp=chosen)
        assert box.skills.coming
        until(lambda: bool(box.skills.coming and box.skills.coming()))
        assert box.say(LINE).said == "Fine."
        result = box.canned.prompts[1][-1].text
        assert result.count("</untrusted") == 1
        assert "im_start" not in result


def test_a_server_that_dies_in_a_turn_is_told_of_honestly(tmp_path: Path) -> None:
    chosen, path = {"weather": faulty("dies", tools=READS)}, tmp_path / "socket"
    with RunningBridge(path, McpProvider(chosen, "en")), SocketBridge(path, "en") as bridge:
        box = Board(FORECAST, bridge=bridge, harmless=harmless, mcp=chosen)
        until(lambda: bool(box.skills.coming and box.skills.coming()))
        assert "did not answer properly" in box.say(LINE).said


def test_without_a_bridge_the_command_says_that_no_server_is_connected(tmp_path: Path) -> None:
    chosen = {"weather": faulty("well", tools=READS)}
    with SocketBridge(tmp_path / "nowhere", "en") as bridge:
        box = Board(bridge=bridge, harmless=harmless, mcp=chosen)
        tool, arguments = read(box.skills, "mcp", ["tools"])
        assert tool.call(arguments) == "weather: not connected (no_bridge)"


def test_the_check_tells_of_each_server() -> None:
    chosen = {"fine": faulty("well"), "odd": McpServer(command=["/nowhere/server"])}
    found = {check.part: check.fine for check in build.bridged.check(Settings(mcp=chosen))}
    assert found == {"mcp fine": True, "mcp odd": False}
