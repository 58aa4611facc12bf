"""The door to Discord: its process, and a look at what it needs. An extra: discord.py comes with it, and not before."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.build.bridged import serve
from appliance.errors import ApplianceError, PartMissing, WrongUse
from appliance.settings import Settings
from appliance.terminal.check import Check

if TYPE_CHECKING:
    from appliance.bridge.discord_door import Door
    from appliance.bridge.discord_rules import Who

LIBRARY = Path("/opt/va-discord")
"""Where the owner put discord.py: a release never changes, and does not bring it."""
BRING = f"run: sudo /opt/va/current/bin/python -I -m pip install --target {LIBRARY} 'discord.py>=2.6,<3'"
CHECK_S = 20.0
SETUP = "see docs/reference.md, Discord"


def run(settings: Settings) -> None:
    """Until SIGTERM or SIGINT. Raises WrongUse, PartMissing."""
    token = _token(settings)
    _bring()
    asyncio.run(serve(_run(settings, token), "the door to Discord opens"))


async def _run(settings: Settings, token: str) -> None:
    async with AsyncExitStack() as stack:
        await (await opened(settings, stack)).run(token)


async def opened(settings: Settings, stack: AsyncExitStack) -> Door:
    """Before the hub. Raises WrongUse."""
    from appliance.bridge.discord_asking import Asking
    from appliance.bridge.discord_door import Door
    from appliance.bridge.hub_client import HubClient
    from appliance.ports.command_api import NodeContext

    chosen, context = settings.discord, NodeContext(node_id="discord")
    hubs = {
        who: await stack.enter_async_context(HubClient(chosen.hub, token, context, chosen.hub_fingerprint))
        for who, token in _hub_tokens(settings).items()
    }
    return Door(Asking(hubs, settings.words.language), chosen, settings.words.language)


def check(settings: Settings) -> list[Check]:
    """Whether the hub takes both tokens, and Discord its own. Raises WrongUse, PartMissing."""
    token = _token(settings)
    _bring()
    return asyncio.run(_checks(settings, token))


async def _checks(settings: Settings, token: str) -> list[Check]:
    from appliance.bridge.hub_client import HubClient, HubLost
    from appliance.ports.command_api import NodeContext

    chosen, found = settings.discord, list[Check]()
    for who, own in _hub_tokens(settings).items():
        async with HubClient(chosen.hub, own, NodeContext(), chosen.hub_fingerprint) as hub:
            try:
                async with asyncio.timeout(CHECK_S):
                    await hub.start_conversation("check", [])
                found.append(Check(f"hub, for the {who}", True, f"{chosen.hub} lets it in"))
            except (HubLost, TimeoutError) as lost:
                found.append(Check(f"hub, for the {who}", False, f"{lost or 'it does not answer'}", SETUP))
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(CHECK_S):
                name = await (await opened(settings, stack)).name(token)
            found.append(Check("discord", True, f"knows the box as {name}"))
        except ApplianceError as error:
            found.append(Check("discord", False, error.what, error.remedy))
        except TimeoutError:
            found.append(Check("discord", False, "it does not answer", "see whether there is an internet"))
    return found


def _token(settings: Settings) -> str:
    """Discord's. Raises WrongUse."""
    from appliance.llm.key import read_key

    if settings.discord.token_file is None:
        raise WrongUse("nothing of Discord is set", remedy=f"set discord.token_file; {SETUP}")
    return read_key(settings.discord.token_file, "discord.token_file")


def _hub_tokens(settings: Settings) -> dict[Who, str]:
    """Raises WrongUse."""
    from appliance.llm.key import read_key

    chosen = settings.discord
    files: dict[Who, Path | None] = {"owner": chosen.owner_token_file, "guest": chosen.guest_token_file}
    needed: dict[Who, bool] = {
        "owner": bool(chosen.owners),
        "guest": bool(chosen.owners or chosen.guests) or chosen.anyone,
    }
    if not any(needed.values()):
        raise WrongUse("nobody may talk with the box over Discord", remedy="set discord.owners or discord.guests")
    read: dict[Who, str] = {}
    for who, file in files.items():
        if file is None and needed[who]:
            raise WrongUse(f"there is no token for the {who}", remedy=f"set discord.{who}_token_file; {SETUP}")
        if file and needed[who]:
            read[who] = read_key(file, f"discord.{who}_token_file")
    return read


def _bring() -> None:
    """Raises PartMissing."""
    if find_spec("discord") is None and LIBRARY.is_dir():
        sys.path.append(str(LIBRARY))  # behind all that the release brings itself
    if find_spec("discord") is None:
        raise PartMissing("discord.py is not installed, for it is an extra", remedy=BRING)
