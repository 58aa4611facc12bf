"""One connection to an MQTT broker, with bounds on all that it may send."""

from __future__ import annotations

import asyncio
import logging
import math
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress

from aiomqtt import Client, Message, MqttCodeError, MqttError, ProtocolVersion, Will
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from appliance.bridge.trouble import Lost
from appliance.settings_bridge import Mqtt

log = logging.getLogger(__name__)

MOST_BYTES = 64_000
"""Of one message: MQTT 5 has the broker leave out longer ones. A retained description of a device is some 2 kB."""
MOST_WAITING = 8_000_000
"""Bytes that have come and are not read yet; what comes then is dropped. All retained messages come at once."""
OVERHEAD = 500
"""Bytes that a message takes beside its topic and payload; measured with tracemalloc."""
KEEPALIVE_S = 15
"""A broker that is silent is found out after twice that."""
ANSWER_S = 6.0
"""For the broker to say that it has something; paho gives a connection 5 s."""
AT_ONCE = 50
"""Topics that are subscribed to at once."""
REFUSALS = {132: "too_old", 134: "no_login", 135: "no_login", 138: "no_login"}
"""Reason codes of MQTT 5 -> why."""


class BoundedQueue(asyncio.Queue[Message]):
    """Of messages, bounded by their bytes; what does not fit is dropped."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._bytes, self._dropped = 0, 0

    def put_nowait(self, item: Message) -> None:
        if self._bytes + _size(item) > MOST_WAITING:
            self._dropped += 1
            if self._dropped == 1:
                log.warning("the MQTT broker sends more than can be read: some of it is dropped")
            return
        super().put_nowait(item)

    def _put(self, item: Message) -> None:
        self._bytes += _size(item)
        super()._put(item)

    def _get(self) -> Message:
        item: Message = super()._get()
        self._bytes -= _size(item)
        return item


class MqttLink:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def publish(self, topic: str, payload: str, retain: bool = False) -> None:
        """And wait until the broker has it. Raises Lost."""
        async with _in_time():
            await self._client.publish(topic, payload, qos=1, retain=retain)

    async def subscribe(self, topics: Iterable[str]) -> None:
        """Raises Lost."""
        wanted = [(topic, SubscribeOptions(qos=0)) for topic in topics]
        for first in range(0, len(wanted), AT_ONCE):
            async with _in_time():
                await self._client.subscribe(wanted[first : first + AT_ONCE])

    async def unsubscribe(self, topics: Iterable[str]) -> None:
        """Raises Lost."""
        if wanted := [*topics]:
            async with _in_time():
                await self._client.unsubscribe(wanted)

    async def messages(self) -> AsyncIterator[Message]:
        """Until the connection ends. Raises Lost."""
        try:
            async for message in self._client.messages:
                yield message
        except MqttError as error:
            raise _lost(error) from None


@asynccontextmanager
async def connected(chosen: Mqtt, password: str, will: Will) -> AsyncIterator[MqttLink]:
    """Raises Lost. `will`: what the broker is to publish once nobody is connected any more."""
    most = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    most.MaximumPacketSize = MOST_BYTES
    client = Client(
        chosen.host,
        chosen.port,
        username=chosen.user or None,
        password=password or None,
        protocol=ProtocolVersion.V5,
        will=will,
        keepalive=KEEPALIVE_S,
        timeout=math.inf,
        queue_type=BoundedQueue,
        properties=most,
        tls_context=ssl.create_default_context() if chosen.tls else None,
        logger=log,
    )
    async with _in_time():
        await client.__aenter__()
    try:
        yield MqttLink(client)
    finally:
        with suppress(Lost):  # what ended it is what matters
            async with _in_time():
                await client.__aexit__(None, None, None)


@asynccontextmanager
async def _in_time() -> AsyncIterator[None]:
    """Raises Lost. aiomqtt's own timeouts are asyncio.wait_for, which in Python 3.11 can lose that it was cancelled."""
    try:
        async with asyncio.timeout(ANSWER_S):
            yield
    except TimeoutError:
        raise Lost("no_answer") from None
    except MqttError as error:
        raise _lost(error) from None


def _lost(error: MqttError) -> Lost:
    return Lost(_why(error), str(error))


def _why(error: MqttError) -> str:
    cause = error.__context__
    if isinstance(error, MqttCodeError) and isinstance(error.rc, ReasonCode):
        return REFUSALS.get(error.rc.value, "no_server")
    if isinstance(cause, ssl.SSLError):
        return "no_trust"
    return "no_answer" if "timed out" in str(error) or isinstance(cause, TimeoutError) else "no_server"


def _size(message: Message) -> int:
    return len(message.topic.value) + len(message.payload) + OVERHEAD
