"""`models list`, `models fetch` and `models verify`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import settings
from appliance.errors import PartMissing
from appliance.models.registry import Row


def list_(arguments: Arguments) -> int:
    return _show(build.catalog(settings(arguments)).rows(), arguments)


def verify(arguments: Arguments) -> int:
    chosen = settings(arguments)
    models = build.catalog(chosen)
    rows = models.rows(arguments.names or models.wanted(chosen), fully=True)
    _show(rows, arguments)
    return 0 if all(row.state == "here" for row in rows) else PartMissing.exit_code


def _show(rows: Sequence[Row], arguments: Arguments) -> int:
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows]))
        return 0
    for row in rows:
        about = f"{row.role:<12} {row.hashed_at or '-':<10} {row.licence}"
        print(f"{row.state:>8}  {row.name:<22} {row.bytes / 1e6:>8,.1f} MB  {about}")
        if row.state == "damaged":
            print(f"{'':>10}{row.what}")
    return 0


def fetch(arguments: Arguments) -> int:
    chosen = settings(arguments)
    models = build.catalog(chosen)
    with build.progress() as progress:
        models.fetch(arguments.names or models.wanted(chosen), progress)
    return 0
