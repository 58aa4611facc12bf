"""Settings in, wired appliance out. The only place that names adapters, and loads just those that are asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from pydantic import ValidationError

from appliance import machine
from appliance.arguments import KEPT
from appliance.audio import Samples
from appliance.build import bridged, discord, hub, hubbed, portable, support, wyoming
from appliance.build.beside import bring_in, copy_out, entries, is_there
from appliance.build.beside import items as items_on_disk
from appliance.build.beside import kept as kept_on_disk
from appliance.build.beside import timers as timers_on_disk
from appliance.build.enrolling import enroll, voice_prints
from appliance.build.examined import examine
from appliance.build.parts import Parts
from appliance.build.senses import Tell
from appliance.build.shown import PromptPart
from appliance.build.start import Started
from appliance.build.voices import told_of as voices_told
from appliance.errors import WrongUse
from appliance.models.fetch import Progress
from appliance.models.registry import Catalog
from appliance.ports import Answer, Clock, Command
from appliance.records import TurnRecord
from appliance.service import heap
from appliance.service.loop import Service
from appliance.service.supervision import Supervision
from appliance.service.turn import Moments, Publish
from appliance.service.vitals import WORK_S, Vitals
from appliance.service.watcher import all_of
from appliance.settings import Settings
from appliance.terminal import jail
from appliance.terminal.chat import quiet
from appliance.terminal.recording_run import Heard

if TYPE_CHECKING:
    from appliance.node.proving import Proof
    from appliance.skills.calendar.sync import Synchronised
    from appliance.skills.encyclopedia.library import Library

__all__ = [
    "Parts",
    "PromptPart",
    "Settings",
    "Started",
    "Tell",
    "bridged",
    "bring_in",
    "calendar_sync",
    "catalog",
    "clock",
    "command",
    "copy_out",
    "discord",
    "draw",
    "enroll",
    "examine",
    "hub",
    "items_on_disk",
    "kept_on_disk",
    "library",
    "memory_entries",
    "memory_import",
    "parts",
    "progress",
    "prove",
    "report",
    "service",
    "simulate",
    "timers_on_disk",
    "voice_prints",
    "voices",
    "wyoming",
]


def catalog(settings: Settings) -> Catalog:
    return Catalog(settings.models)


def voices(settings: Settings) -> list[str]:
    """A line for each: its name, what it is, whether it is here; the one that speaks with a star."""
    return voices_told(settings, catalog(settings))


def clock(settings: Settings, start: datetime | None = None) -> Clock:
    """The system's clock, or one that shows `start` now."""
    from appliance.body.clock import ShiftedClock, SystemClock

    return ShiftedClock(start, settings.zone) if start else SystemClock(settings.zone, settings.state / "clock")


def report(settings: Settings, out: Path | None, journal: str | None) -> support.Bundle:
    """The support bundle, on disk. journal: where another user has read it. Raises WrongUse."""
    from appliance.doors import client

    runs = jail.service_process() is not None
    sources = support.Sources(
        lambda: examine(settings), client.ask if runs else None, client.read if runs else None, journal
    )
    return support.bundle(settings, sources, out)


def command(settings: Settings, clock: Clock, skill: str, words: Sequence[str], yes: bool) -> Answer:
    """Carry out what was commanded of a skill: in the running service, else in this process. Raises ApplianceError."""
    from appliance.doors import client
    from appliance.doors.commands import START_S, no_command

    try:
        given = Command(state=str(settings.state.absolute()), skill=skill, words=[*words], yes=yes)
    except ValidationError as error:
        raise no_command(error) from None
    patience_s = START_S + settings.thought.deadline_s + 2 * settings.reply.tool_timeout_s + client.PATIENCE_S
    if jail.service_process() and (answer := client.command(given, patience_s)):
        return answer
    if skill in KEPT and not words:
        return kept_on_disk(settings, skill, clock.now())  # beside whoever holds the memory
    is_there(settings)  # or this user may not know
    with parts(settings, clock) as made:
        return made.carry_out(given, True)


def prove(settings: Settings, what: str) -> list[Proof]:
    """Whether the hub of the settings does what a node needs. what: a proof's name, or all. Raises WrongUse."""
    from appliance.build import noded

    return noded.prove(settings, what)


def memory_entries(settings: Settings) -> Iterator[str]:
    """All that is remembered, a JSON line each; also beside a service. Raises StoreUnusable."""
    return portable.lines(entries(settings))


def memory_import(settings: Settings, clock: Clock, source: Iterable[str]) -> Answer:
    """Take in what `memory_entries` gave once, all or nothing; what is there already is not doubled.

    Raises ApplianceError.
    """
    is_there(settings)  # or this user may not know
    settings.state.mkdir(parents=True, exist_ok=True)
    with portable.staged(settings.state, source) as name:
        return command(settings, clock, portable.SKILL, [portable.IMPORT, name], yes=False)


def draw(heard: Heard, samples: Samples, answer: Samples | None, out: Path) -> None:
    """A picture of the turn; see picture.py. Raises WrongUse when `out` cannot be written."""
    from appliance.terminal import picture

    picture.draw(heard.record, samples, heard.seconds(), out, answer)


def progress() -> AbstractContextManager[Progress]:
    """How far a fetch is, drawn on standard output while the block runs."""
    from appliance.terminal.progress import drawn

    return drawn()


def simulate(source: TextIO, out: TextIO) -> None:
    """Button and light in a terminal, until `source` ends it."""
    from appliance.build.simulation import simulated
    from appliance.terminal.simulate import Panel, keys, play

    with keys(source) as typed, simulated(Panel(out)) as world:
        play(world, typed)


def calendar_sync(settings: Settings) -> Synchronised:
    """Bring the calendar and its server to the same state. Raises ApplianceError."""
    from appliance.llm.key import read_key
    from appliance.skills.calendar.dav import CalDav
    from appliance.skills.calendar.sync import synchronise

    chosen = settings.calendar
    if not chosen.url:
        raise WrongUse("no server of a calendar is set", remedy="set calendar.url, or read files with calendar.folder")
    password = read_key(chosen.password_file, "calendar.password_file") if chosen.password_file else ""
    with closing(CalDav(chosen.url, chosen.user, password)) as server:
        return synchronise(server, settings.state)


def library(settings: Settings) -> Library:
    """The owner's ZIM files. Raises BadSettings where no folder of them is set."""
    from appliance.skills.encyclopedia.library import Library

    return Library(settings.encyclopedia.folder)


@contextmanager
def parts(settings: Settings, clock: Clock, tell: Tell = quiet) -> Iterator[Parts]:
    """The appliance in parts; each is loaded when it is first needed and closed with the block."""
    heap.share()
    machine.sleep_at_barriers()
    with ExitStack() as stack:
        yield _kind(settings)(settings, clock, tell, stack)


def _kind(settings: Settings) -> type[Parts]:
    if not settings.node.hub:
        return Parts
    from appliance.build.noded import NodeParts

    return NodeParts


@contextmanager
def service(
    settings: Settings,
    start: datetime | None,
    tell: Tell,
    publish: Publish,
    unmute: bool = False,
    started: Started = Started(),  # noqa: B008
) -> Iterator[tuple[Service, Supervision]]:
    """The appliance on the sound card, and what a service manager gave this process to be watched and asked by."""
    from appliance.doors.commands import PATH, CommandDesk
    from appliance.doors.health import Answer as Answered
    from appliance.doors.health import HealthDoor, passed_by_name
    from appliance.doors.hub_lines import HUB, SPEECH
    from appliance.doors.notify import ServiceManager
    from appliance.doors.textfile import TextFile
    from appliance.service import ends
    from appliance.service.metrics import Metrics

    vitals = Vitals(thought_s=settings.thought.deadline_s + WORK_S)
    manager = ServiceManager(os.environ)
    supervision = Supervision(manager, vitals)

    def loading(note: str) -> None:
        tell(note)
        supervision.loading(note)

    def ended(record: TurnRecord, moments: Moments) -> None:
        metrics.take(record)
        publish(record, moments)

    shown = clock(settings, start)
    metrics = Metrics(vitals, settings, shown, ends.count(settings.state))
    with ExitStack() as stack:
        desk = stack.enter_context(CommandDesk())
        given = passed_by_name(os.environ)
        for listener in [each for name, each in given if name not in (HUB, SPEECH)]:
            answers: dict[str, Answered] = {**vitals.answers, "/metrics": lambda: (True, metrics.text())}
            stack.enter_context(HealthDoor(listener, answers, {PATH: desk.take}))
        if settings.metrics_file:
            stack.enter_context(TextFile(settings.metrics_file, metrics.text))
        made = stack.enter_context(parts(settings, shown, loading))
        made.started, made.managed = started, manager.is_there
        for_hub, for_speech = ([each for name, each in given if name == of] for of in (HUB, SPEECH))
        turned, follow = hubbed.opened(for_hub, made, vitals, ended, stack, for_speech)
        service = made.service(turned, vitals, supervision.each_round, unmute, all_of(metrics.watch, follow))
        running = stack.enter_context(service)
        desk.open(made.carry_out)
        yield running, supervision
