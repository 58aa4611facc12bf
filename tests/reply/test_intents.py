"""Which tools a line calls for, as the classifier that ships has learnt it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from appliance.reply.channels import CHANNELS
from appliance.reply.line import ELSEWHERE, LineReader
from appliance.reply.select import ABSENT, Recent, Selection, Selector
from appliance.reply.toolset import Toolset
from appliance.reply.understanding.intents import BUCKETS, buckets, features, intents
from appliance.simulated import ListedTool
from appliance.skills.care import LEAST
from models.training.lines import in_digits

ON_BOARD = [
    "get_time", "set_timer", "adjust_timer", "list_timers", "cancel_timer", "calculate", "convert_units", "set_volume",
    "repeat", "stop", "remember", "recall", "forget", "set_preference",
]  # fmt: skip
LINES = Path(__file__).parents[2] / "models/training"
ENGLISH = LineReader("en", partial(in_digits, language="en"))
TOOLS = [ListedTool(name) for name in ON_BOARD]
NAMES = {tool.name for tool in TOOLS}
SELECTOR = Selector({}, frozenset())
KNOWN = ["set", "minutes"]


def unseen(language: str = "en") -> Iterator[tuple[set[str], str]]:
    for row in (LINES / f"unseen.{language}.tsv").read_text("utf-8").splitlines():
        tools, _, said = row.partition("\t")
        yield set(re.split(r"[+|]", tools)), said


def selected(said: str) -> Selection:
    tools = Toolset(CHANNELS["chat"], {}, (), {tool.name: tool for tool in TOOLS})
    tools.add(TOOLS)
    return SELECTOR.select(ENGLISH.read(said), tools, Recent(counted=True))


def test_a_strangers_tool_is_offered_among_few() -> None:
    lines = [(tools & NAMES, said) for tools, said in unseen() if tools & NAMES]
    offered = [{tool.name for tool in selected(said).tools} for _, said in lines]
    right = [bool(tools & found) for (tools, _), found in zip(lines, offered, strict=True)]
    assert len(lines) > 150
    assert np.mean(right) > 0.97
    assert np.mean([len(found) for found in offered]) < 3


def test_where_no_tool_is_meant_few_are_offered() -> None:
    offered = [len(selected(said).tools) for tools, said in unseen() if tools == {"none"}]
    assert len(offered) > 50
    assert np.mean(offered) < 1.5


def test_what_is_forced_is_right() -> None:
    forced = [(selected(said), tools) for tools, said in unseen()]
    told = [bool({tool.name for tool in choice.tools} & tools) for choice, tools in forced if choice.forced]
    assert len(told) > 60
    assert np.mean(told) > 0.97


def test_language_that_nothing_was_learnt_in_has_no_scores() -> None:
    assert intents("fr") is None
    assert not LineReader("fr", str).read("il y a une odeur de gaz").scores


def test_german_lines_that_a_life_may_hang_on_are_known_and_few_others_taken() -> None:
    reader = LineReader("de", partial(in_digits, language="de"))
    taken: dict[bool, list[bool]] = {True: [], False: []}
    for tools, said in unseen("de"):
        scores = reader.read(said).scores
        grave = any(each.startswith("care") for each in tools)
        taken[grave].append(max(score for name, score in scores.items() if name.startswith("care")) >= LEAST)
    assert np.mean(taken[True]) > 0.75
    assert np.mean(taken[False]) < 0.05


def test_what_no_skill_here_does_is_told_from_what_one_does() -> None:
    """Kinds of the unseen file that no skill on board has; documents and encyclopedia are asked like anything else."""
    lacking = {"home_set", "home_state", "unlock_door", "send_message", "get_weather"}
    read = [(tools, ENGLISH.read(said).scores[ELSEWHERE]) for tools, said in unseen()]
    assert np.mean([score >= ABSENT for tools, score in read if tools & lacking]) > 0.75
    assert np.mean([score >= ABSENT for tools, score in read if tools & NAMES]) < 0.02


@given(st.text(max_size=300))
def test_every_line_has_features(line: str) -> None:
    found = features(line, buckets(KNOWN))
    assert all(0 <= bucket < BUCKETS for bucket in found)
    assert np.isfinite(list(found.values())).all()


def test_numbers_are_alike_and_capitals_do_not_count() -> None:
    known = buckets(KNOWN)
    assert features("Set 12 minutes", known) == features("set 7:30 minutes", known)


def test_strange_words_are_alike() -> None:
    """Who asks what something is for names a thing, whatever it is called."""
    known = buckets(["what", "is", "a", "for"])
    one, other = (features(f"what is a {name} for", known) for name in ("glome", "trask"))
    same = one.keys() & other.keys()
    assert {"~a ?", "~? for", "?"} <= {
        text for text in ("~a ?", "~? for", "?", "~is a") if zlib.crc32(text.encode()) % BUCKETS in same
    }


def test_what_another_skill_does_here_counts_for_it() -> None:
    line = "can somebody let the plumber in by the side door"
    alone, with_house = ENGLISH.read(line), LineReader("en", str, does_too={"doors": "home"}).read(line)
    assert alone.scores["doors"] > alone.scores["home"]
    assert with_house.scores["home"] == alone.scores["doors"]
    assert "doors" not in with_house.scores
