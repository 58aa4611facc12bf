"""One small check per part: fine, or what is wrong and what to do. Changes nothing; asks the service where one runs."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from appliance.boards import clock_is_set, detect_profile
from appliance.models import choice
from appliance.models.registry import Row
from appliance.settings import Settings
from appliance.terminal import board, jail, sound, strips
from appliance.terminal.check import Check

AS_ROOT = "only its user and root may: run it with sudo"
"""The remedy where the service's folder is closed, as it is on an installed box."""
KOKORO_PROFILES = ("desktop",)
"""Boards that make a second of its sound in less than half of one (docs/boards.md)."""
LAN = "sudo install -D -m 644 -t /etc/systemd/system/va.service.d /opt/va/current/systemd/lan.conf; restart the service"
"""How the service is let out to a model server: `thought.server`."""


def examine(
    settings: Settings,
    models: Iterable[Row],
    asked: sound.Asked,
    copies: Callable[[], str],
    sentences: str,
    servers: Sequence[tuple[str, str]],
) -> list[Check]:
    """Every check, in the order in which a turn needs the parts.

    copies: what there is of the database's.  sentences: which there are in the language, "own" or "published", or none.
    servers: what was found of each model server, with the remedy where it does not answer.
    """
    return [
        _profile(settings),
        *sound.checks(settings.sound, asked),
        _pins(settings),
        *strips.check(settings.body),
        *map(_model, models),
        _voice(settings),
        *itertools.starmap(_server, servers),
        _sentences(settings.words.language, sentences),
        _database(settings.database, copies),
        board.disk(settings.state),
        board.clock(datetime.now(UTC), clock_is_set()),
        board.temperature(Path("/sys")),
        board.memory(Path("/sys")),
        _jail(Path("/"), bool(servers)),
    ]


def _profile(settings: Settings) -> Check:
    suited = detect_profile()
    if settings.profile == suited:
        return Check("profile", True, f"{settings.profile}, as this board suggests")
    return Check("profile", True, f"{settings.profile}; this board suggests {suited}", f"set profile = {suited!r}")


def _pins(settings: Settings, devices: Path = Path("/dev")) -> Check:
    """By the device files: the running service holds the lines themselves."""
    body, chips = settings.body, sorted(devices.glob("gpiochip*"))
    if body.pins == "none":
        return Check("pins", True, "no button and no light are wanted")
    if not chips:
        return Check("pins", False, "this machine has none", "set body.pins = 'none', or run on a board that has pins")
    closed = [str(chip) for chip in chips if not os.access(chip, os.R_OK | os.W_OK)]
    if closed:
        return Check("pins", False, f"may not be used: {', '.join(closed)}", "add the service's user to the group gpio")
    light = ", ".join(body.light_pins) or "none"
    wanted = [f"button {body.button_pin or 'none'}", f"light {light if body.strip == 'none' else 'a strip'}"]
    return Check("pins", True, f"{'; '.join(wanted)}; by {body.pins}")


def _model(model: Row) -> Check:
    if model.state == "here":
        return Check(
            f"model {model.name}", True, f"verified, all of it on {model.hashed_at or 'no day that was noted'}"
        )
    return Check(f"model {model.name}", False, model.state, model.what)


def _voice(settings: Settings) -> Check:
    """Which one speaks; plainly, where that is espeak-ng, or one that the board may be too slow for."""
    name, language = choice.voice(settings), settings.words.language
    if name == choice.ESPEAK:
        other = choice.usual_voice(language)
        remedy = "" if other == choice.ESPEAK else f"set voice.model = {other!r}"
        return Check("voice", True, f"espeak-ng, in {language!r}: it sounds like a machine", remedy)
    if name.startswith(choice.KOKORO) and language != "en":
        return Check("voice", False, f"{name} speaks English alone, not {language!r}", "set voice.model = 'auto'")
    if name.startswith(choice.KOKORO) and settings.profile not in KOKORO_PROFILES:
        found = f"{name}, for which this board ({settings.profile}) is too slow, or was not measured"
        return Check("voice", True, found, "set voice.model = 'auto'")
    return Check("voice", True, name)


def _server(found: str, remedy: str) -> Check:
    """The box can do without any, but one was set, and turns may wait for it. The gate passes it over."""
    return Check("model server", not remedy, found, remedy)


def _sentences(language: str, sentences: str) -> Check:
    if sentences == "own":
        return Check("sentences", True, f"our own and the published ones, in {language!r}")
    if sentences:
        found = f"the published ones alone, in {language!r}: timers, time, date, volume; answers are in English"
        return Check("sentences", True, found)
    found = f"there are none in {language!r}: every line needs the model, and answers are in English"
    return Check("sentences", False, found, "set words.language to en or de")


def _database(path: Path, copies: Callable[[], str]) -> Check:
    try:
        path.stat()
    except FileNotFoundError:
        return Check("database", True, "none yet; the first turn makes it")
    except OSError as error:
        return Check("database", False, f"it cannot be looked at ({error.strerror})", AS_ROOT)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2)) as connection:
            verdict = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict == "ok":
        return Check("database", True, f"sound, {path.stat().st_size // 1024} kB; {copies()}")
    return Check(
        "database", False, verdict, "restart the service: it moves a damaged file aside and takes the newest copy"
    )


def _jail(root: Path, server: bool = False) -> Check:
    """`server`: whether there is a model server that it should reach; else it should reach nothing."""
    process = jail.service_process(root)
    if process is None:
        return Check(
            "jail", True, "no service runs here: what is started by hand has none", "to install it: make install"
        )
    try:
        openings = jail.openings(process)
    except OSError as error:
        return Check("jail", False, f"it cannot be seen ({error.strerror})", "run this as root, while the service runs")
    if server and jail.NETWORK not in openings:
        return Check("jail", False, "a server is set, but the unit has no network", LAN)
    if server:
        openings.remove(jail.NETWORK)
    if openings:
        remedy = "install the unit again: make install; look for drop-ins: systemctl cat va"
        return Check("jail", False, "; ".join(openings), remedy)
    network = "a network, for its model server" if server else "no network"
    return Check("jail", True, f"the service has {network}, no capabilities, and writes to its state only")
