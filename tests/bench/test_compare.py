"""A row against the one before it: token counts and ratios, never times."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from bench import compare, growth, results

ROW: dict[str, Any] = {
    "date": "2026-11-22",
    "machine": "m",
    "commit": "abc",
    "models": {"llm": "1"},
    "profile": "desktop",
    "calls": {"fast": {"p50": 0}, "tool": {"p50": 1}},
    "tokens": {"fresh": {"tool": {"p50": 20}}},
    "reuse": 0.98,
    "reference": {"ratio_single_slot": 60.0},
    "text_turn_s": {"tool": {"p50": 1.0}},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    row = copy.deepcopy(ROW)
    *tables, last = path.split(".")
    table = row
    for name in tables:
        table = table[name]
    table[last] = value
    return row


@pytest.mark.parametrize(
    ("path", "value", "worse"),
    [
        ("tokens.fresh.tool.p50", 23, False),
        ("tokens.fresh.tool.p50", 24, True),
        ("tokens.fresh.tool.p50", 5, False),
        ("calls.fast.p50", 1, True),
        ("reference.ratio_single_slot", 52, False),
        ("reference.ratio_single_slot", 50, True),
        ("reuse", 0.8, True),
        ("text_turn_s.tool.p50", 9.0, False),
        ("reference", None, False),
    ],
)
def test_over_fifteen_percent_worse_is_a_regression(path: str, value: Any, worse: bool) -> None:
    found = list(compare.regressions(changed(path, value), ROW))
    assert bool(found) == worse
    if worse:
        assert path in found[0]


def test_other_models_are_not_compared() -> None:
    assert "not compared" in compare.told(changed("models.llm", "2"), ROW)
    assert "0 worse" in compare.told(ROW, ROW)
    assert compare.told(ROW, None) == "no earlier row of this machine"


def test_the_row_before_is_of_the_same_machine_and_kind(tmp_path: Path) -> None:
    for name in ("2026-11-20-m", "2026-11-21-m", "2026-11-21-m-eval", "2026-11-21-m-other", "2026-11-23-m"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": name}))
    path = tmp_path / "2026-11-22-m.json"
    path.write_text(json.dumps(ROW))
    assert compare.before(path) == {"name": "2026-11-21-m"}
    assert compare.before(tmp_path / "2026-11-20-m.json") is None


def test_parts_of_one_day_make_one_row_while_the_code_is_the_same() -> None:
    row = {key: ROW.get(key) for key in (*results.SAME, "commit")} | {"host": {}, "parts": {}}
    earlier = row | {"commit": "abc+", "parts": {"text": {}}, "reuse": 0.98, "growth": None}
    assert results.continued(row, earlier)["reuse"] == 0.98
    assert results.continued(row | {"commit": "def"}, earlier)["reuse"] is None
    assert results.continued(row, ROW)["reuse"] is None
    assert set(results.MEASURED) <= results.continued(row, None).keys()


def test_a_part_is_laid_over_the_row_table_by_table() -> None:
    row: dict[str, Any] = {"rss_mb": {"idle": 1}, "growth": None}
    results.merge(row, {"rss_mb": {"peak": 2}, "growth": {"turns": []}})
    assert row == {"rss_mb": {"idle": 1, "peak": 2}, "growth": {"turns": []}}


def test_growth_is_flat_when_the_dearest_point_costs_no_more_than_the_cheapest() -> None:
    points = [{"p50_s": 1.0, "worst": {"p50_s": 2.0}}, {"p50_s": 0.8, "worst": {"p50_s": 9.0}}]
    spoken = [{"p50_s": 0.4, "s_per_s": 0.2}, {"p50_s": 6.0, "s_per_s": 0.1}]
    row = {"turns": points, "facts": points, "tools": [*points, {"p50_s": None, "error": "x"}], "utterance_s": spoken}
    found = growth.flat(row)
    assert found == {"turns": 1.25, "facts": 1.25, "tools": None, "worst_turn": 9.0, "utterance_s": 0.5}
