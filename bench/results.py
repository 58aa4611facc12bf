"""Rows of measurements: one JSON file a day, a machine and a kind, in `bench/results/`."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from appliance.settings import Settings
from bench import machine

FOLDER = Path(__file__).with_name("results")
Row = dict[str, Any]
MEASURED = (
    *("first_audio_ms", "text_turn_s", "calls", "fresh_tokens", "reuse"),
    *("reference", "rates", "ready_s", "rss_mb", "growth"),
)
"""Keys that the bench row always has."""
SAME = ("date", "machine", "models", "profile", "model")
"""Keys in which two runs must agree to make one row, beside the commit."""


def head() -> Row:
    """What every row begins with: day, machine and code."""
    return {
        "date": machine.today(),
        "machine": machine.name(),
        "commit": machine.commit(),
        "host": machine.describe(),
    }


def new(settings: Settings) -> Row:
    """The beginning of a row about models."""
    return head() | {"models": machine.model_hashes(settings)}


def heading(row: Row) -> str:
    """Date, machine, commit and models, for a person."""
    host = row["host"]
    models = "  ".join(f"{role} {sha256[:12]}" for role, sha256 in row["models"].items())
    memory = f"{host['memory_mb']:,} MB" if host["memory_mb"] else "memory unknown"
    return (
        f"{row['date']}  {row['machine']}  commit {row['commit']}\n"
        f"{host['cpu']}, {host['cores']} cores, {memory}, load {host['load_1m']}\n{models}"
    )


def latest(kind: str, folder: Path = FOLDER) -> Row | None:
    """The last row of this kind from this machine."""
    rows = paths(kind, folder)
    row: Row | None = json.loads(rows[-1].read_text()) if rows else None
    return row


def paths(kind: str, folder: Path = FOLDER) -> list[Path]:
    """Of the rows of this kind from this machine, the last one last."""
    return sorted(folder.glob(f"*-{machine.name()}{_suffix(kind)}.json"))


def blank() -> Row:
    """Null for what the bench has not measured yet."""
    return dict.fromkeys(MEASURED)


def continued(row: Row, before: Row | None) -> Row:
    """`row`, with what was measured earlier this day, if code, models and settings were the same."""
    if before is None or "parts" not in before or any(before.get(key) != row[key] for key in SAME):
        return blank() | row
    clean, then = row["commit"].removesuffix("+"), before["commit"].removesuffix("+")  # the row itself is a change
    return blank() | ({**before, "host": row["host"]} if clean == then else row)


def merge(row: Row, more: Row) -> None:
    """Lay `more` over `row`, table by table."""
    for key, found in more.items():
        if isinstance(found, dict) and isinstance(row.get(key), dict):
            merge(row[key], found)
        else:
            row[key] = found


def value(row: Row, path: Sequence[str]) -> Any:
    """What stands there; None where nothing does."""
    found: Any = row
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def save(row: Row, kind: str, folder: Path = FOLDER) -> Path:
    """`kind`: empty for the bench itself. A second run on one day replaces the first."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{row['date']}-{row['machine']}{_suffix(kind)}.json"
    path.write_text(json.dumps(row, indent=1, ensure_ascii=False) + "\n")
    return path


def kept(row: Row, kind: str) -> str:
    """Save it, and say where, for a person."""
    return f"row: {save(row, kind).relative_to(machine.CHECKOUT)}"


def comparison(row: Row, before: Row | None) -> str:
    """Against the last row of its kind from this machine, by what is in both: between two rows others are asked."""
    if before is None:
        return "no earlier row of this machine"
    shared = row["outcomes"].keys() & before["outcomes"].keys()
    now, then = ({name for name in shared if each["outcomes"][name] == "ok"} for each in (row, before))
    changes = f"{len(then)} -> {len(now)} right, {len(now - then)} mended, {len(then - now)} broken"
    return f"against {before['date']}, commit {before['commit']}: of {len(shared)} in both {changes}"


def tally(outcomes: Iterable[tuple[str, bool]]) -> dict[str, list[int]]:
    """From keys, each with whether it was right: key -> right, all."""
    known = list(outcomes)
    everything, right = Counter(key for key, _ in known), Counter(key for key, good in known if good)
    return {key: [right[key], everything[key]] for key in sorted(everything)}


def percentile(values: list[float], share: float) -> float | None:
    """Nearest rank, so it is a value that occurred; `share` 0 to 1. None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def spread(values: list[float]) -> Row:
    return {"p50": percentile(values, 0.5), "p95": percentile(values, 0.95), "n": len(values)}


def _suffix(kind: str) -> str:
    return f"-{kind}" if kind else ""
