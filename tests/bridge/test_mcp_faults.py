"""Servers that hang, die, flood, lie: the bridge answers in time, stays small, and leaves no process behind."""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from running_mcp import RunningMcp, faulty, running, until

from appliance.errors import CannotBeDone
from appliance.settings import McpServer


def children() -> set[str]:
    """Command lines of all processes below this one, the dead among them."""
    found = set()
    for each in Path("/proc").iterdir():
        try:
            status = (each / "status").read_text()
            line = (each / "cmdline").read_text().replace("\0", " ")
        except (OSError, UnicodeDecodeError):
            continue
        if (
            "faulty_server" in line
            or "sleep 61417" in line
            or (f"PPid:\t{os.getpid()}\n" in status and "State:\tZ" in status)
        ):
            found.add(f"{each.name} {line}")
    return found


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    until(lambda: not children(), 2)


@contextmanager
def up(how: str, **more: Any) -> Iterator[RunningMcp]:
    with running({"odd": faulty(how, **more)}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("odd")["up"])
        yield bridge


def down(how: str, why: str, seconds: float = 20.0) -> None:
    with running({"odd": faulty(how)}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("odd")["why"] == why, seconds)


def test_a_call_is_answered_and_tools_have_names_of_their_own() -> None:
    with up("well") as bridge:
        (row,) = bridge.tools("odd").values()
        assert row["name"] == "odd__get_weather"
        assert bridge.call("odd", "get_weather", town="Bath") == {
            "text": "get_weather done", "cut": False, "failed": False,
        }  # fmt: skip


def test_a_server_that_hangs_in_a_call_ends_in_its_time() -> None:
    with up("hangs", timeout_s=0.5) as bridge:
        since_s = time.monotonic()
        with pytest.raises(CannotBeDone, match="took too long"):
            bridge.call("odd", "get_weather", town="Bath")
        assert time.monotonic() - since_s < 2


def test_a_server_that_dies_in_a_call_is_told_at_once_and_comes_back() -> None:
    with up("dies") as bridge:
        since_s = time.monotonic()
        with pytest.raises(CannotBeDone):
            bridge.call("odd", "get_weather", town="Bath")
        assert time.monotonic() - since_s < 3
        until(lambda: bridge.link("odd")["why"] == "ended")
        with pytest.raises(CannotBeDone, match="cannot reach odd"):
            bridge.call("odd", "get_weather", town="Bath")
        until(lambda: bridge.link("odd")["up"])


@pytest.mark.parametrize(("how", "why"), [("dead", "ended"), ("nonsense", "ended"), ("notes", "flood")])
def test_what_is_no_use_says_why(how: str, why: str) -> None:
    down(how, why)


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.bridge.mcp_server.ANSWER_S", 0.5)
    down("silent", "no_answer")


def test_a_program_that_is_not_there_says_so() -> None:
    with running({"odd": McpServer(command=["/nowhere/server"])}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("odd")["why"] == "no_program")


def test_a_line_of_a_hundred_megabytes_is_not_kept() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with up("huge line") as bridge:
        with pytest.raises(CannotBeDone):
            bridge.call("odd", "get_weather", town="Bath")
        until(lambda: bridge.link("odd")["why"] == "flood")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000, "kB"


def test_a_huge_text_is_cut_and_said_to_be() -> None:
    with up("huge") as bridge:
        answer = bridge.call("odd", "get_weather", town="Bath")
        assert answer["cut"]
        assert len(answer["text"].encode()) <= 65_536


def test_a_picture_is_named_and_left_out() -> None:
    with up("binary") as bridge:
        assert bridge.call("odd", "get_weather", town="Bath")["text"] == "[image/png, left out]\nA cat."


def test_an_error_is_told_apart_from_a_result() -> None:
    with up("fails") as bridge:
        answer = bridge.call("odd", "get_weather", town="Atlantis")
        assert answer["failed"]
        assert answer["text"].startswith("No such town: Atlantis")


def test_it_has_no_environment_but_what_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_BRIDGE", "1")
    given = tmp_path / "env"
    given.write_text("# of the weather\nAPI_KEY=abc=d\n")
    given.chmod(0o600)
    with up("environment", env_file=given) as bridge:
        there = json.loads(bridge.call("odd", "get_weather", town="Bath")["text"])
        assert there.pop("API_KEY") == "abc=d"
        assert there.keys() <= {"LC_CTYPE"}, "which Python sets for itself"


def test_a_file_of_secrets_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    given = tmp_path / "env"
    given.write_text("API_KEY=abc\n")
    given.chmod(0o644)
    with running({"odd": faulty("well", env_file=given)}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("odd")["why"] == "no_file")


def test_it_gets_no_more_memory_than_it_may_have() -> None:
    with up("greedy", memory_mb=128) as bridge:
        assert bridge.call("odd", "get_weather", town="Bath")["text"] == "no memory"


@pytest.mark.parametrize("how", ["family", "stays"])
def test_all_of_its_processes_end_with_it(how: str) -> None:
    with up(how):
        assert children()


def test_a_change_is_asked_for_anew() -> None:
    with up("changes") as bridge:
        before = bridge.tools("odd")["get_weather"]["digest"]
        bridge.call("odd", "get_weather", town="Bath")
        until(lambda: bridge.tools("odd")["get_weather"]["digest"] != before)


def test_one_that_floods_leaves_the_others_alone() -> None:
    with running({"odd": faulty("notes"), "fine": faulty("well")}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("fine")["up"])
        for _ in range(20):
            since_s = time.monotonic()
            bridge.call("fine", "get_weather", town="Bath")
            assert time.monotonic() - since_s < 2
