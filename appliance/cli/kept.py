"""The verbs of what a skill keeps: `timers`, `alarms`, `reminders`, `lists`, `notes`, `calendar`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import settings
from appliance.terminal import kept


def timers(arguments: Arguments) -> int:
    chosen = settings(arguments)
    rows = kept.timer_rows(build.timers_on_disk(chosen), build.clock(chosen, arguments.now).now())
    return print_rows(rows, kept.timer_lines(rows), arguments)


def items(arguments: Arguments) -> int:
    """Of the skill that is named like the verb."""
    rows = kept.item_rows(build.items_on_disk(settings(arguments), arguments.verb))
    return print_rows(rows, kept.item_lines(rows), arguments)


def print_rows(rows: Sequence[kept.Row], lines: Iterable[str], arguments: Arguments) -> int:
    print(json.dumps(rows, default=str) if arguments.json else "\n".join(lines) or f"no {arguments.verb}")
    return 0


def calendar(arguments: Arguments) -> int:
    done = build.calendar_sync(settings(arguments))
    print(json.dumps(asdict(done)) if arguments.json else done)
    return 0
