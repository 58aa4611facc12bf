"""The bridge: its process, and the appliance's end of it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Coroutine, Sequence
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

from appliance.errors import WrongUse
from appliance.ports import LINK, Bridge
from appliance.settings import Settings
from appliance.terminal.check import Check

if TYPE_CHECKING:
    from appliance.bridge.provider import Provider
    from appliance.doors.notify import ServiceManager

log = logging.getLogger(__name__)

TELL_S = 3.0
"""For the running bridge to say what it reaches."""
CHECK_S = 15.0
"""For a provider to be reached: a connection, and all that is read of it, each within its own time."""


SET = (
    "set home_assistant.url, mqtt.host, web.search_url, weather.open_meteo, node.hub, hub.announce, boxes.others, or "
    "a table [mcp.NAME] (docs/settings.md)"
)


def providers(settings: Settings) -> list[Provider]:
    """Those that are set. Raises BadSettings."""
    made: list[Provider] = []
    if settings.home_assistant.url:
        from appliance.bridge.home_assistant import HomeAssistant
        from appliance.llm.key import read_key

        file = settings.home_assistant.token_file
        if file is None:
            raise WrongUse("home_assistant.url is set, and no token", remedy="set home_assistant.token_file")
        token = partial(read_key, file, "home_assistant.token_file")
        made.append(HomeAssistant(settings.home_assistant.url, token, settings.words.language))
    if settings.mqtt.host:
        made.append(_mqtt(settings))
    if settings.web.search_url:
        from appliance.bridge.web import WebProvider

        made.append(WebProvider(settings.web.search_url, settings.words.language))
    if settings.weather.open_meteo:
        from appliance.bridge.open_meteo import OpenMeteo

        made.append(OpenMeteo(settings.weather.open_meteo, _weather_at(settings), settings.timezone))
    if settings.mcp:
        from appliance.bridge.mcp import McpProvider

        made.append(McpProvider(settings.mcp, settings.words.language))
    if settings.node.hub:
        from appliance.build.noded import provider

        made.append(provider(settings))
    if settings.hub.announce:
        made.append(_announcement(settings))
    if settings.boxes.others:
        made.append(_boxes(settings))
    return made


def _boxes(settings: Settings) -> Provider:
    from appliance.bridge.boxes import BoxesProvider
    from appliance.llm.key import read_key

    key = partial(read_key, settings.boxes.key_file or Path(), "boxes.key_file")
    return BoxesProvider(settings.boxes, key, settings.words.language)


def _announcement(settings: Settings) -> Provider:
    """Of the hub, which has no network itself."""
    from zeroconf import InterfaceChoice

    from appliance.bridge.announcement import Announcement
    from appliance.bridge.hub_finding import SERVICE
    from appliance.hub.announce import EVERYBODY, announced, own_address

    chosen = settings.hub
    name, told = (chosen.name or socket.gethostname()).partition(".")[0], {"tls": f"{chosen.tls:d}"}
    tells = partial(announced, SERVICE, name, chosen.port, told, own_address, InterfaceChoice.Default)
    return Announcement(tells, EVERYBODY, settings.words.language)


def make_key(file: Path) -> None:
    """Write a new house key, readable by its owner alone. Raises WrongUse."""
    import secrets

    try:
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as made:
            made.write(f"{secrets.token_hex()}\n")
    except FileExistsError:
        raise WrongUse(f"{file} is there already", remedy="use it, or delete it first") from None
    except OSError as error:
        raise WrongUse(f"{file} cannot be written ({error.strerror})", remedy="name another file") from None


def _weather_at(settings: Settings) -> tuple[float, float] | str:
    """Degrees north and east, or the name of the place. Raises WrongUse."""
    north, east = settings.weather.latitude, settings.weather.longitude
    if north is not None and east is not None:
        return north, east
    if not settings.place:
        remedy = "set weather.latitude and weather.longitude, or place"
        raise WrongUse("weather.open_meteo is set, and not where the box stands", remedy=remedy)
    return settings.place


def _mqtt(settings: Settings) -> Provider:
    from appliance.bridge.mqtt import MqttProvider, Part
    from appliance.bridge.mqtt_box import Box
    from appliance.bridge.mqtt_devices import Devices
    from appliance.bridge.mqtt_topics import Messages, Weather
    from appliance.llm.key import read_key

    chosen, language = settings.mqtt, settings.words.language
    file = chosen.password_file
    password = partial(read_key, file, "mqtt.password_file") if file else str
    box = Box(chosen, settings.home_assistant.room, language)
    parts: list[Part] = [box, Messages(settings.messages.topics, language)]
    if settings.has_mqtt_devices:
        parts.append(Devices(chosen, box.id, language))
    if settings.weather.topic:
        parts.append(Weather(settings.weather.topic))
    return MqttProvider(chosen, password, parts, box.gone, language)


def checked(settings: Settings) -> list[Provider]:
    """Those that are set, each MCP server as one. Raises BadSettings."""
    made = providers(settings.model_copy(update={"mcp": {}}))
    if settings.mcp:
        from appliance.bridge.mcp import McpProvider

        language = settings.words.language
        made += [McpProvider({name: each}, language, f"mcp {name}") for name, each in settings.mcp.items()]
    return made


def run(settings: Settings) -> None:
    """Until SIGTERM or SIGINT. Raises WrongUse."""
    from appliance.bridge.server import Server, listener
    from appliance.doors.health import passed

    given = passed(os.environ)
    path = settings.bridge.socket
    if not given and not path:
        raise WrongUse("the bridge has no socket", remedy="set bridge.socket, such as /run/va-bridge/socket")
    made = providers(settings)
    if not made:
        log.warning("nothing in the network is set: %s", SET)
    server = Server(made, settings.words.language)
    try:
        asyncio.run(serve(server.run(given[0] if given else listener(path or Path())), "the bridge listens"))
    finally:
        if path and not given:
            path.unlink(missing_ok=True)


async def serve(running: Coroutine[Any, Any, None], ready: str) -> None:
    """Until it ends, or by SIGTERM or SIGINT; the service manager is told.  ready: for the journal."""
    from appliance.doors.notify import ServiceManager

    manager = ServiceManager(os.environ)
    serving = asyncio.create_task(running)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, serving.cancel)
    manager.tell(READY=1)
    log.info(ready)
    await watched(serving, manager)
    if not serving.cancelled():
        serving.result()


async def watched(serving: asyncio.Task[None], manager: ServiceManager) -> None:
    """Until it is done: the service manager hears that the loop is alive."""
    while not serving.done():
        await asyncio.wait({serving}, timeout=manager.watchdog_s / 3 if manager.watchdog_s else None)
        manager.tell(WATCHDOG=1)


def check(settings: Settings) -> list[Check]:
    """Of each provider that is set, whether it can be reached. Raises WrongUse."""
    made = checked(settings)
    if not made:
        raise WrongUse("nothing in the network is set", remedy=SET)
    return asyncio.run(_checks(made))


def reached(settings: Settings) -> list[Check]:
    """Of each provider that is set, whether the running bridge reaches it; of none where no socket is set."""
    from appliance.bridge.client import SocketBridge

    path = settings.bridge.socket
    chosen = {
        "home": settings.home_assistant.url,
        "mqtt": settings.mqtt.host,
        "web": settings.web.search_url,
        "weather": settings.weather.open_meteo,
        "mcp": settings.mcp,
        "hub": settings.node.hub,
        "announce": settings.hub.announce,
        "boxes": settings.boxes.others,
    }
    names = [name for name, value in chosen.items() if value]
    if path is None or not names:
        return []
    if path.exists() and not os.access(path, os.W_OK):
        return [Check("bridge", False, "it may not be asked", "only the service's user and root may: run it with sudo")]
    with SocketBridge(path, settings.words.language) as bridge:
        asked = [(name, _link(bridge, name)) for name in names]
        return [_told(f"bridge {name}", _within(told, TELL_S)) for name, told in asked]


def _link(bridge: Bridge, name: str) -> Queue[dict[str, Any]]:
    """What the bridge tells of the link of a provider."""
    told: Queue[dict[str, Any]] = Queue()
    bridge.follow(name, lambda kind, value: told.put(value) if kind == LINK else None)
    return told


def _within(told: Queue[dict[str, Any]], patience_s: float) -> dict[str, Any]:
    try:
        return told.get(timeout=patience_s)
    except Empty:
        return {"up": False, "why": "no_bridge"}


def _told(part: str, link: dict[str, Any]) -> Check:
    from appliance.bridge.trouble import TROUBLE

    if link["up"]:
        return Check(part, True, "can be reached")
    found, remedy = TROUBLE[link["why"]]
    return Check(part, False, found, remedy)


async def _checks(made: Sequence[Provider]) -> list[Check]:
    return [*await asyncio.gather(*map(_check, made))]


async def _check(provider: Provider) -> Check:
    told: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def hear(kind: str, value: Any) -> None:
        if kind == LINK and not told.done():
            told.set_result(value)

    running = asyncio.create_task(provider.run(hear))
    try:
        async with asyncio.timeout(CHECK_S):
            link = await told
    except TimeoutError:
        link = {"up": False, "why": "no_answer"}
    finally:
        running.cancel()
        await asyncio.wait({running})
    return _told(provider.name, link)
