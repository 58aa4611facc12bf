"""The hub's end of the door to Discord: two clients of its Command API, with a token for the owner and for guests."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from weakref import WeakValueDictionary

from appliance.bridge.discord_rules import Who
from appliance.bridge.hub_client import HubClient, HubLost
from appliance.wording import said

log = logging.getLogger(__name__)

ANSWER_S = 180.0
"""For an answer: thought.deadline_s of the core's default, with a turn or two of others before it."""
MOST_WAITING = 3
"""Lines of one conversation that are not answered yet; whoever sends more is told to wait."""


class Asking:
    """Lines of one conversation are answered one after the other, as they came."""

    def __init__(self, hubs: Mapping[Who, HubClient], language: str) -> None:
        self._hubs, self._language = hubs, language
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[str] = Counter()

    async def answer(self, who: Who, conversation: str, line: str, speaker: str) -> str:
        """What the box says to it; where it cannot, why. `speaker` counts for guests alone."""
        if self._waiting[conversation] >= MOST_WAITING:
            return said("discord_busy", self._language)
        self._waiting[conversation] += 1
        turn = self._turns.setdefault(conversation, asyncio.Lock())
        try:
            async with turn, asyncio.timeout(ANSWER_S):
                return await self._asked(self._hubs[who], conversation, line, speaker)
        except (HubLost, TimeoutError) as error:
            log.warning("a message of Discord was not answered: %s", str(error) or "the hub took too long")
            return said("discord_lost", self._language)
        finally:
            self._waiting -= Counter([conversation])  # and forget it at none

    async def _asked(self, hub: HubClient, conversation: str, line: str, speaker: str) -> str:
        """Raises HubLost."""
        try:
            result = await hub.send_command(conversation, line, speaker=speaker)
        except HubLost as lost:
            if lost.why != "no_talk":
                raise
            await hub.start_conversation(conversation, [])
            result = await hub.send_command(conversation, line, speaker=speaker)
        return result.assistant_message or ""
