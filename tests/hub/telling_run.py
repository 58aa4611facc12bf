"""`appliance run` that hears nothing, and whose words go into a file: python telling_run.py FILE SOCKET OPTIONS...

SOCKET: the number of the one that the hub comes through. All else is as the service has it: settings, start and end.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from appliance import build, cli
from appliance.build.typed import TypedParts
from appliance.doors.health import FIRST_FD
from appliance.ports import Clock
from appliance.settings import Settings


def main(file: Path, listener: int, options: list[str]) -> int:
    def tell(words: str) -> None:
        with file.open("a") as told:
            told.write(f"{words}\n")

    def parts(settings: Settings, clock: Clock, loading: Any, stack: ExitStack) -> TypedParts:
        return TypedParts(settings, clock, stack, tell, 0.032, False)

    vars(build)["_kind"] = lambda settings: parts
    if listener != FIRST_FD:
        os.dup2(listener, FIRST_FD)
    os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "hub"}
    return cli.main(["run", *options])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
