"""take_turns.py ROUND: as acknowledge.py, but what is acknowledged are whole turns of the service.

It says on the second serial line which things earlier rounds have left; then lines are typed into the service's ears,
and it says the name of each timer and fact once the box begins to say that it is kept. There are no models.
"""

from __future__ import annotations

import itertools
import json
import os
import pwd
import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import BinaryIO

from appliance import settings_file
from appliance.body.clock import SystemClock
from appliance.build.typed import TypedParts, typed_parts
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.records import TurnRecord
from appliance.service.turn import Moments
from appliance.service.vitals import Vitals

USER = "va"
LINE = Path("/dev/ttyS1")
STATE = Path("/var/lib/va/turns")
PROFILE = "pi4"
FRAME_S = 0.004
LOOK_S = 0.05
SYLLABLES = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu")
"""A digit each: a name is a word that can be said."""


def named(number: int, count: int) -> str:
    return "".join(SYLLABLES[int(digit)] for digit in f"{number:02}{count:03}")


def found() -> dict[str, object]:
    """What is on disk before the service has it."""
    with Store(STATE / "appliance.db") as store:
        facts = [fact.text.split()[1] for fact in SqliteMemory(store).facts()]
        with store.read() as db:
            (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
        held = facts + [timer.label for timer in SqliteTimers(store).all()]
        return {"held": held, "integrity": verdict, "notice": store.notice}


class Household:
    """Says one line after the other; hears what the box says."""

    def __init__(self, line: BinaryIO) -> None:
        self._line, self._answered = line, Event()
        self._name = self._expected = ""

    def told(self, words: str) -> None:
        if self._expected and self._expected in words:
            self._expected = ""
            self._line.write(f"{self._name}\n".encode())

    def answered(self, record: TurnRecord, _: Moments) -> None:
        self._answered.set()

    def live(self, parts: TypedParts, vitals: Vitals, number: int) -> None:
        """For ever: one timer a round, for there are 20 at most, and facts."""
        while not vitals.settled:
            time.sleep(LOOK_S)
        for count in itertools.count():
            self._name = named(number, count)
            if count:
                self._say(parts, "remember something")
                self._say(parts, f"the {self._name} is in the cellar", "I will remember")
            else:
                self._say(parts, f"set a {self._name} timer for 9 hours", "timer set")

    def _say(self, parts: TypedParts, text: str, expected: str = "") -> None:
        self._answered.clear()
        self._expected = expected
        parts.ears.type(text)
        self._answered.wait()


def main(number: str) -> None:
    with LINE.open("wb", buffering=0) as line:
        user = pwd.getpwnam(USER)
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
        line.write(f"{json.dumps(found())}\n".encode())
        settings = settings_file.load(Path("/dev/null"), PROFILE, STATE).model_copy(update={"models": STATE / "models"})
        household, vitals = Household(line), Vitals()
        with (
            typed_parts(settings, SystemClock(settings.zone), household.told, FRAME_S) as parts,
            parts.service(household.answered, vitals) as service,
        ):
            Thread(target=household.live, args=[parts, vitals, int(number)], daemon=True).start()
            service.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
