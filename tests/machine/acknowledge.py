"""acknowledge.py SYNCHRONOUS ROUND: the first and only process of a box whose power is about to be cut.

Says on the second serial line, in JSON, which timers earlier rounds have left; then sets one after the other, through
the appliance's own store, and says the name of each once it counts as kept.
"""

from __future__ import annotations

import itertools
import json
import os
import pwd
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers

USER = "va"
LINE = Path("/dev/ttyS1")
DATABASES = {"FULL": Path("/var/lib/va/appliance.db"), "NORMAL": Path("/var/lib/va/normal/appliance.db")}
"""FULL is what the appliance asks for, so it is its own database; the other shows what would be lost without."""
DUE = datetime.now(UTC) + timedelta(days=3_650)


def main(synchronous: str, number: str) -> None:
    with LINE.open("wb", buffering=0) as line:
        user = pwd.getpwnam(USER)
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
        with Store(DATABASES[synchronous]) as store:
            timers = SqliteTimers(store)
            with store.read() as db:
                db.execute(f"PRAGMA synchronous = {synchronous}")
                (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
            found = {"held": [timer.label for timer in timers.all()], "integrity": verdict, "notice": store.notice}
            line.write(f"{json.dumps(found)}\n".encode())
            for count in itertools.count(1):
                name = f"{number}.{count}"
                timers.add(name, 60.0, DUE)
                line.write(f"{name}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
