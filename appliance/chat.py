"""A conversation in writing: with a person at a terminal, or a turn a line with a program."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from threading import Event, Thread
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.errors import ApplianceError, WrongUse
from appliance.records import TurnRecord

BELL_S = 0.5
"""Pause between two looks at the timers."""


class Box(Protocol):
    """The part of the appliance that a conversation in writing needs; build.Parts is one."""

    def ask(self, text: str, said: Callable[[str], None], channel: str = "chat") -> TurnRecord: ...

    def new_conversation(self) -> None: ...

    def move_clock(self, to: datetime) -> None: ...

    def ring_due(self) -> list[TurnRecord]:
        """A record for each timer that has become due; each is done with."""
        ...


class Line(BaseModel):
    """One turn as a program asks for it."""

    model_config = ConfigDict(extra="forbid")

    say: str = ""
    new: bool = False
    channel: Literal["voice", "chat"] = "chat"
    now: datetime | None = None


def json_lines(box: Box, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """A record per turn, and one per timer that rang; a line that cannot be used gives an object with `error`."""
    for text in lines:
        if not text.strip():
            continue
        try:
            for record in _turn(box, _line(text)):
                write(record.as_json())
        except ApplianceError as error:
            write(json.dumps({"error": error.what, "remedy": error.remedy}))


def _line(text: str) -> Line:
    if not text.lstrip().startswith("{"):
        return Line(say=text.strip())
    try:
        return Line.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the line"
        raise WrongUse(f"{key}: {first['msg']}", remedy=f"keys: {', '.join(Line.model_fields)}") from None


def _turn(box: Box, line: Line) -> Iterable[TurnRecord]:
    if line.new:
        box.new_conversation()
    if line.now:
        box.move_clock(line.now)
    yield from box.ring_due()
    if line.say:
        yield box.ask(line.say, lambda clause: None, line.channel)


def terminal(box: Box, read: Callable[[], str | None], write: Callable[[str], None]) -> None:
    """Until `read` gives None. Timers ring in between."""
    over = Event()

    def bell() -> None:
        while not over.wait(BELL_S):
            for record in box.ring_due():
                write(f"\a{record.said}")

    Thread(target=bell, name="bell", daemon=True).start()
    try:
        while (text := read()) is not None:
            if text.strip():
                _answer(box, text.strip(), write)
    finally:
        over.set()


def _answer(box: Box, text: str, write: Callable[[str], None]) -> None:
    try:
        box.ask(text, write)
    except ApplianceError as error:
        write(f"({error})")
