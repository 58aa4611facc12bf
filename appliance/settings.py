"""Every setting of the appliance, its unit, its range and its one default; `settings_file.py` reads them."""

from __future__ import annotations

from datetime import time, tzinfo
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from platformdirs import user_cache_path, user_state_path
from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from appliance.machine import local_zone
from appliance.settings_body import Body
from appliance.settings_boxes import Boxes
from appliance.settings_bridge import (
    Bridge,
    HomeAssistant,
    McpServer,
    McpTool,
    Messages,
    Mqtt,
    ServerName,
    Weather,
    Web,
    WebAddress,
    Wyoming,
)
from appliance.settings_channels import ChannelName, ChannelTable, Discord, Who
from appliance.settings_choices import RingSound, known_zone
from appliance.settings_hub import Hub
from appliance.settings_node import Node
from appliance.settings_speaker import Speaker
from appliance.settings_thought import APP, Memory, ModelServer, Reply, Role, Table, Thought, Threads

__all__ = [
    "APP", "Body", "Boxes", "Bridge", "Calendar", "ChannelTable", "Discord", "Documents", "Ears", "Encyclopedia",
    "HomeAssistant", "Hub", "Later", "McpServer", "McpTool", "Memory", "Messages", "ModelServer", "Mqtt", "Music",
    "Reply", "RingSound", "Role", "Settings", "Skills", "Sound", "Speaker", "Thought", "Voice", "WakeWord", "Weather",
    "Web", "Who", "Words", "Wyoming",
]  # fmt: skip


class Sound(Table):
    microphone: str = ""
    """Part of the capture device's name; empty is the system's default."""
    speaker: str = ""
    """Part of the playback device's name; empty is the system's default."""
    retry_s: float = Field(2.0, ge=0.1, le=60)
    """Seconds between attempts to reopen a device that vanished."""


class WakeWord(Table):
    threshold: float | None = Field(None, gt=0, lt=1)
    """In place of `wake_threshold`."""
    patience: int | None = Field(None, ge=1, le=10)
    """In place of `wake_patience`."""


class Ears(Table):
    wake_words: list[str] = Field(["hey_jarvis"], min_length=1)
    """Roles `wake/<name>` of the model manifest."""
    by_word: dict[str, WakeWord] = Field({})
    """What one of them needs instead of what all do: a table for each, `[ears.by_word.NAME]`."""
    wake_threshold: float = Field(0.5, gt=0, lt=1)
    """Score from which a frame counts; 0.5 is where each word's own model was set (appliance/ears/words.py)."""
    wake_patience: int = Field(2, ge=1, le=10)
    """80 ms frames over the threshold in a row; one more where they are only over seven tenths of it."""
    speech_threshold: float = Field(0.5, gt=0, lt=1)
    """silero probability from which a frame is speech (silero's default)."""
    lead_in_ms: int = Field(300, ge=0, le=2_000)
    """Sound kept from before the first speech frame; right after a wake word, that too is kept, whole."""
    quiet_min_ms: int = Field(90, ge=60, le=2_000)
    """Quiet after which work on the utterance begins, for nothing. Against 150 ms everybody waits 64 ms less, and 67
    spoken requests have 82 such pauses instead of 74 (2026-11-23); the shortest gap between people is 200 ms."""
    turn_end_quiet_ms: int = Field(400, ge=100, le=2_000)
    """Quiet before the turn-end model may end the turn. It costs no time, for transcribing takes as long; at 200 ms
    4 of 67 spoken requests were cut at a comma (eval of 2026-11-21)."""
    quiet_max_ms: int = Field(800, ge=200, le=5_000)
    """Quiet that ends a turn whatever the turn-end model says."""
    turn_end_threshold: float = Field(0.5, gt=0, lt=1)
    """Smart-Turn probability from which a turn is finished (its model card)."""
    utterance_max_s: float = Field(15, ge=1, le=27)
    """Whisper hears 30 s at once, the wake word among them."""
    start_timeout_s: float = Field(5, ge=1, le=60)
    """Seconds after the wake word within which speech must start."""
    follow_up_s: float = Field(3, ge=0, le=60)
    """Seconds after an answer in which no wake word is needed; 0 is off."""
    follow_up_question_s: float = Field(8, ge=0, le=60)
    """The same after an answer that ends in a question."""
    overheard_max_s: float = Field(2, ge=0.5, le=5)
    """Longest utterance that may be "stop" while the box is busy."""

    @field_validator("by_word")
    @classmethod
    def _listened_for(cls, words: dict[str, WakeWord], given: ValidationInfo) -> dict[str, WakeWord]:
        listened = given.data.get("wake_words", words)
        if unknown := sorted(words.keys() - {*listened}):
            raise ValueError(f"{', '.join(unknown)}: one of wake_words, {', '.join(listened)}")
        return words

    def wakes_from(self, word: str) -> tuple[float, int]:
        """Threshold and patience of `word`."""
        own = self.by_word.get(word, WakeWord())
        return own.threshold or self.wake_threshold, own.patience or self.wake_patience


class Words(Table):
    model: str = "whisper-base"
    """A name from `appliance models list`."""
    language: str = Field("en", min_length=2, max_length=3)
    """ISO 639 code of what is spoken, and of the wording: en, or de. Others have the published sentences only, and the
    box says so when it starts."""
    names: list[str] = Field([], max_length=500)
    """What you say that the box cannot know by itself, such as dishes or brands: speech to text finds these likelier,
    as it does names of your rooms, devices, people, stations, lists and timers."""
    threads: Threads = 2
    """Threads of speech to text; never more than there are cores, as everywhere."""


class Music(Table):
    player: Path | None = None
    """Socket of an MPD on this box, such as /run/mpd/socket. Without it there is no music."""
    stations: dict[str, str] = Field({})
    """Radio stations of your own: what you call one = the address of its stream. MPD fetches it, not the box."""


class Calendar(Table):
    folder: Path | None = None
    """Folder of ICS files that are read, and never written to: an absolute path that the service can read, and not
    below /home. With neither it nor `url` there is no calendar."""
    url: WebAddress = ""
    """Address of one calendar on a CalDAV server, such as https://cloud.example/dav/calendars/mia/home/; empty is none.
    `appliance calendar sync` reaches it, never the service."""
    user: str = ""
    """Name on that server."""
    password_file: Path | None = None
    """Holds the password there; readable by the service's user only."""


class Documents(Table):
    folder: Path | None = None
    """Folder of your own documents (txt, md, pdf, epub, docx) that are read, and never written to: an absolute path
    that the service can read, and not below /home. Without it there are none."""


class Encyclopedia(Table):
    folder: Path | None = None
    """Folder of ZIM files, such as Kiwix has of Wikipedia: an absolute path that the service can read, and not below
    /home; /var/lib/va/zim, say. Read beside the short summaries that come with the models."""


class Skills(Table):
    off: list[str] = Field([])
    """Names of skills that are switched off: clock, timers, arithmetic, sound, memory, country, about, care, help,
    calendar, documents, encyclopedia, later, announcements, web, or one of your own."""
    own: Path | None = None
    """Folder of your own skills, one folder each, outside the release: an update keeps it. An absolute path that the
    service can read, and not below /home. Their code may do all that the box may."""


class Later(Table):
    late_s: float = Field(300, ge=10, le=86_400)
    """What the box was told to do later is told as missed, and not done, if it was off at its time and is back only so
    long after. A start takes up to 180 s to know the time, and some 60 s to load; a judgement beyond that."""


class Voice(Table):
    model: str = "auto"
    """A name from `appliance say --list`. auto is the voice of `words.language`: piper-en-us-joe, piper-de-thorsten,
    and for all others espeak-ng, which sounds like a machine. Those of Kokoro are English, and for a PC: the usual
    voice begins an answer where Kokoro would begin too late, and says all of it on a board that is too slow."""
    threads: Threads = 2
    """Threads of speech."""
    speed: float = Field(1.0, ge=0.5, le=2.0)
    """2 is twice as fast."""
    quiet_from: time | None = None
    """Quiet hours begin, such as "22:00": the box speaks more softly, and says nothing that nobody asked for. Rings are
    as loud as ever."""
    quiet_until: time | None = None
    """Quiet hours end, such as "07:00"."""
    cues: bool = True
    """A short sound when the box is ready, was called, heard nothing, did without a word what it was told, or opens or
    closes its microphone."""
    ring_sound: RingSound = "chime"
    """What timers, alarms and reminders ring with: chime, bell, gong or birds. The first few rise."""
    ring_max_s: float = Field(120, ge=5, le=3_600)
    """A timer that nobody stops falls silent after this, and is told of once somebody is there."""


class Settings(Table):
    profile: str = "desktop"
    """desktop, pi5, pi4 or jetson: what the board can carry."""
    place: str = ""
    """Where the box stands, as a person would say it; empty is unknown."""
    timezone: Annotated[str, AfterValidator(known_zone)] = ""
    """IANA name such as Europe/Berlin; empty is the system's."""
    log_words: bool = False
    """Whether the journal may hold what was said. Neither "forget" nor a factory reset nor `make uninstall` removes it
    there; `journalctl --rotate --vacuum-time=1s` does, with all the rest."""
    state: Path = Field(default_factory=lambda: user_state_path(APP))
    """Folder of the database and the model snapshots."""
    models: Path = Field(default_factory=lambda: user_cache_path(APP) / "models")
    """Folder of the model store."""
    metrics_file: Path | None = None
    """Of node_exporter's textfile collector, written every 15 s: /run/va-work/va.prom, say (docs/provisioning.md)."""
    sound: Sound = Sound()
    ears: Ears = Ears()
    words: Words = Words()
    thought: Thought = Thought()
    reply: Reply = Reply()
    memory: Memory = Memory()
    speaker: Speaker = Speaker()
    skills: Skills = Skills()
    music: Music = Music()
    calendar: Calendar = Calendar()
    documents: Documents = Documents()
    encyclopedia: Encyclopedia = Encyclopedia()
    later: Later = Later()
    bridge: Bridge = Bridge()
    hub: Hub = Hub()
    boxes: Boxes = Boxes()
    home_assistant: HomeAssistant = HomeAssistant()
    mqtt: Mqtt = Mqtt()
    weather: Weather = Weather()
    web: Web = Web()
    messages: Messages = Messages()
    wyoming: Wyoming = Wyoming()
    node: Node = Node()
    discord: Discord = Discord()
    voice: Voice = Voice()
    body: Body = Body()
    mcp: dict[ServerName, McpServer] = Field({})
    """MCP servers whose tools may be used: a table for each, `[mcp.NAME]`."""

    channels: dict[ChannelName, ChannelTable] = Field({})
    """The doors through which somebody talks with the box, where they are to be others than by default: a table for
    each, `[channels.NAME]`."""

    @property
    def database(self) -> Path:
        return self.state / "appliance.db"

    @property
    def has_mqtt_devices(self) -> bool:
        """Whether devices that a broker tells of belong to the house."""
        chosen = self.mqtt.devices
        return bool(self.mqtt.host) and (not self.home_assistant.url if chosen is None else chosen)

    @property
    def zone(self) -> tzinfo:
        return ZoneInfo(self.timezone) if self.timezone else local_zone()
