"""`wyoming run` and `wyoming check`."""

from __future__ import annotations

import json

from appliance import build
from appliance.arguments import Arguments
from appliance.cli.common import print_checks, settings
from appliance.errors import PartMissing


def run(arguments: Arguments) -> int:
    build.wyoming.run(settings(arguments))
    return 0


def check(arguments: Arguments) -> int:
    checks = build.wyoming.check(settings(arguments))
    if arguments.json:
        print(json.dumps([check.as_dict() for check in checks]))
    else:
        print_checks(checks)
    return 0 if all(check.fine for check in checks) else PartMissing.exit_code
