"""The verbs that are named like a skill: what it keeps is told, and what is commanded is done."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import printable, settings
from appliance.errors import WrongUse


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


def memory(arguments: Arguments) -> int:
    """Also `show`, which is what it tells without an ACTION, `export` and `import FILE`."""
    match arguments.words:
        case ["show"]:
            return _command(arguments, "memory", [])
        case ["export"]:
            return _export(arguments)
        case ["import", file]:
            return _import(arguments, file)
        case ["export" | "import", *_]:
            raise WrongUse("that is no file", remedy="say memory export [--out FILE], or memory import FILE")
    return of_skill(arguments)


def _export(arguments: Arguments) -> int:
    """To standard output, or into a file that nobody else may read and that is whole or not there."""
    lines = build.memory_entries(settings(arguments))
    if arguments.out is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return 0
    part = arguments.out.with_name(f"{arguments.out.name}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            count = sum(file.write(f"{line}\n") > 0 for line in lines)
        part.replace(arguments.out)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise WrongUse(f"{arguments.out} cannot be written ({error.strerror})", remedy="give another --out") from None
    print(json.dumps({"entries": count}) if arguments.json else f"{count} entries in {arguments.out}")
    return 0


def _import(arguments: Arguments, name: str) -> int:
    """name: of a file, or - for standard input."""
    chosen = settings(arguments)
    try:
        with contextlib.nullcontext(sys.stdin) if name == "-" else Path(name).open(encoding="utf-8") as file:
            answer = build.memory_import(chosen, build.clock(chosen, arguments.now), file)
    except OSError as error:
        raise WrongUse(f"{name} cannot be read ({error.strerror})", remedy="give a file that an export wrote") from None
    print(json.dumps(answer.rows) if arguments.json else printable(answer.said))
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
