"""Settings of the bridge, and of what it reaches in the network; settings.py tells of the rest."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, field_validator, model_validator

from appliance.settings_thought import Table


def _of_the_web(address: str) -> str:
    if address and not address.startswith(("https://", "http://")):
        raise ValueError("an address that begins with https:// (or http://, in the clear)")
    return address


WebAddress = Annotated[str, AfterValidator(_of_the_web)]
"""Empty is none."""


TOPIC = r"^[^\s+#$\x00-\x1f/][^+#\x00-\x1f]{0,199}$"
"""Of MQTT: one topic, without wildcards."""
TO_TOPIC = "mqtt:"
"""Before a topic that a message goes to."""
AskBefore = Literal["open", "unlock", "disarm"]


class Bridge(Table):
    socket: Path | None = None
    """Where `appliance bridge run` is asked: /run/va-bridge/socket on a box with va-bridge.socket. Without it the box
    reaches nothing in the network."""


class HomeAssistant(Table):
    url: WebAddress = ""
    """Address of Home Assistant as a browser has it, such as http://homeassistant.local:8123; empty is none."""
    token_file: Path | None = None
    """Holds a long-lived access token of one of its administrators; readable by the bridge's user only."""
    room: str = ""
    """Name of the room that the box is in, as Home Assistant has it: "the lights" are then those in it."""
    ask_before: list[AskBefore] = Field(["open", "unlock", "disarm"])
    """What is asked about first: opening a door, a gate or a garage, unlocking a lock, disarming an alarm."""
    use_lists: bool = False
    """Whether its lists count: "put milk on the party list" then goes there, if it has one of that name."""
    use_calendars: bool = False
    """Whether the calendars that it exposes to Assist are read, beside those of `[calendar]`. What is added by voice
    stays on the box, or goes to the CalDAV server."""


class Mqtt(Table):
    host: str = Field("", pattern=r"^[A-Za-z0-9._:%-]*$", max_length=253)
    """Name or address of an MQTT broker (MQTT 5), such as homeassistant.local; empty is none."""
    port: int = Field(1_883, ge=1, le=65_535)
    """8883 is usual with `tls`."""
    tls: bool = False
    """Whether the connection is encrypted, to a broker whose certificate this system trusts."""
    user: str = ""
    """Name on the broker; empty where it lets anybody in."""
    password_file: Path | None = None
    """Holds the password there; readable by the bridge's user only."""
    topic: str = Field("voice-appliance", pattern=TOPIC, max_length=100)
    """Begins the topics of this box. Of two boxes at one broker each needs its own."""
    discovery: str = Field("homeassistant", pattern=TOPIC, max_length=100)
    """Begins the topics at which devices tell what they are: the box itself, and those that it may switch."""
    devices: bool | None = None
    """Whether the devices that tell there what they are belong to the house. Without it: where no `home_assistant.url`
    is set, for a Home Assistant has the same ones, and hides from the box what you do not expose."""
    may_unmute: bool = False
    """Whether who may write to the broker may open the microphone. Closing it is open to them where the box has a
    button that was felt, or with this."""


OPEN_METEO = "https://api.open-meteo.com/v1/forecast"


def _publisher(chosen: object) -> object:
    return OPEN_METEO if chosen is True else "" if chosen is False else chosen


class Weather(Table):
    file: Path | None = None
    """A file with a report of the weather, in JSON, that something else writes (docs/reference.md). Without it, `topic`
    and `open_meteo` the weather is that of Home Assistant, where there is one."""
    topic: str = Field("", pattern=rf"^$|{TOPIC}", max_length=200)
    """A topic of the MQTT broker that holds the same report, retained, such as one of a weather station."""
    open_meteo: Annotated[WebAddress, BeforeValidator(_publisher)] = ""
    """true: the bridge asks Open-Meteo on the internet (docs/reference.md), which learns where the box stands. Or the
    address of an Open-Meteo of yours, such as http://nas.lan:8080/v1/forecast."""
    latitude: float | None = Field(None, ge=-90, le=90)
    """Where the weather is wanted, in degrees north, for Open-Meteo. With neither it nor `longitude` that is `place`,
    whose position Open-Meteo is asked for."""
    longitude: float | None = Field(None, ge=-180, le=180)
    """In degrees east."""

    @model_validator(mode="after")
    def _both_or_none(self) -> Weather:
        if (self.latitude is None) != (self.longitude is None):
            raise ValueError("both latitude and longitude, or neither")
        return self


class Wyoming(Table):
    """Counts where `appliance wyoming run` runs (va-wyoming.service), which is off until somebody turns it on."""

    name: str = Field("", max_length=40)
    """What Home Assistant calls the box; empty is the machine's name."""
    address: str = Field("", pattern=r"^[0-9a-fA-F.:]*$", max_length=45)
    """In digits, where it listens; empty is every address of this machine."""
    port: int = Field(10_300, ge=1_024, le=65_535)
    """Where it listens. 10300 is usual for speech to text."""
    wake: bool = False
    """Whether it listens for `ears.wake_words` in what others send, too: 60 MB of memory more, and 1 percent of a core
    for each of at most four peers (a PC, 2026-11-28)."""
    announce: bool = True
    """Whether Home Assistant is told of it (mDNS), and need not be given its address."""
    satellite_of: str = Field("", max_length=45)
    """Address of the Home Assistant that thinks for this box, in digits, or a network such as 192.168.1.0/24; empty:
    the box thinks itself. What is said behind a wake word, or the button, is then sent there, in the clear."""
    satellite_port: int = Field(10_700, ge=1_024, le=65_535)
    """Where that Home Assistant finds its satellite. 10700 is usual."""
    core_socket: Path = Path("/run/va/speech.sock")
    """Where the box's service is asked for words and speech; and, of a satellite, for what is said to it."""

    @field_validator("satellite_of")
    @classmethod
    def _network(cls, named: str) -> str:
        if named:
            try:
                ip_network(named, strict=False)
            except ValueError:
                raise ValueError("an address in digits, such as 192.168.1.20, or a network of them") from None
        return named

    @model_validator(mode="after")
    def _two_ports(self) -> Wyoming:
        if self.satellite_of and self.satellite_port == self.port:
            raise ValueError("satellite_port is another one than port")
        return self


class Web(Table):
    search_url: WebAddress = ""
    """Address of a SearXNG in the home, such as http://searx.lan:8080, that may answer in JSON (docs/reference.md);
    empty is none. What the box searches for goes there, and from there to the search engines that it asks."""


class Messages(Table):
    to: dict[str, str] = Field({})
    """Whom the box may send messages to: what you call somebody = the service of Home Assistant that notifies them,
    such as notify.mobile_app_mias_phone, or a topic of the MQTT broker, such as mqtt:house/kitchen/display. Each
    message is read back first, and sent after a yes."""

    @field_validator("to")
    @classmethod
    def _services(cls, to: dict[str, str]) -> dict[str, str]:
        for service in to.values():
            topic = service.removeprefix(TO_TOPIC)
            if not re.fullmatch(r"notify\.[a-z0-9_]+" if topic == service else TOPIC, topic):
                raise ValueError("services such as notify.mobile_app_mias_phone, or topics such as mqtt:house/display")
        return to

    @property
    def topics(self) -> list[str]:
        """Those that are told by MQTT."""
        return [each.removeprefix(TO_TOPIC) for each in self.to.values() if each.startswith(TO_TOPIC)]


ServerName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=20)]
"""Begins the name of each of its tools: weather__get_forecast."""


class McpTool(Table):
    effect: Literal["read", "act", "irreversible"] = "act"
    """read: it only looks something up, and is run without a question. Nobody but you can know: a server may lie."""
    confirm: bool = True
    """False: a tool that acts is run without a question. One whose effect is irreversible asks all the same."""


class McpServer(Table):
    """One MCP server: a program that the bridge starts, or an address."""

    command: list[str] = Field([])
    """The program and its arguments, such as ["/opt/mcp/bin/mcp-server-time"]; it runs with few rights."""
    url: WebAddress = ""
    """Address of a server that speaks streamable HTTP, such as http://nas.lan:8080/mcp."""
    env_file: Path | None = None
    """Lines NAME=value that make the program's whole environment, secrets among them; for the bridge's user alone."""
    headers_file: Path | None = None
    """Lines "Name: value" that are sent with each request, such as a token; for the bridge's user alone."""
    tools: dict[str, McpTool] = Field({})
    """Those that may be used, by the server's own names: a table for each, `[mcp.NAME.tools.TOOL]`, or
    `TOOL = {effect = "read"}`. None of the others is offered."""
    timeout_s: float = Field(7, ge=0.5, le=60)
    """A call that takes longer has failed. `reply.tool_timeout_s` ends it as well."""
    memory_mb: int = Field(512, ge=32, le=8_192)
    """Of data that the program may have."""

    @model_validator(mode="after")
    def _one_way(self) -> McpServer:
        if bool(self.command) == bool(self.url):
            raise ValueError("either a command or a url")
        if (self.env_file and self.url) or (self.headers_file and self.command):
            raise ValueError("env_file is for a command, headers_file for a url")
        return self
