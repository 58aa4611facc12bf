"""`discord run` and `discord check`."""

from __future__ import annotations

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import settings, tell_checks


def run(arguments: Arguments) -> int:
    build.discord.run(settings(arguments))
    return 0


def check(arguments: Arguments) -> int:
    return tell_checks(arguments, build.discord.check(settings(arguments)))
