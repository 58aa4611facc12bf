"""The hub: its process, and what an owner does to it in a terminal."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from appliance import __version__
from appliance.build.bridged import watched
from appliance.settings import Settings
from appliance.terminal.check import Check

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from appliance.hub.access import Role
    from appliance.hub.serve import Serving
    from appliance.hub.state import Hub
    from appliance.hub.tokens import Tokens

log = logging.getLogger(__name__)

PER_ADDRESS = 5
"""Times what one token may ask: so many clients may be behind one address."""
WRONG_PER_MINUTE = 30
"""Requests of one address without a token that is known."""
OWN_ENDS = ("", ".local", ".lan")
"""Behind this machine's name, where a home's DNS or mDNS knows it."""
CHECK_S = 3.0
RELEASES = Path("/opt/va")
"""As systemd/release has it."""


def tokens(settings: Settings) -> Tokens:
    from appliance.hub.tokens import Tokens

    return Tokens(settings.hub.folder)


def pair(settings: Settings, role: Role, person: str, room: str) -> tuple[str, int]:
    """The code, and for how many minutes it serves. Raises WrongUse."""
    from appliance.hub.pairing import OPEN_S, Pairing

    return Pairing(settings.hub.folder, tokens(settings)).open(role, person, room), round(OPEN_S / 60)


def run(settings: Settings) -> None:
    """Until SIGTERM or SIGINT. Raises WrongUse."""
    from appliance.doors.health import passed
    from appliance.hub.serve import listener

    settings.hub.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    sockets = passed(os.environ) or [listener(settings.hub.address, settings.hub.port)]
    asyncio.run(_serve(settings, sockets))


def made(settings: Settings) -> Hub:
    """To be called where an event loop runs."""
    from appliance.hub.core import Core
    from appliance.hub.limits import Limits
    from appliance.hub.pairing import Pairing
    from appliance.hub.running import Once
    from appliance.hub.sessions import Sessions
    from appliance.hub.state import Hub, Watchers
    from appliance.hub.wifi import SOCKET

    chosen, watchers, known = settings.hub, Watchers(), tokens(settings)
    return Hub(
        core=Core(chosen.core_socket, watchers.told),
        tokens=known,
        once=Once(chosen.folder),
        pairing=Pairing(chosen.folder, known),
        watchers=watchers,
        per_token=Limits(chosen.per_minute),
        per_address=Limits(chosen.per_minute * PER_ADDRESS),
        failures=Limits(WRONG_PER_MINUTE),
        version=__version__,
        name=chosen.name or socket.gethostname(),
        language=settings.words.language,
        releases=RELEASES,
        wifi=SOCKET,
        secure=chosen.tls,
        sessions=Sessions(chosen.folder),
    )


def application(settings: Settings, hub: Hub) -> ASGIApp:
    from appliance.hub.app import application

    return application(hub, names(settings))


def names(settings: Settings) -> list[str]:
    """By which it may be called."""
    own = socket.gethostname()
    return [*filter(None, [settings.hub.name]), *(f"{own}{end}" for end in OWN_ENDS)]


def serving(settings: Settings, hub: Hub) -> Serving:
    """Raises WrongUse."""
    from appliance.hub.serve import Serving

    certificate = None
    if settings.hub.tls:
        from appliance.hub.certificate import certificate_in, fingerprint

        certificate = certificate_in(settings.hub.folder, names(settings))
        log.info("certificate: SHA-256 %s", fingerprint(certificate[0]))
    return Serving(application(settings, hub), hub.core, hub.watchers.close, certificate)


async def _serve(settings: Settings, sockets: list[socket.socket]) -> None:
    from appliance.doors.notify import ServiceManager

    manager = ServiceManager(os.environ)
    server = serving(settings, made(settings))

    def started() -> None:
        manager.tell(READY=1)
        log.info("the hub listens at %s", ", ".join(str(each.getsockname()) for each in sockets))

    running = asyncio.create_task(server.run(sockets, started))
    await watched(running, manager)
    running.result()


def check(settings: Settings) -> list[Check]:
    """Of its folder, its tokens, and the appliance behind it."""
    from appliance.errors import WrongUse

    found = []
    try:
        count = len(tokens(settings).all())
        remedy = "" if count else "run: sudo appliance hub token add NAME --as owner"
        found.append(Check("tokens", bool(count), f"{count} given out", remedy))
    except WrongUse as error:
        found.append(Check("tokens", False, error.what, error.remedy))
    found.append(_core(settings.hub.core_socket))
    return found


def _core(path: Path) -> Check:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(CHECK_S)
        try:
            caller.connect(str(path))
        except OSError as error:
            remedy = "run: sudo systemctl status va va-hub-core.socket"
            return Check("appliance", False, f"does not answer at {path} ({error.strerror or error})", remedy)
    return Check("appliance", True, "answers")
