"""`node run` and `node test`: this box with its thought on a hub, and whether that hub does what it needs."""

from __future__ import annotations

import json

from appliance import build
from appliance.arguments import Arguments
from appliance.cli import turns
from appliance.cli.common import settings
from appliance.errors import TurnFailed, WrongUse


def run(arguments: Arguments) -> int:
    _chosen(arguments)
    return turns.run(arguments)


def test(arguments: Arguments) -> int:
    proofs = build.prove(_chosen(arguments), arguments.what)
    if arguments.json:
        print(json.dumps([vars(each) for each in proofs], ensure_ascii=False))
    else:
        for each in proofs:
            print(f"{'fine ' if each.fine else 'WRONG'}  {each.what} ({each.ms} ms): {each.found}")
    return 0 if all(each.fine for each in proofs) else TurnFailed.exit_code


def _chosen(arguments: Arguments) -> build.Settings:
    """Raises WrongUse."""
    chosen = settings(arguments)
    if not chosen.node.hub:
        raise WrongUse("no hub is named", remedy="say which: appliance node --hub NAME, or set node.hub")
    return chosen
