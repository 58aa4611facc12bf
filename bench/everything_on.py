"""A box with all that needs no other machine, its calendar and its music real, and nothing kept."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from appliance import build
from appliance.errors import PartMissing
from appliance.llm.absent import AbsentModel
from appliance.ports import LanguageModel, Tool
from appliance.settings import Calendar, Music, Settings
from appliance.skills.gated import GatedTool
from appliance.skills.skillset import Skills
from appliance.terminal.chat import Console, quiet
from bench import consoles
from bench.music_player import Mpd, Song

SONGS: list[Song] = [
    ("Here Comes the Sun", "The Beatles", "Abbey Road", "pop", 330),
    ("Dreams", "Fleetwood Mac", "Rumours", "rock", 440),
    ("Jolene", "Dolly Parton", "Jolene", "country", 550),
    ("99 Luftballons", "Nena", "Nena", "pop", 660),
    ("So What", "Miles Davis", "Kind of Blue", "jazz", 770),
]
STATIONS = {"Classic FM": "http://127.0.0.1:9/classic"}
"""Nobody answers there: what a case needs is the call."""
DIARY = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//bench//EN
BEGIN:VEVENT
UID:choir
DTSTAMP:20260101T000000Z
DTSTART:20260902T190000Z
RRULE:FREQ=WEEKLY;BYDAY=WE
SUMMARY:Choir
END:VEVENT
BEGIN:VEVENT
UID:dentist
DTSTAMP:20260101T000000Z
DTSTART:20261210T110000Z
SUMMARY:Dentist
END:VEVENT
END:VCALENDAR
"""
ZONES = {"en": ("Europe/London", "London, England"), "de": ("Europe/Berlin", "Berlin, Germany")}
"""Language -> where a box stands that speaks it."""
NOT_SET_UP = {"documents", "encyclopedia", "home", "intercom", "mcp", "messages", "weather", "web"}
"""Skills that the lines were not written for: what they need is not here. The encyclopedia is, where its file is."""
NO_MODEL = AbsentModel(PartMissing("no model is asked", remedy="leave out --no-model"))


class AlwaysReady(GatedTool):
    """As if there were something for it to act on: no case says what is kept."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(tool, lambda: "")

    def ready(self) -> bool:
        return True


class _Around(build.Parts):
    """The appliance, around a model that was loaded before and stays."""

    def __init__(self, settings: Settings, start: datetime, model: LanguageModel, stack: ExitStack) -> None:
        super().__init__(settings, build.clock(settings, start), quiet, stack)
        self.llm = model


@dataclass(frozen=True)
class Box:
    console: Console
    skills: Skills
    tools: Sequence[Tool]
    """That the model may call."""
    settings: Settings


class Home:
    """What all boxes of a run share: a folder with a calendar, and a running player of music."""

    def __init__(self, folder: Path) -> None:
        self._calendar = folder / "calendar"
        self._calendar.mkdir()
        (self._calendar / "home.ics").write_bytes(DIARY.replace("\n", "\r\n").encode())
        (folder / "mpd").mkdir()
        self._mpd = Mpd(folder / "mpd", SONGS)

    def end(self) -> None:
        self._mpd.end()

    @contextmanager
    def box(self, chosen: Settings, language: str, start: datetime, model: LanguageModel) -> Iterator[Box]:
        """One on which nobody has ever said anything."""
        with tempfile.TemporaryDirectory() as state, ExitStack() as stack:
            self._mpd.silence()
            settings = self._settings(chosen, language, Path(state))
            parts = _Around(settings, start, model, stack)
            skills = parts.skills
            missing = {skill.name for skill in skills.absent} - NOT_SET_UP
            assert not missing, f"not set up: {missing}"
            tools = [AlwaysReady(tool) for tool in skills.for_model()]
            yield Box(consoles.made(parts, settings, tools), skills, tools, settings)

    def connected(self, chosen: Settings) -> Settings:
        """With the calendar and the player of this home."""
        music = Music(player=self._mpd.socket, stations=STATIONS)
        return chosen.model_copy(update={"calendar": Calendar(folder=self._calendar), "music": music})

    def _settings(self, chosen: Settings, language: str, state: Path) -> Settings:
        zone, place = ZONES[language]
        words = chosen.words.model_copy(update={"language": language})
        changed = {"state": state, "timezone": zone, "place": place, "words": words}
        return self.connected(chosen.model_copy(update=changed))


@contextmanager
def home() -> Iterator[Home]:
    with tempfile.TemporaryDirectory() as folder:
        made = Home(Path(folder))
        try:
            yield made
        finally:
            made.end()
