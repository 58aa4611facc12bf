"""What the doctor finds on this machine, for a terminal and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from appliance.build import bridged
from appliance.models.registry import Catalog, Row
from appliance.settings import Settings
from appliance.terminal import doctor, jail
from appliance.terminal.check import Check
from appliance.terminal.sound import Asked


def examine(settings: Settings, acoustic: bool = False, models: Sequence[Row] | None = None) -> list[Check]:
    """Every check of doctor.py on this machine. `acoustic`: also play a chirp, and listen for it.

    models: those that the settings ask for, where they were looked at just now.
    """
    from appliance.build.beside import sound_check
    from appliance.doors import client
    from appliance.memory.backups import told
    from appliance.reply.understanding.fastlane import FastLane

    rows, copies = rows_of(settings) if models is None else models, partial(told, settings.database)
    status = partial(client.ask, "/status") if jail.service_process() else None
    asked = Asked(sound_check(settings), status, acoustic)
    sentences = FastLane(settings.words.language).sentences
    found = doctor.examine(settings, rows, asked, copies, sentences, _servers(settings))
    return [*found, *bridged.reached(settings)]


def rows_of(settings: Settings) -> list[Row]:
    """The models that the settings ask for."""
    models = Catalog(settings.models)
    return models.rows(models.wanted(settings))


def _servers(settings: Settings) -> list[tuple[str, str]]:
    """What was found of each model server, asked just now, and the remedy where it does not answer."""
    if not settings.thought.pool:
        return []  # and httpx is not loaded
    from appliance.llm.asked import ask_each

    return ask_each(settings.thought.pool, settings.reply.plan_timeout_s)
