"""The door to Discord, by discord.py, which keeps the connection, its rate limits and its resumptions.

It answers direct messages, and in a server the messages that mention it: for these Discord hands out the text without
the "message content" intent. What was said is never logged.
"""

from __future__ import annotations

import logging

import discord

from appliance.bridge.discord_asking import Asking
from appliance.bridge.discord_rules import line_of, split, who
from appliance.errors import PartMissing, WrongUse
from appliance.settings import Discord
from appliance.wording import said

log = logging.getLogger(__name__)

REMEDY = "let va-discord.service out to the internet; it is tried again"


class Door:
    def __init__(self, asking: Asking, chosen: Discord, language: str) -> None:
        self._asking, self._chosen, self._language = asking, chosen, language
        self.client = discord.Client(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
        )
        self.client.event(self.on_ready)
        self.client.event(self.on_message)

    async def run(self, token: str) -> None:
        """Until cancelled. Raises WrongUse, PartMissing."""
        try:
            async with self.client:
                await self.client.start(token)
        except discord.LoginFailure:
            raise WrongUse("Discord refuses the token", remedy="write a new one into discord.token_file") from None
        except (discord.DiscordException, OSError) as error:
            raise PartMissing(f"Discord cannot be reached ({type(error).__name__})", remedy=REMEDY) from None

    async def name(self, token: str) -> str:
        """By which Discord knows the box. Raises WrongUse, PartMissing."""
        try:
            async with self.client:
                await self.client.login(token)
                return str(self.client.user)
        except discord.LoginFailure:
            raise WrongUse("Discord refuses the token", remedy="write a new one into discord.token_file") from None
        except (discord.DiscordException, OSError) as error:
            raise PartMissing(f"Discord cannot be reached ({type(error).__name__})", remedy=REMEDY) from None

    async def on_ready(self) -> None:
        log.info("Discord is answered")

    async def on_message(self, message: discord.Message) -> None:
        own, author, direct = self.client.user, message.author, message.guild is None
        if own is None or author.bot or message.webhook_id or not (direct or own in message.mentions):
            return
        as_whom = who(self._chosen, author.id, direct)
        if as_whom is None:
            return
        try:
            if message.attachments or message.stickers:
                await self._send(message, said("discord_files", self._language))
            elif line := line_of(message.content, {each.id: each.name for each in message.mentions}, own.id):
                async with message.channel.typing():
                    conversation = f"{message.channel.id}-{author.id}"
                    answer = await self._asking.answer(as_whom, conversation, line, author.name)
                await self._send(message, answer)
        except discord.HTTPException as error:
            log.warning("Discord does not take an answer (HTTP %d)", error.status)

    async def _send(self, message: discord.Message, answer: str) -> None:
        """Raises discord.HTTPException. Without previews: for one Discord would fetch every address that is named."""
        for piece in split(answer):
            await message.channel.send(piece, suppress_embeds=True)
