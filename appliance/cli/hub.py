"""`hub check`, `hub run`, `hub pair` and `hub token`."""

from __future__ import annotations

import json

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import print_flushed, settings, tell_checks
from appliance.errors import WrongUse


def run(arguments: Arguments) -> int:
    build.hub.run(settings(arguments))
    return 0


def check(arguments: Arguments) -> int:
    return tell_checks(arguments, build.hub.check(settings(arguments)))


def pair(arguments: Arguments) -> int:
    code, minutes = build.hub.pair(settings(arguments), arguments.role or "satellite", arguments.person, arguments.room)
    if arguments.json:
        print(json.dumps({"code": code, "minutes": minutes}))
    else:
        print(f"{code}: whoever sends it within {minutes} minutes gets a token, once")
    return 0


def token(arguments: Arguments) -> int:
    return ACTIONS[arguments.action](arguments)


def _add(arguments: Arguments) -> int:
    if not arguments.name or not arguments.role:
        raise WrongUse("a token has a name and a role", remedy="appliance hub token add NAME --as owner")
    tokens = build.hub.tokens(settings(arguments))
    made = tokens.add(arguments.name, arguments.role, arguments.person, arguments.room)
    print_flushed(json.dumps({"name": arguments.name, "token": made}) if arguments.json else made)
    return 0


def _remove(arguments: Arguments) -> int:
    build.hub.tokens(settings(arguments)).remove(arguments.name)
    return 0


def _list(arguments: Arguments) -> int:
    entries = build.hub.tokens(settings(arguments)).all()
    if arguments.json:
        print(json.dumps([entry.model_dump(mode="json", exclude={"sha256"}) for entry in entries]))
        return 0
    for entry in entries:
        print(
            f"{entry.name:<20} {entry.role:<10} {entry.person or '-':<12} {entry.room or '-':<12} {entry.made:%Y-%m-%d}"
        )
    return 0


ACTIONS = {"list": _list, "add": _add, "remove": _remove}
