"""`speaker list`, `speaker enroll` and `speaker forget`: the voices that the box tells from each other."""

from __future__ import annotations

import json

from appliance import build
from appliance.arguments import Arguments
from appliance.audio import read_wav
from appliance.cli.common import parts, print_flushed, printable, settings
from appliance.errors import WrongUse


def list_(arguments: Arguments) -> int:
    names = sorted(build.voice_prints(settings(arguments)).all())
    if arguments.json:
        print(json.dumps(names, ensure_ascii=False))
        return 0
    for name in names:
        print(printable(name))
    return 0


def enroll(arguments: Arguments) -> int:
    name = arguments.name.strip()
    if not any(map(str.isalpha, name)):
        raise WrongUse("that is nobody's name", remedy="say: appliance speaker enroll NAME")
    recordings = [read_wav(path) for path in arguments.recordings]
    with parts(arguments) as made:
        build.enroll(made, name, recordings, print_flushed)
    return 0


def forget(arguments: Arguments) -> int:
    if not build.voice_prints(settings(arguments)).forget(arguments.name):
        raise WrongUse(f"there is no voice of {arguments.name!r}", remedy="run: appliance speaker list")
    return 0
