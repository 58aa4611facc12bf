"""What the model wrote in a lesson, beside what it ought to have written."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench import results
from bench.exam import Marks, kind_of, report, summary, verdict


@pytest.mark.parametrize(
    ("right", "wrote", "found"),
    [
        ("set_timer(minutes=6)", "set_timer(minutes=6.0)", "same"),
        ("set_timer(minutes=6)", "set_timer(minutes=16)", "kind"),
        ("set_timer(minutes=6)\nset_timer(minutes=9)", "set_timer(minutes=6)", "other"),
        ("set_timer(minutes=6)", "say Six it is.", "other"),
        ("say Six it is.", "say It is six.", "same"),
    ],
)
def test_verdict(right: str, wrote: str, found: str) -> None:
    assert verdict(right, wrote) == found


def test_what_was_counted_becomes_a_row() -> None:
    marks = Marks(plan=Counter(same=3, other=1), final=Counter(kind=2), turns={"week-1.1": True, "week-1.2": False})
    row = summary(marks)
    assert (row["n"], row["right"], row["share"]) == (2, 1, 0.5)
    assert report(row).splitlines() == [
        "plan: 3 the same and 0 of the same kind, of 4 passes",
        "final: 0 the same and 2 of the same kind, of 2 passes",
        "turns: 1 right of 2, 50.0%",
    ]
    before = row | {"outcomes": {"week-1.2": "ok", "week-1.3": "ok"}, "date": "2026-01-01", "commit": "abc"}
    assert "of 1 in both 1 -> 0 right, 0 mended, 1 broken" in results.comparison(row, before)


def test_a_row_is_named_after_what_was_sat() -> None:
    weeks = [Path("bench/unseen/vets_house.yaml"), Path("bench/unseen/canal_week.yaml")]
    assert kind_of("m", weeks, taught=False) == "exam-m-canal_week-vets_house"
    assert kind_of("m", weeks[::-1], taught=False) == "exam-m-canal_week-vets_house"
    assert (kind_of("m", [], taught=False), kind_of("m", [], taught=True)) == ("exam-m", "exam-m-taught")
    every = [Path(f"bench/lessons/lesson_{number}.yaml") for number in range(60)]
    assert len(kind_of("m", every, taught=False)) < 200
