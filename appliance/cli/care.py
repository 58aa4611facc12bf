"""The verbs that look after a box: `doctor`, `support`, `backup`, `restore`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from appliance import __version__, build, settings_file
from appliance.arguments import Arguments
from appliance.cli.common import code_of, print_checks, settings, source


def doctor(arguments: Arguments) -> int:
    checks = build.examine(settings(arguments), arguments.acoustic)
    if arguments.json:
        print(json.dumps({"version": __version__, "checks": [check.as_dict() for check in checks]}))
    else:
        print_checks(checks)
    return code_of(checks)


def support(arguments: Arguments) -> int:
    chosen, mistake = settings_file.load_or_last_good(source(arguments))
    if mistake:
        print(
            "the settings cannot be used (appliance doctor says why): those of the last good start are", file=sys.stderr
        )
    journal = sys.stdin.buffer.read().decode(errors="replace") if arguments.journal else None
    made = build.report(chosen, arguments.out, journal)
    if arguments.json:
        print(json.dumps(asdict(made), default=str))
        return 0
    print(f"{made.file}: nothing in it was said or stored by anybody. It holds:")
    for name, what in made.holds.items():
        print(f"  {name:<14} {what}")
    return 0


def backup(arguments: Arguments) -> int:
    name, content = build.copy_out(settings(arguments), arguments.folder)
    sys.stdout.buffer.write(content)  # nothing else: root may catch it there, who opens no file of the service's user
    print(name, file=sys.stderr)
    return 0


def restore(arguments: Arguments) -> int:
    print(f"restored, as of {build.bring_in(settings(arguments), arguments.copy):%Y-%m-%d at %H:%M}")
    return 0
