"""Which tools a line calls for, as the classifier that ships has learnt it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.reply.understanding.intents import BUCKETS, NONE, buckets, features, intents
from appliance.reply.understanding.signs import SignReader

UNSEEN = Path(__file__).parents[2] / "models/intents/en.unseen.tsv"
LEARNT = intents("en")
ENGLISH = SignReader("en")
KNOWN = ["set", "minutes"]


def unseen() -> Iterator[tuple[set[str], str]]:
    for row in UNSEEN.read_text("utf-8").splitlines():
        tools, _, said = row.partition("\t")
        yield set(re.split(r"[+|]", tools)), said


def test_a_strangers_tool_is_offered_among_few() -> None:
    lines = [(tools, said) for tools, said in unseen() if "none" not in tools]
    assert LEARNT
    offered = [set(LEARNT.tools) - {NONE} - ENGLISH.read(said).tools.unlikely for _, said in lines]
    right = [bool(tools & found) for (tools, _), found in zip(lines, offered, strict=True)]
    assert len(lines) > 300
    assert np.mean(right) > 0.98
    assert np.mean([len(found) for found in offered]) < 5.5


def test_where_no_tool_is_meant_none_is_offered() -> None:
    assert LEARNT
    idle = [tools for tools, said in unseen() if set(LEARNT.tools) - {NONE} <= ENGLISH.read(said).tools.unlikely]
    assert len(idle) > 40
    assert np.mean([NONE in tools for tools in idle]) > 0.95


def test_what_is_certain_is_right() -> None:
    certain = [(ENGLISH.read(said).tools.certain, tools) for tools, said in unseen()]
    told = [tool in tools for tool, tools in certain if tool]
    assert len(told) > 100
    assert np.mean(told) > 0.98


@pytest.mark.parametrize("line", ["if the attic is damp switch the fan on", "", "   ", "?!", "hm", "\u0661\u0662"])
def test_no_tool_is_certain(line: str) -> None:
    """Not of a condition, of which nothing was learnt, nor of next to nothing."""
    assert not ENGLISH.read(line).tools.certain


def test_language_that_nothing_was_learnt_in_goes_by_words() -> None:
    assert intents("de") is None
    assert not SignReader("de").read("mach das Licht im Flur an").tools.certain


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
