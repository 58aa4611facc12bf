"""What `bench.branches` takes for a branch, on the boxes that it makes, around a model that is a table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from appliance.audio import Stale
from appliance.ports import Grammar, Message, Usage
from appliance.records import TurnRecord
from appliance.settings import Settings
from appliance.simulated import CannedModel
from bench import branches, town_server
from bench.branch_table import SEEN, Branch, load
from bench.branches import Tried

ROOT = Path(__file__).parents[2]
MANY = 26
"""Tools from which a router has to choose (the design, section 4)."""
BY_MODEL = {"plan of recall", "final step saves"}
"""Asked for, and left to the real model here."""
ALL = load()
HERE = [each for each in ALL if each.at == "board" and not each.hoped and each.name not in BY_MODEL]


class Obliging(CannedModel):
    """Sets the timer that a line is about, and says something otherwise."""

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        line = prompt[-1].text
        self._texts = ["set_timer(minutes=7)" if "noodles" in line and not line.startswith("->") else "say So it is."]
        yield from super().generate(prompt, grammar, limit, usage, stale)


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tried]:
    chosen = Settings(state=tmp_path_factory.mktemp("state"))
    return {each.branch.name: each for each in branches.run(HERE, chosen, Obliging())}


@pytest.mark.parametrize("name", [each.name for each in HERE])
def test_branch_that_no_model_decides_is_taken(tried: dict[str, Tried], name: str) -> None:
    assert tried[name].taken, branches.told(tried[name])


def test_turn_that_took_another_way_does_not_show_a_branch() -> None:
    record = TurnRecord(turn=1, conversation="c", lane="plan", branches=["facts"])
    plain = [each for each in ALL if each.seen and "not" not in each.seen and each.seen != {"lane": "plan"}]
    assert [each.name for each in plain if each.is_seen(record)] == ["facts found"]


@pytest.mark.parametrize(("hoped", "missed"), [("", ["x"]), ("only the model decides", [])])
def test_only_what_is_asked_for_is_missed(hoped: str, missed: list[str]) -> None:
    one = Tried(Branch(name="x", hoped=hoped, seen={"lane": "fast"}), [TurnRecord(turn=1, conversation="c")], tries=1)
    row = branches.figures([one], [])
    assert (row["missed"], row["reached"], row["of"]) == (missed, 0, 1)
    assert row["branches"]["x"]["turns"] == 0


@pytest.mark.parametrize("branch", ALL, ids=lambda each: each.name)
def test_entry_says_what_is_said_and_seen_or_which_test_shows_it(branch: Branch) -> None:
    assert branch.seen.keys() <= SEEN.keys()
    if branch.at != "elsewhere":
        assert branch.say
        assert bool(branch.seen) != bool(branch.fault)
        return
    file, test = re.match(r"(\S+\.py)::(\w+)", branch.shown_by).groups()  # type: ignore[union-attr]
    assert f"def {test}(" in (ROOT / file).read_text()


def test_server_has_more_tools_than_the_head_of_a_prompt() -> None:
    assert len(asyncio.run(town_server.served().list_tools())) == len(town_server.names()) > MANY
