"""What `bench/results/` holds in git: of each kind of measurement and each machine the newest row."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from bench import results


def shared(folder: Path) -> list[list[str]]:
    """The names of rows of one kind and one machine, the newest last, where there are several."""
    names = defaultdict[str, list[str]](list)
    for path in sorted(folder.glob("*.json")):
        names[path.name.removeprefix(json.loads(path.read_text())["date"])].append(path.name)
    return [each for each in names.values() if len(each) > 1]


def test_each_kind_and_machine_has_its_newest_row_alone() -> None:
    assert shared(results.FOLDER) == [], "remove all but the last of each: git rm"


def test_rows_of_other_days_are_found_and_those_of_other_kinds_and_machines_left_alone(tmp_path: Path) -> None:
    for date, machine, kind in (("01", "m", ""), ("02", "m", ""), ("02", "m", "eval"), ("02", "other", "")):
        results.save({"date": f"2026-01-{date}", "machine": machine}, kind, tmp_path)
    assert shared(tmp_path) == [["2026-01-01-m.json", "2026-01-02-m.json"]]


def test_a_row_is_named_after_its_day_and_machine() -> None:
    for path in results.FOLDER.iterdir():
        row = json.loads(path.read_text())
        assert path.name.startswith(f"{row['date']}-{row['machine']}"), path.name
