"""The box's ear and voice for Home Assistant: the process, and a look at whether it answers."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from appliance.build.bridged import serve
from appliance.errors import ModelMissing, WrongUse
from appliance.models import choice
from appliance.models.registry import WAKE_FEATURES, Catalog
from appliance.settings import Settings
from appliance.terminal.check import Check

if TYPE_CHECKING:
    from appliance.hub.wyoming import MakePeer
    from appliance.hub.wyoming_info import Model
    from appliance.hub.wyoming_satellite import Seat
    from appliance.hub.wyoming_talk import Box
    from appliance.ports import WakeListener

SERVICE = "_wyoming._tcp.local."
"""What Home Assistant looks for in the network."""
CHECK_S = 30.0
"""For a check: a Pi 4 needs seconds for its first words."""
SHA256_SHOWN = 12
"""Digits of a model's sha256 that stand for its version."""
LANGUAGE_OF_WAKE_WORDS = "en"
REMEDY = "see docs/reference.md, Ear and voice for Home Assistant; then: journalctl -u va-wyoming"


def run(settings: Settings) -> None:
    """Until SIGTERM or SIGINT. Raises WrongUse, PartMissing."""
    from appliance.hub.wyoming import listener

    chosen = settings.wyoming
    served = _served(settings)
    with ExitStack() as stack:
        listening = [stack.enter_context(listener(chosen.address, each.port)) for each in served]
        ports = " and ".join(str(each.port) for each in served)
        told = f"Wyoming is spoken at port {ports}"
        asyncio.run(serve(_run(settings, [*zip(served, listening, strict=True)]), told))


@dataclass(frozen=True)
class _Served:
    """What answers at one port."""

    name: str
    """In the network."""
    port: int
    talk: MakePeer


def _served(settings: Settings) -> list[_Served]:
    """Raises WrongUse, PartMissing."""
    from appliance.hub.wyoming_satellite import Satellite
    from appliance.hub.wyoming_talk import Talk

    chosen, name = settings.wyoming, name_of(settings)
    served = [_Served(name, chosen.port, partial(Talk, made_box(settings)))]
    if chosen.satellite_of:
        talk = partial(Satellite, made_seat(settings))
        served.append(_Served(f"{name} satellite", chosen.satellite_port, talk))
    return served


async def _run(settings: Settings, served: Sequence[tuple[_Served, socket.socket]]) -> None:
    from appliance.hub.announce import announced
    from appliance.hub.wyoming import Server

    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        for each, listening in served:
            if settings.wyoming.announce:
                await stack.enter_async_context(announced(SERVICE, each.name, listening.getsockname()[1]))
            group.create_task(Server(each.talk).run(listening))


def made_seat(settings: Settings) -> Seat:
    """Raises WrongUse."""
    from appliance.hub.wyoming_info import satellite_info
    from appliance.hub.wyoming_satellite import Seat

    allowed = ip_network(settings.wyoming.satellite_of, strict=False)

    def allows(peer: str) -> bool:
        address = ip_address(peer.partition("%")[0])
        return (getattr(address, "ipv4_mapped", None) or address) in allowed

    told = satellite_info(name_of(settings), settings.home_assistant.room, _wake(settings, Catalog(settings.models)))
    return Seat(told, settings.wyoming.core_socket, allows)


def name_of(settings: Settings) -> str:
    """By which others know the box."""
    return settings.wyoming.name or socket.gethostname()


def made_box(settings: Settings) -> Box:
    """Raises WrongUse, PartMissing."""
    from appliance.hub.wyoming_core import CoreSpeech
    from appliance.hub.wyoming_hearing import Listeners
    from appliance.hub.wyoming_info import info
    from appliance.hub.wyoming_talk import Box
    from appliance.tts.sentences import Clauses

    catalog, language = Catalog(settings.models), settings.words.language
    words = _model(catalog, choice.words(settings), [language])
    voice = _voice(catalog, settings)
    named = settings.ears.wake_words if settings.wyoming.wake else []
    wake = _wake(settings, catalog) if named else []
    listeners = Listeners(named, partial(_listener, settings, catalog)) if named else None
    told = info(name_of(settings), words, voice, wake)
    return Box(told, CoreSpeech(settings.wyoming.core_socket), partial(Clauses, language), listeners)


def _wake(settings: Settings, catalog: Catalog) -> list[Model]:
    return [_model(catalog, f"wake/{each}", [LANGUAGE_OF_WAKE_WORDS]) for each in settings.ears.wake_words]


def _model(catalog: Catalog, name: str, languages: Sequence[str]) -> Model:
    from appliance.hub.wyoming_info import Model

    model = catalog.model(name)
    return Model(name.removeprefix("wake/"), model.licence, model.files[0].sha256[:SHA256_SHOWN], languages)


def _voice(catalog: Catalog, settings: Settings) -> Model:
    from appliance.hub.wyoming_info import Model

    name = choice.voice(settings)
    if name == choice.ESPEAK:
        return Model(name, "GPL-3.0-or-later", version("piper-tts"), [settings.words.language])
    if name.startswith(choice.KOKORO):
        return _model(catalog, name, ["en_GB" if name in choice.BRITISH else "en_US"])
    return _model(catalog, name, [_language_of(catalog, name)])


def _language_of(catalog: Catalog, voice: str) -> str:
    """As its file has it, such as en_US; of a voice that is not here, as its name has it."""
    try:
        file = catalog.path(voice, "json")
    except ModelMissing:
        return voice.split("-")[1]
    return str(json.loads(file.read_text("utf-8"))["language"]["code"])


def _listener(settings: Settings, catalog: Catalog) -> WakeListener:
    """Raises PartMissing."""
    from appliance.ears.calling import Calling
    from appliance.ears.words import detector

    words = {word: catalog.paths(f"wake/{word}") for word in settings.ears.wake_words}
    return Calling(detector(words, catalog.path(WAKE_FEATURES)), settings.ears)


def check(settings: Settings) -> list[Check]:
    """Whether it tells what it has, and speaks; asked as Home Assistant asks. Raises WrongUse."""
    return asyncio.run(_checks(settings))


async def _checks(settings: Settings) -> list[Check]:
    from appliance.hub import wyoming_ask

    chosen = settings.wyoming
    port = chosen.port
    try:
        async with asyncio.timeout(CHECK_S):
            asked = wyoming_ask.Server(chosen.address or "127.0.0.1", port)
            checks = [Check("wyoming", True, f"answers at port {port}: {await asked.told()}")]
            checks.append(Check("wyoming voice", True, f"{await asked.spoken(name_of(settings)):.1f} s of sound"))
            if chosen.satellite_of:
                port = chosen.satellite_port
                told = await wyoming_ask.Server(chosen.address or "127.0.0.1", port).told()
                checks.append(Check("wyoming satellite", True, f"answers at port {port}: {told}"))
    except (OSError, WrongUse) as error:
        found = f"does not answer at port {port} ({error or type(error).__name__})"
        return [Check("wyoming", False, found, REMEDY)]
    return checks
