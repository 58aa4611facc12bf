"""`bridge run`, `bridge check` and `bridge key`."""

from __future__ import annotations

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import settings, tell_checks


def run(arguments: Arguments) -> int:
    build.bridged.run(settings(arguments))
    return 0


def check(arguments: Arguments) -> int:
    return tell_checks(arguments, build.bridged.check(settings(arguments)))


def key(arguments: Arguments) -> int:
    build.bridged.make_key(arguments.file)
    return 0
