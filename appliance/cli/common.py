"""What several verbs need: the settings, the parts, and a turn record on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from pydantic import ValidationError

from appliance import build, settings_file
from appliance.arguments import Arguments
from appliance.errors import BadSettings, PartMissing, TurnFailed
from appliance.records import TurnRecord
from appliance.settings import Settings
from appliance.settings_node import Node
from appliance.terminal.chat import quiet
from appliance.terminal.check import Check

print_flushed = partial(print, flush=True)


def source(arguments: Arguments) -> settings_file.Source:
    return settings_file.Source(arguments.config, arguments.profile, arguments.state)


def settings(arguments: Arguments) -> Settings:
    return on_hub(source(arguments).load(), arguments)


def on_hub(chosen: Settings, arguments: Arguments) -> Settings:
    """With the hub that was named on the command line. Raises BadSettings."""
    if not arguments.hub:
        return chosen
    try:
        node = Node.model_validate({**chosen.node.model_dump(), "hub": arguments.hub})
    except ValidationError:
        remedy = "give a name of letters and digits, or an address that begins with https://"
        raise BadSettings(f"{arguments.hub!r} is no hub", remedy=remedy) from None
    return chosen.model_copy(update={"node": node})


def in_voice(chosen: Settings, name: str) -> Settings:
    """With the voice that was named on the command line, if one was."""
    return chosen.model_copy(update={"voice": chosen.voice.model_copy(update={"model": name})}) if name else chosen


@contextmanager
def parts(arguments: Arguments) -> Iterator[build.Parts]:
    chosen = settings(arguments)
    with build.parts(chosen, build.clock(chosen, arguments.now), progress(arguments)) as made:
        yield made


def progress(arguments: Arguments) -> Callable[[str], None]:
    """Tells a person at a terminal what takes so long."""
    if arguments.json or not sys.stderr.isatty():
        return quiet
    return lambda note: print(f"\033[2m{note}\033[0m", file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """Without what would steer a terminal: a calendar, a song's title, a file's may come from anybody."""
    return "".join(each for each in text if each.isprintable() or each == "\n")


def print_record(record: TurnRecord) -> None:
    print_flushed(record.as_json())


def exit_code(record: TurnRecord) -> int:
    return TurnFailed.exit_code if record.outcome == "error" else 0


def tell_checks(arguments: Arguments, checks: Sequence[Check]) -> int:
    """The exit code."""
    if arguments.json:
        print_flushed(json.dumps([check.as_dict() for check in checks]))
    else:
        print_checks(checks)
    return code_of(checks)


def code_of(checks: Sequence[Check]) -> int:
    return 0 if all(check.fine for check in checks) else PartMissing.exit_code


def print_checks(checks: Sequence[Check]) -> None:
    for check in checks:
        print(f"{'fine ' if check.fine else 'WRONG'}  {check.part}: {check.found}")
        if check.remedy:
            print(f"       {check.remedy}")
