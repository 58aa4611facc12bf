"""The verbs that are named like a skill: what it keeps is told, and what is commanded is done."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import printable, settings


def of_skill(arguments: Arguments) -> int:
    """Of the skill that is named like the verb."""
    return _command(arguments, arguments.verb, arguments.words)


def any_skill(arguments: Arguments) -> int:
    return _command(arguments, arguments.skill, arguments.words)


def announce(arguments: Arguments) -> int:
    return _command(arguments, "announcements", ["announce", f"text={' '.join(arguments.text)}"])


def calendar(arguments: Arguments) -> int:
    if arguments.words != ["sync"]:
        return of_skill(arguments)
    done = build.calendar_sync(settings(arguments))
    print(json.dumps(asdict(done)) if arguments.json else done)
    return 0


def _command(arguments: Arguments, skill: str, words: Sequence[str]) -> int:
    chosen = settings(arguments)
    answer = build.command(chosen, build.clock(chosen, arguments.now), skill, words, arguments.yes)
    if not arguments.json:
        print(printable(answer.said))
    elif answer.rows is not None:
        print(json.dumps(answer.rows))
    else:
        print(answer.model_dump_json(exclude={"rows"}))
    return 0
