"""Sending a message, once the user has heard it and said yes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Bridge, Spoken
from appliance.settings_bridge import TO_TOPIC
from appliance.skills.home_assistant import call
from appliance.skills.mqtt import MQTT
from appliance.skills.written import Words

SEND_S = 6.0
"""For the broker to say that it has a message; it does in milliseconds."""


class MessageTools:
    def __init__(self, bridge: Bridge | None, people: Mapping[str, str], words: Words) -> None:
        """people: what somebody is called -> the service that notifies them, such as notify.mobile_app_mia, or a topic,
        such as mqtt:house/display."""
        self._bridge, self._people, self._words = bridge, people, words

    def send_message(
        self,
        to: Annotated[str, Field(max_length=60, description="name of a person, as said")],
        text: Annotated[str, Field(max_length=500, description="the message, as said")],
    ) -> Spoken:
        """Send a message to somebody's telephone."""
        name, way = self._found(to)
        if self._bridge is None:
            raise CannotBeDone(self._words.say("nobody"))
        if way.startswith(TO_TOPIC):
            self._bridge.ask(MQTT, "send", SEND_S, topic=way.removeprefix(TO_TOPIC), text=_written(text))
        else:
            call(self._bridge, way, data={"message": _written(text)})
        return self._words.say("sent", to=name)

    def asks(self, to: str, text: str) -> str:
        """The message and whom it is for. Raises BadArgument."""
        name, _ = self._found(to)
        return self._words.say("ask", to=name, text=_written(text).rstrip("."))

    def _found(self, to: str) -> tuple[str, str]:
        said = to.casefold().strip()
        found = [(name, service) for name, service in self._people.items() if name.casefold() == said]
        if not found:
            known = ", ".join(self._people)
            raise BadArgument(self._words.say("whom", to=to.strip(), known=known), remedy="name one of messages.to")
        return found[0]


def _written(text: str) -> str:
    return text.strip()[:1].upper() + text.strip()[1:]
