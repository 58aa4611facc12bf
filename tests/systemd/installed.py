"""The appliance in a booted system, brought there by the real install script from small wheels.

In place of what the service runs, and of the models, stands a small program: the models take minutes and memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from booted import Booted
from small_wheels import PACKAGES, ROOT, small_wheelhouse

STAND_IN = """
import json, os, signal, socket
from pathlib import Path
from appliance.service import ends
Path("/run/va-work/counted").write_text(json.dumps(ends.count(Path(os.environ["STATE_DIRECTORY"]))))
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
    notify.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"].replace("@", chr(0), 1))
signal.pause()
"""
NO_WATCHDOG = """
[Service]
WatchdogSec=0
ExecStart=
ExecStart=/opt/va/current/bin/python -I /opt/stand_in.py
"""
NO_MODELS = "\nCatalog.fetch = lambda *_: None  # a test has no network\n"
AS_VA = ("setpriv", "--reuid=va", "--regid=va", "--init-groups", "--reset-env")
PYTHON = "/opt/va/current/bin/python"


def wheelhouse_of_a_box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_wheelhouse(tmp_path_factory.mktemp("wheels"), Path("/opt/packages"))


Boot = Callable[[], Booted]


def booted(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boot]:
    """A fixture of what boots one more system with the appliance installed."""
    made: list[Booted] = []

    def installed() -> Booted:
        shown = {wheels: "/opt/wheels", PACKAGES: "/opt/packages", ROOT: "/opt/repository"}
        system = Booted(tmp_path_factory.mktemp("system"), shown)
        made.append(system)
        system.write("/opt/stand_in.py", STAND_IN)
        system.write("/etc/systemd/system/va.service.d/stand-in.conf", NO_WATCHDOG)
        release = system.run("/opt/repository/systemd/release", "build", "/opt/wheels").strip()
        added = 'cat >>"$(echo "$1"/lib/python3.*/site-packages/appliance/models/registry.py)"'
        system.run("sh", "-ec", added, "add", release, text=NO_MODELS)
        system.run("/opt/repository/systemd/install", "/opt/wheels")
        return system

    yield installed
    for each in made:
        each.close()


def as_va(system: Booted, code: str) -> str:
    return system.run(*AS_VA, PYTHON, "-I", "-c", code).strip()


@contextmanager
def in_place_of(system: Booted, place: str, script: str) -> Iterator[None]:
    """`script` where a program of the box is, for a while."""
    system.run("mv", place, f"{place}.real")
    system.write(place, script, "755")
    try:
        yield
    finally:
        system.run("mv", f"{place}.real", place)
