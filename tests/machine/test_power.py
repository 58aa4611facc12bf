"""Timers and turns that were acknowledged, and the power cut a moment later: on a box of which nothing else runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

import cuts
import fresh
import pytest
import vm
from playing import WHEELS

from bench import results

CUTS = int(os.environ.get("VM_CUTS", "20"))
CUTS_SEEN = 5
"""With synchronous=NORMAL: enough to see what is lost."""

pytestmark = pytest.mark.vm


@pytest.fixture(scope="module")
def row() -> Iterator[results.Row]:
    with fresh.row("power") as begun:
        yield begun


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[vm.Machine]:
    with fresh.box(tmp_path_factory.mktemp("power"), partial(cuts.prepare, wheels=WHEELS)) as made:
        yield made


def test_no_acknowledged_timer_is_lost_by_a_power_cut(box: vm.Machine, row: results.Row) -> None:
    row["FULL"] = cuts.cut(box, cuts.FULL, CUTS)
    assert row["FULL"]["acknowledged"] > CUTS
    assert row["FULL"]["lost"] == 0
    assert row["FULL"]["twice"] == row["FULL"]["wrong"] == []


def test_the_cuts_do_lose_what_is_not_synchronous(box: vm.Machine, row: results.Row) -> None:
    """Or the test before this one could not fail."""
    row["NORMAL"] = cuts.cut(box, cuts.NORMAL, CUTS_SEEN)
    assert row["NORMAL"]["lost"] > 0


def test_no_acknowledged_turn_is_lost_or_done_twice_by_a_power_cut(box: vm.Machine, row: results.Row) -> None:
    row["turns"] = cuts.cut(box, cuts.TURNS, CUTS)
    assert row["turns"]["acknowledged"] > CUTS
    assert row["turns"]["lost"] == 0
    assert row["turns"]["twice"] == row["turns"]["wrong"] == []
